/// The stubs of a test double with their replies. The latest matching stub applies, so that a test can replace stubs of its setup.
package struct StubTable<Request: CapturedRequest>: Sendable {
    package typealias Handler = @Sendable (Request, [String: String]) async throws -> MockReply

    package enum Answer: Sendable {
        case reply(MockReply)
        /// A handler, and the values of the path's `{names}`.
        case handler(Handler, [String: String])
    }

    private enum Source: Sendable {
        /// Replies in order, the last of which is repeated.
        case replies([MockReply])
        case handler(Handler)
    }

    private struct Stub: Sendable {
        let matcher: RequestMatcher
        let source: Source
        var uses = 0

        /// The number of replies that no request has used.
        var left: Int {
            switch source {
            case .replies(let replies): max(0, replies.count - uses)
            case .handler: uses == 0 ? 1 : 0
            }
        }

        var count: Int { if case .replies(let replies) = source { replies.count } else { 1 } }
    }

    private var stubs: [Stub] = []

    package init() {}

    package var isEmpty: Bool { stubs.isEmpty }

    package mutating func add(_ matcher: RequestMatcher, _ replies: [MockReply]) {
        stubs.append(Stub(matcher: matcher, source: .replies(replies)))
    }

    package mutating func add(_ matcher: RequestMatcher, _ handler: @escaping Handler) {
        stubs.append(Stub(matcher: matcher, source: .handler(handler)))
    }

    /// Returns the index of the stub for a request, or nil if none matches. Later additions do not change it.
    ///
    /// Runs the matchers' conditions, so it must not be called within a lock.
    package func place(for request: Request) -> Int? { stubs.lastIndex { $0.matcher.differences(in: request).isEmpty } }

    /// Returns the reply to a request and marks it as used, or returns nil if no stub matches.
    mutating func answer(to request: Request) -> Answer? { place(for: request).flatMap { use($0, for: request) } }

    /// Returns the next reply of the stub at an index and marks it as used.
    package mutating func use(_ place: Int, for request: Request) -> Answer? {
        defer { stubs[place].uses += 1 }
        switch stubs[place].source {
        case .replies(let replies): return replies.isEmpty ? nil : .reply(replies[min(stubs[place].uses, replies.count - 1)])
        case .handler(let handler): return .handler(handler, stubs[place].matcher.parameters(of: request))
        }
    }

    /// The stubs that no request has used, or not completely.
    package var unused: [String] {
        stubs.filter { $0.left > 0 }.map { stub in
            stub.uses == 0 ? "\(stub.matcher)" : "\(stub.matcher): \(stub.left) of \(stub.count) replies"
        }
    }

    /// Returns the stubs with their differences from a request, one per line, the nearest first.
    package func report(for request: some CapturedRequest) -> String {
        StubReport.text(stubs.map { ("\($0.matcher)", $0.matcher.differences(in: request)) })
    }
}

/// Explains why none of several stubs matches a request.
package enum StubReport {
    /// The maximum number of stubs in a report, and of differences for each.
    static let limit = 10

    package static func text(_ candidates: [(name: String, differences: [RequestDifference])]) -> String {
        guard !candidates.isEmpty else { return "  nothing" }
        let sorted = candidates.enumerated().sorted {
            ($0.element.differences.count, $0.offset) < ($1.element.differences.count, $1.offset)
        }
        let lines = sorted.prefix(limit).flatMap { _, candidate in
            ["  \(candidate.name)"] + candidate.differences.prefix(limit).map { "    \($0)" }
        }
        return (lines + (sorted.count > limit ? ["  and \(sorted.count - limit) more"] : [])).joined(separator: "\n")
    }
}

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

/// The error that `verify()` of a test double throws if some stubs or replies were never used.
public struct UnusedStubsError: Error, Hashable, CustomStringConvertible {
    /// The unused stubs in the order of their creation, as written in Swift.
    public let stubs: [String]

    /// Creates an error for unused stubs.
    public init(stubs: [String]) { self.stubs = stubs }

    /// The words `never used:` and the unused stubs, one per line.
    public var description: String { "never used:\n" + stubs.map { "  \($0)" }.joined(separator: "\n") }

    /// Throws if the list has stubs.
    package static func check(_ stubs: [String]) throws(UnusedStubsError) {
        if !stubs.isEmpty { throw UnusedStubsError(stubs: stubs) }
    }
}
