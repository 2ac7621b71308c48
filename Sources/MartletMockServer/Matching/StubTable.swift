/// Which replies a double has for which requests. The latest stub that fits answers, so that a test can replace what its set-up said.
package struct StubTable<Request: CapturedRequest>: Sendable {
    package typealias Handler = @Sendable (Request, [String: String]) async throws -> MockReply

    package enum Answer: Sendable {
        case reply(MockReply)
        /// A handler, and what the path's `{names}` stand for.
        case handler(Handler, [String: String])
    }

    private enum Source: Sendable {
        /// In order; the last one stays.
        case replies([MockReply])
        case handler(Handler)
    }

    private struct Stub: Sendable {
        let matcher: RequestMatcher
        let source: Source
        var uses = 0

        /// How many replies no request has got.
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

    /// Which stub answers a request; nil when none fits. It stays at its place when others are added.
    ///
    /// Runs the matchers' own conditions, so not under a lock.
    package func place(for request: Request) -> Int? { stubs.lastIndex { $0.matcher.differences(in: request).isEmpty } }

    /// The answer to a request, which counts as used; nil when no stub fits.
    package mutating func answer(to request: Request) -> Answer? { place(for: request).flatMap { use($0, for: request) } }

    /// The next answer of the stub at a place, which counts as used.
    package mutating func use(_ place: Int, for request: Request) -> Answer? {
        defer { stubs[place].uses += 1 }
        switch stubs[place].source {
        case .replies(let replies): return replies.isEmpty ? nil : .reply(replies[min(stubs[place].uses, replies.count - 1)])
        case .handler(let handler): return .handler(handler, stubs[place].matcher.parameters(of: request))
        }
    }

    /// The stubs that no request has used, or not wholly.
    package var unused: [String] {
        stubs.filter { $0.left > 0 }.map { stub in
            stub.uses == 0 ? "\(stub.matcher)" : "\(stub.matcher): \(stub.left) of \(stub.count) replies"
        }
    }

    /// The stubs, each with what the request lacks for it, a line each; the nearest first.
    package func report(for request: some CapturedRequest) -> String {
        StubReport.text(stubs.map { ("\($0.matcher)", $0.matcher.differences(in: request)) })
    }
}

/// Says why none of several things fits a request.
package enum StubReport {
    /// How many are told, and how many differences of each.
    package static let limit = 10

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
