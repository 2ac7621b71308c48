public import MartletEssentials
internal import MartletSystem

/// An HTTP/1.1 server on a free loopback port (127.0.0.1 or ::1), scripted by a test.
///
/// ```swift
/// let server = try await MockServer.start()
/// server.enqueue(.json(#"{"id":1}"#), .status(503), .disconnect)
/// let user = try await HTTPClient(baseURL: server.url).send(GetUser(id: 1))
/// #expect(server.requests.map(\.path) == ["/users/1"])
/// await server.stop()
/// ```
///
/// or depending on the request:
///
/// ```swift
/// server.on(.get("/users/{id}")) { _, path in .json(#"{"id": \#(path["id"] ?? "0")}"#) }
/// server.on(.post("/users").json(["name": "Ada"]), .status(503), .status(201))  // in this order; the last one is repeated
/// server.faults = .oneIn(3, .reset, seed: 42)
/// ```
///
/// Enqueued replies are used first, in order and on any connection. Then the latest matching route replies, then the handler, if there is
/// one. Otherwise, the response is a 500 whose body lists the routes and how the request differs from each. Requests on one connection are
/// handled in sequence, also pipelined ones. If a client ends its side of the connection while it waits, the connection is closed.
///
/// Each server has its own thread and port and shares nothing with others: hundreds can run concurrently. It runs until ``stop()`` is
/// called or the last reference to it is released.
public final class MockServer: Sendable {
    /// The options with which a server is started.
    public struct Options: Sendable {
        /// Whether the server listens on ::1 instead of 127.0.0.1. Default: false. Starting the server throws `.networkError(.other)` on a
        /// machine without that address.
        public var usesIPv6 = false
        /// The time source for delayed replies and for the arrival times of requests. Default: the system's.
        public var time: any TimeSource = .system
        /// The maximum size of a request's head in bytes. A larger head gets a 431, a longer request line a 414. Default: 64 KiB.
        public var headBytes = 64 * 1024
        /// The maximum size of a request's body in bytes. A larger body gets a 413. Default: 100 MB (100,000,000).
        public var bodyBytes = 100_000_000
        /// The size in bytes of the kernel's send buffer for each connection (`SO_SNDBUF`), or nil to let the kernel decide. With a small
        /// buffer, a client that does not read stops the server sooner. Default: nil.
        public var sendBufferBytes: Int?
        /// Whether requests are recorded in ``MockServer/requests``. Default: true. Set it to false for benchmarks with many requests.
        public var keepsRequests = true
        /// The certificate and key for TLS, or nil for a server without TLS. Default: nil.
        public var tls: TLS?
        /// The limits of connections, or nil for none. For servers that outlive a test, such as that of the inspector.
        package var limits: ConnectionLimits?

        /// Creates options with the default values.
        public init() {}
    }

    /// The URL of the server, such as `http://127.0.0.1:PORT/`. It is `http://[::1]:PORT/` for an IPv6 address, and `https` with
    /// ``Options/tls``.
    public let url: URL
    /// The port that the server listens on.
    public let port: Int

    let control: ServerControl

    /// Starts a server on a free port, which responds with enqueued replies and with routes that are added later.
    ///
    /// - Throws: `.networkError(.other)` if the process can't have another socket or thread. With ``Options/tls``, `.engineUnavailable` if
    ///   OpenSSL is missing, and `.invalidSSLCertificate` if the certificate or key can't be used.
    public static func start(options: Options = .init()) async throws(HTTPError) -> MockServer {
        try MockServer(options: options, handler: nil)
    }

    /// Starts a server on a free port, which responds with the reply that `handler` returns unless an enqueued reply or a route applies.
    ///
    /// The handler runs in a task that is cancelled when the client disconnects or the server stops. If it throws an error, the response is
    /// a 500 with the error's description. Throws the errors of ``start(options:)``.
    public static func start(
        options: Options = .init(), _ handler: @escaping @Sendable (RecordedRequest) async throws -> MockReply
    ) async throws(HTTPError) -> MockServer {
        try MockServer(options: options, handler: handler)
    }

