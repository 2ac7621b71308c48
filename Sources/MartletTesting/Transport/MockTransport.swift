public import MartletEssentials
internal import MartletSystem

/// A transport that returns stubbed replies without a network and records its requests.
///
/// ```swift
/// let transport = MockTransport(.status(503), .json("{}"))  // in this order
/// let client = HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(.standard, time: time)])
/// try await client.send(Request<EmptyResponse>.get("x"))
/// #expect(transport.requests.count == 2)
/// ```
///
/// or depending on the request:
///
/// ```swift
/// transport.on(.get("/users/{id}")) { _, path in .json(#"{"id": \#(path["id"] ?? "0")}"#) }
/// transport.on(.post("/users").json(["name": "Ada"]), .status(503), .status(201))  // in this order; the last one is repeated
/// ```
///
/// Replies in order are used first, then the latest matching stub, then the handler. If there is no reply, a request fails with
/// `.invalidRequest`. Its message lists the stubs, each with its differences from the request, and the requests so far.
///
/// The client works as with a network: interceptors, redirects, validation, decoding. The transport keeps the contract of `Transport`:
/// deliveries, limits, cancellation. It does not decode a `Content-Encoding`.
public final class MockTransport: Transport {
    private struct State {
        var replies: ArraySlice<MockReply> = []
        var stubs = StubTable<HTTPRequest>()
    }

    /// The group of the running calls of all clients over this transport.
    public let calls: CallGroup? = CallGroup()

    /// Always `true`: replies made with `MockReply.webSocket(_:protocols:compression:headers:)` accept WebSockets.
    public var opensWebSockets: Bool { true }

    private let recorder = Recorder<HTTPRequest>()
    private let accepted = Recorder<ServerWebSocket>()
    private let state: Locked<State>
    private let handler: (@Sendable (HTTPRequest) async throws -> MockReply)?
    private let time: any TimeSource

    /// Creates a transport that gives each request the next of these replies; when none is left, stubs apply that were added, or requests
    /// fail.
    public convenience init(_ replies: MockReply..., time: any TimeSource = .system) {
        self.init(replies: replies, time: time)
    }

    /// Creates a transport that gives each request the next reply of an array; when none is left, stubs apply that were added, or requests
    /// fail. See ``init(_:time:)``.
    public init(replies: [MockReply], time: any TimeSource = .system) {
        state = Locked(State(replies: replies[...]))
        self.time = time
        handler = nil
    }

    /// Creates a transport that gives each request the reply that a closure returns. Request bodies are passed to it in memory.
    ///
    /// An `HTTPError` that it throws reaches the client unchanged. `CancellationError` becomes `.cancelled`, and any other error
    /// `.networkError(.other)`.
    public init(time: any TimeSource = .system, _ handler: @escaping @Sendable (HTTPRequest) async throws -> MockReply) {
        state = Locked(State())
        self.time = time
        self.handler = handler
    }

    // MARK: Replies

    /// Appends replies to the queue, of which each request gets the next one; they are used before stubs and the handler.
    public func enqueue(_ replies: MockReply...) { state.withLock { $0.replies += replies } }

    /// Stubs matching requests with replies in order, of which the last is repeated. If several stubs match, the latest applies.
    public func on(_ matcher: RequestMatcher, _ reply: MockReply, _ more: MockReply...) {
        state.withLock { $0.stubs.add(matcher, [reply] + more) }
    }

    /// Stubs matching requests with a closure that returns the reply. Its second argument has the values of the `{names}` in the matcher's
    /// path.
    ///
    /// Errors that it throws are treated as in ``init(time:_:)``.
    public func on(
        _ matcher: RequestMatcher, answer: @escaping @Sendable (HTTPRequest, [String: String]) async throws -> MockReply
    ) {
        state.withLock { $0.stubs.add(matcher, answer) }
    }

    /// Throws if queued replies, stubs or replies of stubs were not used by any request, and names them.
    public func verify() throws(UnusedStubsError) {
        try UnusedStubsError.check(
            state.withLock { state in
                (state.replies.isEmpty ? [] : ["\(state.replies.count) replies in order"]) + state.stubs.unused
            })
    }

    // MARK: Recorded requests

    /// The requests that were sent so far, in order, each with its body in memory (`request.body?.buffered`).
    public var requests: [HTTPRequest] { recorder.values }

    /// Returns the requests sent so far that match, in order.
    public func requests(matching matcher: RequestMatcher) -> [HTTPRequest] { requests.filter { $0.matches(matcher) } }

    /// Waits until `count` requests have been sent, without a time limit, and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [HTTPRequest] { try await recorder.first(count) }

    /// The WebSockets that were accepted so far, in order, each with what the app has sent and a way to continue its script.
    public var webSockets: [ServerWebSocket] { accepted.values }

    /// Waits until `count` WebSockets have been accepted, without a time limit, and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForWebSockets(_ count: Int = 1) async throws(CancellationError) -> [ServerWebSocket] {
        try await accepted.first(count)
    }

    // MARK: Sending

    /// Records the request and returns the response that its reply describes, or throws if the reply is a failure or missing.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard !Task.isCancelled else { throw .cancelled }
        let sent: HTTPRequest
        do { sent = try await request.collected() } catch {
            recorder.append(request)
            throw error
        }
        // Recorded and answered in one step, so that concurrent requests get their replies in the recorded order.
        let stubs = state.withLock { $0.stubs }
        let place = stubs.place(for: sent)
        let answer = state.withLock { state -> StubTable<HTTPRequest>.Answer? in
            recorder.append(sent)
            return state.replies.popFirst().map { .reply($0) } ?? place.flatMap { state.stubs.use($0, for: sent) }
        }
        let reply = try await reply(to: sent, answer)
        return try await MockExchange(reply: reply, request: request, time: time, webSockets: accepted).response()
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

    /// Returns the last requests, one numbered line for each.
    private func sent(limit: Int = 20) -> String {
        let lines = requests.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return ((lines.count > limit ? ["  …"] : []) + lines.suffix(limit)).joined(separator: "\n")
    }
}

extension Interceptor {
    /// Runs this interceptor alone, without a client, and returns its response and the requests that it passed on.
    ///
    /// ```swift
    /// let (response, sent) = try await HeadersInterceptor(["X-App": "1"]).run(request) { _ in .status(204) }
    /// #expect(sent.first?.headers["X-App"] == "1")
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request that the interceptor gets.
    ///   - time: The clock that the interceptor inherits. Default: the system's.
    ///   - random: The random numbers that the interceptor inherits. Default: the system's.
    ///   - reply: Returns the reply to each request that the interceptor sends.
    /// - Throws: The error that a client would throw. Errors other than `HTTPError` become `.interceptorFailed`.
    @concurrent public func run(
        _ request: HTTPRequest, time: any TimeSource = .system, random: any RandomSource = .system,
        reply: @escaping @Sendable (HTTPRequest) async throws -> MockReply
    ) async throws(HTTPError) -> (response: HTTPResponse<Data>, sent: [HTTPRequest]) {
        let transport = MockTransport(time: time, reply)
        var request = request
        request.context.services = ClientServices(time: time, random: random)
        let response = try await InterceptorChain([self], transport).send(request)
        let body = try await response.body.collect(upTo: request.context.limits.bodyBytes)
        return (response.map { _ in body }, transport.requests)
    }
}
