#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A real HTTP/1.1 server on a free port of 127.0.0.1, or of ::1, scripted by a test.
///
/// ```swift
/// let server = try await MockServer.start()
/// server.enqueue(.json(#"{"id":1}"#), .status(503), .disconnect)
/// let user = try await HTTPClient(baseURL: server.url).send(GetUser(id: 1))
/// #expect(server.requests.map(\.path) == ["/users/1"])
/// await server.stop()
/// ```
///
/// Replies that were enqueued come first, in their order, whatever the connection; then the handler, if there is one; then a 500
/// that says that nothing was scripted. Requests on one connection are answered one after the other, also when they are
/// pipelined. A client that ends its side of the connection while it waits is taken for gone.
///
/// Each server has a thread and a port of its own and shares nothing with others: hundreds can run at once. It serves until
/// ``stop()`` or until the last reference is let go of.
public final class MockServer: Sendable {
    /// What a server may be told when it is started.
    public struct Options: Sendable {
        /// Which loopback address the server is on. Default: 127.0.0.1.
        public var address = Address.ipv4
        /// What waits, for replies that are delayed. Default: the system's.
        public var time: any TimeSource = .system
        /// How many bytes a request's head may have; past it the answer is 431, or 414 for the request line. Default: 64 KiB.
        public var headBytes = 64 * 1024
        /// How many bytes a request's body may have; past it the answer is 413. Default: 100 MB (100,000,000).
        public var bodyBytes = 100_000_000
        /// The kernel's send buffer for each connection (`SO_SNDBUF`); nil leaves it to the kernel. A small one shows sooner that a
        /// client does not read.
        public var sendBufferBytes: Int?
        /// Whether requests are kept in ``MockServer/requests``. Default: true; a benchmark that sends millions says no.
        public var keepsRequests = true

        /// The defaults.
        public init() {}
    }

    /// Where the server is: `http://127.0.0.1:PORT/` or `http://[::1]:PORT/`.
    public let url: URL
    /// The port.
    public let port: Int

    private let control: ServerControl

    /// Starts a server that answers with what is enqueued.
    ///
    /// Throws `.networkError(.other)` when the process may not have another socket or thread.
    public static func start(options: Options = .init()) async throws(HTTPError) -> MockServer {
        try MockServer(options: options, handler: nil)
    }

    /// Starts a server that answers with what `handler` makes of each request.
    ///
    /// The handler runs in a task that is cancelled when the client goes or the server stops. What it throws becomes a 500 with the
    /// error's words. Throws `.networkError(.other)` when the process may not have another socket or thread.
    public static func start(
        options: Options = .init(), _ handler: @escaping @Sendable (RecordedRequest) async throws -> MockReply
    ) async throws(HTTPError) -> MockServer {
        try MockServer(options: options, handler: handler)
    }

    private init(options: Options, handler: (@Sendable (RecordedRequest) async throws -> MockReply)?) throws(HTTPError) {
        let (listener, port) = try Socket.listener(on: options.address, sendBufferBytes: options.sendBufferBytes)
        let text = "http://\(options.address.host):\(port)/"
        guard let url = URL(string: text) else {
            listener.shut()
            throw .invalidURL(Explanation(text))
        }
        self.url = url
        self.port = Int(port)
        do throws(HTTPError) {
            let control = try ServerControl(options: options, handler: handler)
            try BackgroundThread.start { ServerLoop(listener: listener, control: control).run() }
            self.control = control
        } catch {
            listener.shut()
            throw error
        }
    }

    deinit { control.requestStop() }

    /// Adds replies behind those that are left.
    public func enqueue(_ replies: MockReply...) { control.enqueue(replies) }

    /// Adds replies behind those that are left.
    public func enqueue(_ replies: [MockReply]) { control.enqueue(replies) }

    /// The requests that were received whole, in the order in which they were answered.
    public var requests: [RecordedRequest] { control.requests.values }

    /// The first `count` requests, as soon as so many have been received.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [RecordedRequest] {
        try await control.requests.first(count)
    }

    /// How many connections were accepted so far.
    public var connectionCount: Int { control.accepted.count }

    /// How many connections are open now.
    public var openConnectionCount: Int { control.open.count }

    /// Waits until `count` connections, or fewer, are open: by a client that was cancelled, for example.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func waitForOpenConnections(atMost count: Int = 0) async throws(CancellationError) {
        try await control.open.wait { $0 <= count }
    }

    /// How many bytes the kernel has taken for clients so far, heads and framing included: a client that does not read stops it.
    public var bytesWritten: Int { control.written.count }

    /// Waits until that many bytes have been written.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func waitForBytesWritten(_ count: Int) async throws(CancellationError) { try await control.written.wait { $0 >= count } }

    /// Closes the port and every connection and returns when the server's thread and tasks have ended. May be called again.
    ///
    /// Don't call it from the handler, whose task it waits for.
    public func stop() async {
        control.requestStop()
        await control.waitUntilStopped()
    }
}