    private init(options: Options, handler: (@Sendable (RecordedRequest) async throws -> MockReply)?) throws(HTTPError) {
        let tls = if let settings = options.tls { try TLSContext(settings) } else { nil as TLSContext? }
        let listener: StreamSocket
        do throws(SystemFailure) {
            listener = try .listener(usesIPv6: options.usesIPv6, sendBufferBytes: options.sendBufferBytes)
        } catch { throw HTTPError(serverCannot: error) }
        port = listener.port
        let text = "\(tls == nil ? "http" : "https")://\(options.usesIPv6 ? "[::1]" : "127.0.0.1"):\(port)/"
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

    /// The requests that the server has received so far, in the order in which they were complete. A request that gets a reply before its
    /// body (``MockReply/beforeBody()``) is recorded without the body. Empty if ``Options/keepsRequests`` is false.
    public var requests: [RecordedRequest] { control.requests.values }

    /// Waits until `count` requests have been recorded, without a time limit, and returns the first `count`.
    ///
    /// After the server was stopped, the wait ends only with the cancellation of the task. ``waitForRequests(_:matching:timeout:)`` has a
    /// timeout.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [RecordedRequest] {
        try await control.requests.first(count)
    }

    /// The number of connections accepted so far.
    public var connectionCount: Int { control.accepted.count }

    /// The number of connections that are open now.
    public var openConnectionCount: Int { control.open.count }

    /// Waits until at most `count` connections are open, for example after a client was cancelled.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForOpenConnections(atMost count: Int = 0) async throws(CancellationError) {
        try await control.open.wait { $0 <= count }
    }

    /// The number of bytes written to clients so far, including heads and framing. It stops growing while a client does not read.
    public var bytesWritten: Int { control.written.count }

    /// Waits until at least `count` bytes have been written.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForBytesWritten(_ count: Int) async throws(CancellationError) { try await control.written.wait { $0 >= count } }

    /// Closes the port and all connections, and returns when the server's thread and tasks have ended. It can be called repeatedly.
    ///
    /// Don't call it in the handler: it would wait for its own task.
    public func stop() async {
        control.mailbox.stop()
        await control.waitUntilStopped()
    }

    // MARK: Routing

    /// Appends replies to the queue, of which each request gets the next one; they are used before routes and the handler.
    public func enqueue(_ replies: MockReply...) { control.script.enqueue(replies) }

    /// Appends replies in an array to the queue, of which each request gets the next one; they are used before routes and the handler.
    public func enqueue(_ replies: [MockReply]) { control.script.enqueue(replies) }

    /// Adds a route that replies to matching requests with these replies in order, and then repeats the last one. If several routes match,
    /// the latest applies.
    ///
    /// ```swift
    /// server.on(.get("/users/{id}"), .status(503), .json(#"{"id": 1}"#))
    /// server.on(.get("/feed"), faults: .first(2, .drop(atByte: 10)), .json(feed))
    /// ```
    ///
    /// `faults` are the route's own and replace ``faults``. A reply with ``MockReply/beforeBody()`` is chosen by the request head alone:
    /// the latest route that matches the request without its body decides. A route that compares the body is ignored for this decision.
    public func on(_ matcher: RequestMatcher, faults: FaultScript? = nil, _ reply: MockReply, _ more: MockReply...) {
        control.script.add(matcher, [reply] + more, faults: faults)
    }

    /// Adds a route that replies to matching requests with the reply of a closure. Its second argument has the values of the `{names}` in
    /// the matcher's path.
    ///
    /// ```swift
    /// server.on(.get("/users/{id}")) { request, path in .json(#"{"id": \#(path["id"] ?? "0")}"#) }
    /// ```
    ///
    /// The closure runs like the handler of ``start(options:_:)``. `faults` are the route's own and replace ``faults``.
    public func on(
        _ matcher: RequestMatcher, faults: FaultScript? = nil,
        answer: @escaping @Sendable (RecordedRequest, [String: String]) async throws -> MockReply
    ) {
        control.script.add(matcher, faults: faults, answer)
    }

    /// The script that decides which of the server's replies have faults, counted in the order in which the replies begin. Default:
    /// ``FaultScript/never``.
    ///
    /// Setting it starts the script from the beginning. It does not affect routes with faults of their own or the server's own errors.
    public var faults: FaultScript {
        get { control.script.faults }
        set { control.script.faults = newValue }
    }

    /// Throws if enqueued replies, routes or replies of routes were not used by any request, and names them.
    public func verify() throws(UnusedStubsError) { try UnusedStubsError.check(control.script.unused) }

    /// The requests that got a 500 because no reply was scripted for them, in order. Usually empty in a correct test.
    public var unexpectedRequests: [RecordedRequest] { control.unexpected.values }
}
