public import Foundation
public import Martlet

/// A real HTTP/1.1 server on a free port of this machine, scripted by a test.
///
/// ```swift
/// let server = try await MockServer.start()
/// server.enqueue(.json(#"{"id":1}"#), .status(503), .disconnect)
/// let client = HTTPClient(baseURL: server.url)
/// …
/// #expect(server.requests.map(\.path) == ["/users/1", "/users/2", "/pay"])
/// await server.stop()
/// ```
///
/// It listens on 127.0.0.1 alone. Replies that were enqueued come first, in order, over all connections; then the handler is asked;
/// with neither, the answer is a 500 that says so. Each server has its own port and thread: any number may run at once. It stops when
/// it is let go of; ``stop()`` waits for that.
public final class MockServer: Sendable {
    private let loop: ServerLoop

    /// The server's address: `http://127.0.0.1:PORT/`.
    public let url: URL

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - headLimit: how large the head of a request may be, in bytes; past it the answer is 431. Default: 64 KiB.
    ///   - bodyLimit: how large the body of a request may be, in bytes; past it the answer is 413. Default: 100 MB.
    ///   - time: what delays wait on. Default: the system's.
    ///   - handler: answers what was not enqueued. What it throws becomes a 500 with its words.
    /// - Throws: ``MockServerError`` when no socket can be had.
    public static func start(
        headLimit: Int = 64 * 1024, bodyLimit: Int = 100_000_000, time: any TimeSource = .system,
        handler: (@Sendable (RecordedRequest) async throws -> MockReply)? = nil
    ) async throws -> MockServer {
        try MockServer(ServerScript(handler: handler, time: time), RequestParser.Limits(headBytes: headLimit, bodyBytes: bodyLimit))
    }

    private init(_ script: ServerScript, _ limits: RequestParser.Limits) throws {
        let (listener, port) = try Sockets.listen()
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw MockServerError("port \(port) makes no URL") }
        self.url = url
        loop = try ServerLoop(script: script, listener: listener, limits: limits)
        loop.start()
    }

    deinit { loop.post(.stop) }

    /// Adds replies to those that are left.
    public func enqueue(_ replies: MockReply...) { loop.script.enqueue(replies) }

    /// What was received, in order.
    public var requests: [RecordedRequest] { loop.script.requests.values }

    /// Waits until `count` requests have been received, and gives those that have. Throws `CancellationError` when the task is
    /// cancelled.
    @discardableResult
    public func waitForRequests(_ count: Int) async throws(CancellationError) -> [RecordedRequest] {
        try await loop.script.requests.wait(forCount: count)
    }

    /// How many connections were made.
    public var connectionCount: Int { loop.counts.withLock { $0.connections } }

    /// How many bytes the clients' side has taken, heads included: what proves backpressure.
    public var bytesWritten: Int { loop.counts.withLock { $0.bytesWritten } }

    /// Closes every connection and the port, and returns when that is done, or at once when the task is cancelled.
    public func stop() async {
        loop.post(.stop)
        _ = try? await loop.ended.wait(forCount: 1)
    }
}
