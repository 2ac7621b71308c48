internal import Foundation
public import Martlet

/// A transport that answers without a network and keeps what it was asked.
///
/// ```swift
/// let transport = MockTransport(.json(#"{"id":1}"#), .status(503))     // in this order
/// let transport = MockTransport { request in .json("{}") }             // by a function of the request
/// let client = HTTPClient(baseURL: url, transport: transport)
/// …
/// #expect(transport.requests.first?.url.path == "/users/1")
/// ```
///
/// When the replies have run out, a request fails with `.invalidRequest`, which lists what was sent. A handler may throw: an
/// `HTTPError` reaches the client as it is. A request whose task is cancelled is `.cancelled`.
public final class MockTransport: Transport {
    private struct State {
        var replies: [MockReply]
        var requests: [HTTPRequest] = []
    }

    private let state: Locked<State>
    private let handler: (@Sendable (HTTPRequest) async throws -> MockReply)?
    private let time: any TimeSource

    /// A transport that gives these replies, one for each request. `time` is what delays wait on. Default: the system's.
    public init(_ replies: MockReply..., time: any TimeSource = .system) {
        state = Locked(State(replies: replies))
        handler = nil
        self.time = time
    }

    /// A transport that asks a function. `time` is what delays wait on. Default: the system's.
    public init(time: any TimeSource = .system, handler: @escaping @Sendable (HTTPRequest) async throws -> MockReply) {
        state = Locked(State(replies: []))
        self.handler = handler
        self.time = time
    }

    /// What was sent, in order. The body of a file is read into memory, so that a test can look at it.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Adds replies after those that are left.
    public func enqueue(_ replies: MockReply...) { state.withLock { $0.replies += replies } }

    /// Gives the next reply.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        if Task.isCancelled { throw .cancelled }
        let kept = try await recordable(request)
        let next = state.withLock { state in
            state.requests.append(kept)
            return handler == nil && !state.replies.isEmpty ? state.replies.removeFirst() : nil
        }
        let reply = try await reply(to: request, next)
        if let delay = reply.delay {
            do { try await time.sleep(for: delay) } catch { throw .cancelled(ErrorContext(underlying: error)) }
        }
        return try response(of: reply, to: request)
    }

    private func reply(to request: HTTPRequest, _ next: MockReply?) async throws(HTTPError) -> MockReply {
        if let handler {
            do { return try await handler(request) } catch { throw HTTPError(wrapping: error, stage: .exchange) }
        }
        if let next { return next }
        let sent = requests.enumerated().map { "\n  \($0 + 1). \($1)" }.joined()
        throw .invalidRequest("the mock transport has no reply left; it was sent:\(sent)")
    }

    private func recordable(_ request: HTTPRequest) async throws(HTTPError) -> HTTPRequest {
        guard let body = request.body, body.buffered == nil, body.isReplayable else { return request }
        var request = request
        request.body = HTTPBody(try await body.collect())
        return request
    }

    private func response(of reply: MockReply, to request: HTTPRequest) throws(HTTPError) -> HTTPResponse<HTTPBody> {
        if let failure = reply.failure { throw failure }
        if reply.raw != nil { throw .invalidResponse("raw bytes are not a response") }
        switch reply.ending {
        case .disconnectBeforeHead, .disconnectAfterHeadBytes:
            throw .networkError(NetworkFailure(.connectionLost, "the mock disconnected"))
        case .whole, .disconnectAfterBodyBytes: break
        }
        var response = HTTPResponse(status: reply.status, headers: reply.headers, body: HTTPBody.empty)
        response.metadata.trailers = reply.trailers
        if request.method != .head, !reply.status.forbidsContent { response.body = try body(of: reply, for: request.context) }
        return response
    }

    private func body(of reply: MockReply, for context: RequestContext) throws(HTTPError) -> HTTPBody {
        let broken = HTTPError.invalidResponse("the mock broke off within the body")
        switch (context.delivery, reply.ending) {
        case (.buffered, .disconnectAfterBodyBytes): throw broken
        case (.buffered, _):
            guard reply.body.count <= context.limits.bodyBytes else {
                throw .responseTooLarge(SizeLimitFailure(limit: context.limits.bodyBytes))
            }
            return HTTPBody(reply.body)
        case (.streamed, .disconnectAfterBodyBytes(let count)):
            return stream(reply.body.prefix(count), length: reply.body.count, then: broken)
        case (.streamed, _): return stream(reply.body, length: reply.body.count, then: nil)
        }
    }

    private func stream(_ data: Data, length: Int, then error: HTTPError?) -> HTTPBody {
        let rest = Locked(data)
        return HTTPBody(length: Int64(length)) {
            let chunk = rest.withLock { rest in
                let chunk = rest.prefix(16 * 1024)
                rest = rest.dropFirst(chunk.count)
                return Data(chunk)
            }
            if chunk.isEmpty, let error { throw error }
            return chunk.isEmpty ? nil : chunk
        }
    }
}
