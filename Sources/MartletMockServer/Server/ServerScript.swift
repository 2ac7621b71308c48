internal import MartletSystem

/// The script of a server: replies in order, routes, a handler and faults.
final class ServerScript: Sendable {
    typealias Handler = @Sendable (RecordedRequest) async throws -> MockReply
    typealias RouteHandler = @Sendable (RecordedRequest, [String: String]) async throws -> MockReply

    enum Answer {
        case reply(MockReply)
        case handler(@Sendable () async throws -> MockReply)
        /// No reply, with the text for the response.
        case none(String)
    }

    private struct State {
        var replies: ArraySlice<MockReply> = []
        var routes = StubTable<RecordedRequest>()
        /// Increases when a route is added.
        var version = 0
        var faults = FaultPlayer(.never)
    }

    private let handler: Handler?
    private let state = Locked(State())

    init(handler: Handler?) { self.handler = handler }

    // MARK: Setup

    func enqueue(_ replies: [MockReply]) { state.withLock { $0.replies += replies } }

    func add(_ matcher: RequestMatcher, _ replies: [MockReply], faults: FaultScript?) {
        let player = faults.map { FaultPlayer($0) }
        change { $0.add(matcher, replies.map { $0.played(by: player) }) }
    }

    func add(_ matcher: RequestMatcher, faults: FaultScript?, _ handler: @escaping RouteHandler) {
        let player = faults.map { FaultPlayer($0) }
        change { $0.add(matcher) { try await handler($0, $1).played(by: player) } }
    }

    private func change(_ change: (inout StubTable<RecordedRequest>) -> Void) {
        state.withLock { state in
            change(&state.routes)
            state.version += 1
        }
    }

    var faults: FaultScript {
        get { state.withLock { $0.faults.script } }
        set { state.withLock { $0.faults = FaultPlayer(newValue) } }
    }

    /// The replies and routes that no request has used.
    var unused: [String] {
        state.withLock { state in
            (state.replies.isEmpty ? [] : ["\(state.replies.count) replies in order"]) + state.routes.unused
        }
    }

    // MARK: Serving

    func answer(to request: RecordedRequest) -> Answer {
        if let reply = state.withLock({ $0.replies.popFirst() }) { return .reply(reply) }
        switch useRoutes({ $0.answer(to: request) }) {
        case .reply(let reply): return .reply(reply)
        case .handler(let handler, let parameters): return .handler { try await handler(request, parameters) }
        case nil: break
        }
        if let handler { return .handler { try await handler(request) } }
        return .none(report(for: request))
    }

    /// Takes the next reply if it does not wait for the request body.
    func replyBeforeBody(to request: () -> RecordedRequest) -> MockReply? {
        let (first, hasRoutes) = state.withLock { state -> (MockReply?, Bool) in
            guard let first = state.replies.first else { return (nil, !state.routes.isEmpty) }
            return (first.isBeforeBody ? state.replies.popFirst() : nil, false)
        }
        guard hasRoutes else { return first.map(faulted) }
        let headAlone = request()
        let early = useRoutes { routes -> MockReply? in
            var used = routes
            guard case .reply(let reply) = used.answer(to: headAlone), reply.isBeforeBody else { return nil }
            routes = used
            return reply
        }
        return early.map(faulted)
    }

    /// Returns the reply with its fault: from the script of its route, or of the server.
    func faulted(_ reply: MockReply) -> MockReply {
        let player = reply.faults ?? state.withLock { $0.faults }
        return player.next().map { reply.with($0) } ?? reply
    }

    /// Calls `use` with a copy of the routes, because it runs conditions of the test. Repeats it if a route was added in the meantime.
    private func useRoutes<Result>(_ use: (inout StubTable<RecordedRequest>) -> Result?) -> Result? {
        while true {
            var (routes, version) = state.withLock { ($0.routes, $0.version) }
            guard !routes.isEmpty, let result = use(&routes) else { return nil }
            let isCurrent = state.withLock { [routes] state in
                guard state.version == version else { return false }
                state.routes = routes
                return true
            }
            if isCurrent { return result }
        }
    }

    private func report(for request: RecordedRequest) -> String {
        let routes = state.withLock { $0.routes }
        let words = "no reply is scripted for \(request)"
        return routes.isEmpty ? words : "\(words). The routes, the nearest first:\n\(routes.report(for: request))"
    }
}

extension MockReply {
    /// Returns the reply with its own script of faults.
    fileprivate func played(by player: FaultPlayer?) -> MockReply {
        guard let player, faults == nil else { return self }
        var reply = self
        reply.faults = player
        return reply
    }
}
