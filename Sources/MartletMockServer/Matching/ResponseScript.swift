/// The responses of a mock client's stub: a list in order whose last response is repeated, or a handler.
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

    /// Returns the next response with its delay and marks it as used.
    package mutating func next() -> (delay: Duration, answer: Handler) {
        defer { uses += 1 }
        switch source {
        case .handler(let handler): return (.zero, handler)
        case .answers(let answers):
            let next = answers[min(uses, answers.count - 1)]
            return (next.delay, { _ in next.answer })
        }
    }

    /// Returns all responses and marks them as used, for a call that gets all of them in sequence.
    package mutating func all() -> [(delay: Duration, answer: Handler)] {
        guard case .answers(let answers) = source else { return [next()] }
        uses = max(uses, answers.count)
        return answers.map { answer in (answer.delay, { _ in answer.answer }) }
    }

    /// Describes the responses that no call has used, with the name of the stub, or returns nil if all were used.
    package func unused(_ name: String) -> String? {
        guard case .answers(let answers) = source, uses > 0 else { return uses == 0 ? name : nil }
        return uses >= answers.count ? nil : "\(name): \(answers.count - uses) of \(answers.count) answers"
    }
}
