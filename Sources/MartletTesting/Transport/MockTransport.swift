/// A transport without a network: answers what a test told it to, and keeps what it was sent.
///
/// ```swift
/// let transport = MockTransport(.status(503), .json("{}"))  // in this order
/// let client = HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(.standard, time: time)])
/// try await client.send(Request<EmptyResponse>.get("x"))
/// #expect(transport.requests.count == 2)
/// ```
///
/// Everything of the client but the network runs: interceptors, redirects, validation, decoding. It keeps the contract of
/// ``Transport``: deliveries, limits, cancellation. It does not undo a `Content-Encoding`.
public final class MockTransport: Transport {
    private let recorder = Recorder<HTTPRequest>()
    private let replies: Locked<[MockReply]>
    private let handler: (@Sendable (HTTPRequest) async throws -> MockReply)?
    private let time: any TimeSource

    /// Answers with the given replies, one for each request, in this order.
    ///
    /// A request for which none is left fails with `.invalidRequest`, whose words list what was sent so far.
    public convenience init(_ replies: MockReply..., time: any TimeSource = .system) {
        self.init(replies: replies, time: time)
    }

    /// Answers with the given replies, one for each request, in this order. See ``init(_:time:)``.
    public init(replies: [MockReply], time: any TimeSource = .system) {
        self.replies = Locked(replies)
        self.time = time
        handler = nil
    }

    /// Answers with what `handler` makes of each request, whose body, if any, is in memory.
    ///
    /// An `HTTPError` that it throws reaches the client as it is, a `CancellationError` as `.cancelled`, anything else as
    /// `.networkError(.other)`.
    public init(time: any TimeSource = .system, _ handler: @escaping @Sendable (HTTPRequest) async throws -> MockReply) {
        replies = Locked([])
        self.time = time
        self.handler = handler
    }

    /// What was sent so far, in order, each with its body in memory: `request.body?.buffered`.
    public var requests: [HTTPRequest] { recorder.values }

    /// Adds replies behind those that are left. They come before the handler.
    public func enqueue(_ replies: MockReply...) { self.replies.withLock { $0 += replies } }

    /// The first `count` requests, as soon as so many have been sent.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [HTTPRequest] { try await recorder.first(count) }

    /// Records the request and gives the next reply.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard !Task.isCancelled else { throw .cancelled }
        var sent = request
        if let body = request.body, body.buffered == nil {
            do { sent.body = HTTPBody(try await body.collect()) } catch {
                recorder.append(request)
                throw error
            }
        }
        // Recorded and answered in one step, so that concurrent requests get their replies in the order of the record.
        let scripted = replies.withLock { replies -> MockReply? in
            recorder.append(sent)
            return replies.isEmpty ? nil : replies.removeFirst()
        }
        let reply = if let scripted { scripted } else { try await unscriptedReply(to: sent) }
        return try await MockAnswer(reply: reply, request: request, time: time).response()
    }

    private func unscriptedReply(to request: HTTPRequest) async throws(HTTPError) -> MockReply {
        guard let handler else { throw .invalidRequest(exhausted()) }
        do { return try await handler(request) } catch { throw HTTPError(wrapping: error, stage: .exchange) }
    }

    private func exhausted() -> Explanation {
        let sent = requests.enumerated().map { "\($0.offset + 1). \($0.element)" }
        return Explanation("MockTransport has no reply left for the last of these requests:\n" + sent.joined(separator: "\n"))
    }
}
