public import MartletHTTP
public import MartletWebSocketProtocol

/// An open WebSocket connection (RFC 6455), which `webSocket(_:protocols:options:)` of a client returns.
///
/// ```swift
/// let socket = try await client.webSocket(.get("chat"))
/// try await socket.send("hello")
/// for try await message in socket.messages { print(message) }
/// await socket.close()
/// ```
///
/// Messages are received ahead of the reader up to ``WebSocketOptions/maxQueuedMessages`` and ``WebSocketOptions/maxQueuedBytes``. After
/// that the server is slowed down. Pings are answered while messages are received. Releasing the last reference closes the connection with
/// ``WebSocketCloseCode/goingAway``.
///
/// Any number of tasks may send. Each message arrives whole, and those of one task arrive in its order.
public final class WebSocket: Sendable {
    /// The response to the handshake, with the status 101.
    public let response: HTTPResponse<Void>
    /// The subprotocol that the server has selected, or nil for none.
    public let subprotocol: String?
    let core: WebSocketCore

    init(_ core: WebSocketCore, response: HTTPResponse<Void>, subprotocol: String?) {
        self.core = core
        self.response = response
        self.subprotocol = subprotocol
        core.start()
    }

    deinit {
        core.fail(
            .cancelled(ErrorContext(request: response.metadata.request, stage: .body, detail: "the WebSocket was released")),
            closingWith: .goingAway)
    }

    /// Sends a message, and returns when the system has accepted its bytes or few enough wait for that.
    ///
    /// ```swift
    /// try await socket.send("a text")
    /// try await socket.send(.data(picture))
    /// ```
    ///
    /// It waits while the server does not read and more than ``WebSocketOptions/maxUnsentBytes`` are unsent. That it returns does not mean
    /// that the server has read the message.
    ///
    /// - Throws: ``WebSocketError/closed(_:)`` if the connection is closed, and ``WebSocketError/failed(_:)`` if it breaks. If the task is
    ///   cancelled while it waits, it throws at once, and the connection stays open. The detail of the error says whether the message may
    ///   have been sent.
    @concurrent public func send(_ message: WebSocketMessage) async throws(WebSocketError) { try await core.send(message) }

    /// The messages that the server sends, in order.
    ///
    /// The sequence ends when either side closes the connection with ``WebSocketCloseCode/normalClosure``, or the app has closed it.
    /// It throws ``WebSocketError/closed(_:)`` for another code, and ``WebSocketError/failed(_:)`` if the connection breaks. Messages that
    /// arrived before the end are returned first. Cancelling the task that reads closes the connection.
    ///
    /// Each message is returned once: let one task read.
    public var messages: WebSocketMessages { WebSocketMessages(socket: self) }

    /// Sends a ping, and returns the time until its pong arrived.
    ///
    /// - Throws: ``WebSocketError/closed(_:)`` and ``WebSocketError/failed(_:)`` if the connection ends before.
    @discardableResult
    @concurrent public func ping() async throws(WebSocketError) -> Duration { try await core.ping() }

    /// Closes the connection: sends a Close frame and waits for that of the server, at most for ``WebSocketOptions/closeTimeout``.
    ///
    /// The first call decides the code. Messages that have arrived can still be read, then ``messages`` ends. Of those that arrive while
    /// the connection is being closed, only as many are kept as fit ``WebSocketOptions/maxQueuedMessages``.
    ///
    /// - Parameters:
    ///   - code: Why. A code that must not be sent is left out. Default: the purpose of the connection is fulfilled.
    ///   - reason: A text for the server's developers. It is cut to 123 bytes.
    /// - Returns: How the connection ended: ``WebSocketError/closed(_:)``, or why it broke before the server's Close frame.
    @discardableResult
    @concurrent public func close(code: WebSocketCloseCode = .normalClosure, reason: String = "") async -> WebSocketError {
        await core.close(code, reason)
    }
}

/// The messages of a ``WebSocket``. See ``WebSocket/messages``.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A text or binary data.
    public typealias Element = WebSocketMessage
    /// The error of the connection.
    public typealias Failure = WebSocketError

    let socket: WebSocket

    /// The iterator over the messages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket

        /// Returns the next message, or nil after a normal end.
        public mutating func next() async throws(WebSocketError) -> WebSocketMessage? { try await socket.core.next() }

        /// Returns the next message, or nil after a normal end. If it has arrived, the actor of the caller is not left.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(WebSocketError) -> WebSocketMessage? {
            switch try socket.core.arrived() {
            case .message(let message): message
            case .end: nil
            case .nothing: try await socket.core.next()
            }
        }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }
}
