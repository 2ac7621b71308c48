internal import MartletEssentials
public import MartletWebSocket

/// An open WebSocket in memory whose server plays a script, for tests of code that is given a `WebSocket`.
///
/// ```swift
/// let mock = try await WebSocketMock(.expect("hello"), .send("welcome"))
/// try await mock.socket.send("hello")  // the code under test
/// #expect(try await mock.server.waitForMessages() == ["hello"])
///
/// mock.server.play(.send("news"), .drop())
/// #expect(try await mock.server.waitForEnd() == .abnormalClosure)
/// #expect(mock.server.failures.isEmpty)
/// ```
///
/// The socket is a real one: frames, pings, closing and backpressure work as over a network. Code that opens its connections itself gets
/// the same from an ``HTTPClientMock`` or a ``MockTransport``, with `.webSocket(…)` as the stub or reply.
public struct WebSocketMock: Sendable {
    /// The app's side. Releasing the last reference closes the connection.
    public let socket: WebSocket
    /// The server's side: what the app has sent, and a way to continue the script, for example with `.send` and `.drop()`.
    public let server: ServerWebSocket

    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - steps: The script of the server.
    ///   - protocols: The subprotocols that the app offers, of which the server selects the first. Default: none.
    ///   - options: The options of the app's side.
    ///   - time: The clock of both sides: for the delays of the script, and for keep-alive and closing. Default: the system's.
    /// - Throws: `.invalidRequest` for an invalid subprotocol.
    public init(
        _ steps: WebSocketStep..., protocols: [String] = [], options: WebSocketOptions = WebSocketOptions(),
        time: any TimeSource = .system
    ) async throws(HTTPError) {
        let transport = MockTransport(.webSocket(steps, compression: options.compression), time: time)
        let client = HTTPClient(baseURL: URL(string: "http://mock.invalid/"), transport: transport, time: time)
        socket = try await client.webSocket(.get(""), protocols: protocols, options: options)
        server = transport.webSockets[0]
    }
}
