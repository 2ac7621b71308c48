/// What a stub of a mock client answers: a list in order, whose last answer stays, or a handler.
package struct ResponseScript<Call: Sendable, Answer: Sendable>: Sendable {
    package typealias Handler = @Sendable (Call) async -> Answer

    private enum Source: Sendable {
        case answers([(answer: Answer, delay: Duration)])
        case handler(Handler)
    }

    private let source: Source
    private var uses = 0

    package init(_ answers: [(answer: Answer, delay: Duration)]) { source = .answers(answers) }

    package init(_ handler: @escaping Handler) { source = .handler(handler) }

    /// The next answer, which counts as used: what to wait first, and what to ask then.
    package mutating func next() -> (delay: Duration, answer: Handler) {
        defer { uses += 1 }
        switch source {
        case .handler(let handler): return (.zero, handler)
        case .answers(let answers):
            let next = answers[min(uses, answers.count - 1)]
            return (next.delay, { _ in next.answer })
        }
    }

    /// All answers, which count as used: for a call that is answered by all of them, one after the other.
    package mutating func all() -> [(delay: Duration, answer: Handler)] {
        guard case .answers(let answers) = source else { return [next()] }
        uses = max(uses, answers.count)
        return answers.map { answer in (answer.delay, { _ in answer.answer }) }
    }

    /// What of it no call has asked for, in words, by the stub's name; nil when all was.
    package func unused(_ name: String) -> String? {
        guard case .answers(let answers) = source, uses > 0 else { return uses == 0 ? name : nil }
        return uses >= answers.count ? nil : "\(name): \(answers.count - uses) of \(answers.count) answers"
    }
}
