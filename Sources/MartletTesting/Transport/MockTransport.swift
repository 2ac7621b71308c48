internal import MartletSystem

/// A transport without a network: answers what a test told it to, and keeps what it was sent.
///
/// ```swift
/// let transport = MockTransport(.status(503), .json("{}"))  // in this order
/// let client = HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(.standard, time: time)])
/// try await client.send(Request<EmptyResponse>.get("x"))
/// #expect(transport.requests.count == 2)
/// ```
///
/// or by what is asked for:
///
/// ```swift
/// transport.on(.get("/users/{id}")) { _, path in .json(#"{"id": \#(path["id"] ?? "0")}"#) }
/// transport.on(.post("/users").json(["name": "Ada"]), .status(503), .status(201))  // in this order; the last one stays
/// ```
///
/// Replies that were given in order come first, then stubs, the latest that fits, then the handler. A request for which there is
/// nothing fails with `.invalidRequest`, whose words list the stubs, each with what the request lacks for it, and what was sent so far.
///
/// Everything of the client but the network runs: interceptors, redirects, validation, decoding. It keeps the contract of
/// ``Transport``: deliveries, limits, cancellation. It does not undo a `Content-Encoding`.
public final class MockTransport: Transport {
    private struct State {
        var replies: ArraySlice<MockReply> = []
        var stubs = StubTable<HTTPRequest>()
    }

    /// The running calls of the clients over this transport.
    public let calls: CallGroup? = CallGroup()

    private let recorder = Recorder<HTTPRequest>()
    private let state: Locked<State>
    private let handler: (@Sendable (HTTPRequest) async throws -> MockReply)?
    private let time: any TimeSource

    /// Answers with the given replies, one for each request, in this order.
    public convenience init(_ replies: MockReply..., time: any TimeSource = .system) {
        self.init(replies: replies, time: time)
    }

    /// Answers with the given replies, one for each request, in this order. See ``init(_:time:)``.
    public init(replies: [MockReply], time: any TimeSource = .system) {
        state = Locked(State(replies: replies[...]))
        self.time = time
        handler = nil
    }

    /// Answers with what `handler` makes of each request, whose body, if any, is in memory.
    ///
    /// An `HTTPError` that it throws reaches the client as it is, a `CancellationError` as `.cancelled`, anything else as
    /// `.networkError(.other)`.
    public init(time: any TimeSource = .system, _ handler: @escaping @Sendable (HTTPRequest) async throws -> MockReply) {
        state = Locked(State())
        self.time = time
        self.handler = handler
    }

    // MARK: Replies

    /// Adds replies behind those that are left. They come before stubs and the handler.
    public func enqueue(_ replies: MockReply...) { state.withLock { $0.replies += replies } }

    /// Answers requests that fit, in this order; the last reply stays. Of several stubs that fit, the latest answers.
    public func on(_ matcher: RequestMatcher, _ reply: MockReply, _ more: MockReply...) {
        state.withLock { $0.stubs.add(matcher, [reply] + more) }
    }

    /// Answers requests that fit with what `answer` makes of each, and of what the path's `{names}` stand for.
    ///
    /// What it throws is treated as in ``init(time:_:)``.
    public func on(
        _ matcher: RequestMatcher, answer: @escaping @Sendable (HTTPRequest, [String: String]) async throws -> MockReply
    ) {
        state.withLock { $0.stubs.add(matcher, answer) }
    }

    /// Throws when there are replies that were given in order, or stubs, or replies of stubs, that no request has used, and names them.
    public func verify() throws(UnusedStubsError) {
        try UnusedStubsError.check(
            state.withLock { state in
                (state.replies.isEmpty ? [] : ["\(state.replies.count) replies in order"]) + state.stubs.unused
            })
    }

    // MARK: What was sent

    /// What was sent so far, in order, each with its body in memory: `request.body?.buffered`.
    public var requests: [HTTPRequest] { recorder.values }

    /// The requests so far that fit, in order.
    public func requests(matching matcher: RequestMatcher) -> [HTTPRequest] { requests.filter { $0.matches(matcher) } }

    /// The first `count` requests, as soon as so many have been sent.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    @discardableResult
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [HTTPRequest] { try await recorder.first(count) }

    // MARK: Sending

    /// Records the request and gives its reply.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard !Task.isCancelled else { throw .cancelled }
        let sent: HTTPRequest
        do { sent = try await request.collected() } catch {
            recorder.append(request)
            throw error
        }
        // Recorded and answered in one step, so that concurrent requests get their replies in the order of the record.
        let stubs = state.withLock { $0.stubs }
        let place = stubs.place(for: sent)
        let answer = state.withLock { state -> StubTable<HTTPRequest>.Answer? in
            recorder.append(sent)
            return state.replies.popFirst().map { .reply($0) } ?? place.flatMap { state.stubs.use($0, for: sent) }
        }
        return try await MockExchange(reply: try await reply(to: sent, answer), request: request, time: time).response()
    }

    private func reply(to request: HTTPRequest, _ answer: StubTable<HTTPRequest>.Answer?) async throws(HTTPError) -> MockReply {
        do {
            switch answer {
            case .reply(let reply): return reply
            case .handler(let answer, let parameters): return try await answer(request, parameters)
            case nil:
                guard let handler else { throw HTTPError.invalidRequest(unexpected(request)) }
                return try await handler(request)
            }
        } catch { throw HTTPError(wrapping: error, stage: .exchange) }
    }

    private func unexpected(_ request: HTTPRequest) -> Explanation {
        let stubs = state.withLock { $0.stubs }
        guard !stubs.isEmpty else {
            return Explanation("MockTransport has no reply left for the last of these requests:\n" + sent())
        }
        return Explanation("MockTransport has no stub for \(request). It has:\n\(stubs.report(for: request))\nIt was sent:\n\(sent())")
    }

    /// The last requests, a numbered line each.
    private func sent(limit: Int = 20) -> String {
        let lines = requests.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return ((lines.count > limit ? ["  …"] : []) + lines.suffix(limit)).joined(separator: "\n")
    }
}
