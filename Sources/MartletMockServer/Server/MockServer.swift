public import MartletEssentials
internal import MartletSystem

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
/// or by what is asked for:
///
/// ```swift
/// server.on(.get("/users/{id}")) { _, path in .json(#"{"id": \#(path["id"] ?? "0")}"#) }
/// server.on(.post("/users").json(["name": "Ada"]), .status(503), .status(201))  // in this order; the last one stays
/// server.faults = .oneIn(3, .reset, seed: 42)
/// ```
///
/// Replies that were enqueued come first, in their order, whatever the connection; then routes, the latest that fits; then the
/// handler, if there is one; then a 500 whose body says what routes there are and how the request differs from each. Requests on one connection are answered one after the other, also when they are
/// pipelined. A client that ends its side of the connection while it waits is taken for gone.
///
/// Each server has a thread and a port of its own and shares nothing with others: hundreds can run at once. It serves until
/// ``stop()`` or until the last reference is let go of.
public final class MockServer: Sendable {
    /// What a server may be told when it is started.
    public struct Options: Sendable {
        /// Which loopback address the server is on. Default: 127.0.0.1.
        public var address = Address.ipv4
        /// What waits, for replies that are delayed, and tells when requests came. Default: the system's.
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
        /// The certificate with which the server speaks TLS; nil for none, which is the default.
        public var tls: TLS?

        /// The defaults.
        public init() {}
    }

    /// Where the server is: `http://127.0.0.1:PORT/` or `http://[::1]:PORT/`; `https` with ``Options/tls``.
    public let url: URL
    /// The port.
    public let port: Int

    let control: ServerControl

    /// Starts a server that answers with what is enqueued and routed.
    ///
    /// Throws `.networkError(.other)` when the process may not have another socket or thread; with ``Options/tls``,
    /// `.engineUnavailable` where there is no OpenSSL and `.invalidSSLCertificate` when certificate and key can't be used.
    public static func start(options: Options = .init()) async throws(HTTPError) -> MockServer {
        try MockServer(options: options, handler: nil)
    }

    /// Starts a server that answers with what `handler` makes of each request.
    ///
    /// The handler runs in a task that is cancelled when the client goes or the server stops. What it throws becomes a 500 with the
    /// error's words. Throws what ``start(options:)`` throws.
    public static func start(
        options: Options = .init(), _ handler: @escaping @Sendable (RecordedRequest) async throws -> MockReply
    ) async throws(HTTPError) -> MockServer {
        try MockServer(options: options, handler: handler)
    }

    private init(options: Options, handler: (@Sendable (RecordedRequest) async throws -> MockReply)?) throws(HTTPError) {
        let tls = if let settings = options.tls { try TLSContext(settings) } else { nil as TLSContext? }
        let listener: StreamSocket
        do throws(SystemFailure) {
            listener = try .listener(on: options.address, sendBufferBytes: options.sendBufferBytes)
        } catch { throw HTTPError(serverCannot: error) }
        port = listener.port
        let text = "\(tls == nil ? "http" : "https")://\(options.address.host):\(port)/"
        guard let url = URL(string: text) else {
            listener.shut()
            throw .invalidURL(Explanation(text))
        }
        self.url = url
        do throws(HTTPError) {
            let control = try ServerControl(options: options, handler: handler)
            do throws(SystemFailure) {
                try BackgroundThread.start(name: "martlet.server") { ServerLoop(listener: listener, tls: tls, control: control).run() }
            } catch { throw HTTPError(serverCannot: error) }
            self.control = control
        } catch {
            listener.shut()
            throw error
        }
    }

    deinit { control.mailbox.stop() }

    /// The requests that were received whole, in the order in which they were answered.
    public var requests: [RecordedRequest] { control.requests.values }

    /// The first `count` requests, as soon as so many have been received.
    ///
    /// Throws `CancellationError` when the task is cancelled before. A server that was stopped gets no more: only cancelling ends the
    /// wait then; ``waitForRequests(_:matching:timeout:)`` has a timeout.
    @discardableResult
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
        control.mailbox.stop()
        await control.waitUntilStopped()
    }
}
