package import MartletEssentials
internal import MartletSystem

/// What a caller wants to do with the connection of a request whose response is 101 (RFC 9110 §7.8).
///
/// It accompanies the request in `context.upgrade`. A transport that receives 101 puts the connection here and returns the response without
/// a body. All other responses are returned as usual.
package final class ConnectionUpgrade: Sendable {
    private struct State {
        var connection: UpgradedConnection?
        /// Whether the caller has taken the connection, or waits for none.
        var isOver = false
    }

    private let state = Locked(State())
    private let addFields: @Sendable (inout HTTPRequest) -> Void

    /// The maximum size of a message, for a transport that speaks WebSocket itself.
    package let maxMessageBytes: Int
    /// The fields of the handshake that may hold secrets, which are not for a target that another origin has chosen.
    package let confinedFields: Set<HTTPFieldName>

    /// - Parameters:
    ///   - maxMessageBytes: The maximum size of a message. Default: no limit.
    ///   - confinedFields: The fields of the handshake that may hold secrets. Default: none.
    ///   - addFields: Adds the fields of the handshake to the request of an attempt, such as a nonce of its own.
    package init(
        maxMessageBytes: Int = .max, confinedFields: Set<HTTPFieldName> = [],
        addFields: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }
    ) {
        self.maxMessageBytes = maxMessageBytes
        self.confinedFields = confinedFields
        self.addFields = addFields
    }

    /// Adds the fields of the handshake. The client calls it for each attempt, after the interceptors.
    package func prepare(_ request: inout HTTPRequest) { addFields(&request) }

    /// Gives the connection to the caller. A connection that an earlier attempt put here is closed, and so is one that comes too late.
    package func complete(with new: UpgradedConnection) {
        let useless = state.withLock { state in
            if state.isOver { return new as UpgradedConnection? }
            return exchange(&state.connection, with: new)
        }
        useless?.close()
    }

    /// Removes and returns the connection; nil if the transport has not put one here. One that comes later is closed.
    package func take() -> UpgradedConnection? {
        state.withLock { state in
            state.isOver = true
            return state.connection.take()
        }
    }

    deinit { state.withLock { $0.connection }?.close() }
}

/// A connection that no longer belongs to its transport.
package enum UpgradedConnection: Sendable {
    /// The caller reads and writes the bytes of the new protocol.
    case bytes(any ByteConnection)
    /// The transport speaks WebSocket itself.
    case messages(any MessageConnection)

    package func close() {
        switch self {
        case .bytes(let connection): connection.close()
        case .messages(let connection): connection.close()
        }
    }
}

/// A connection as bytes. One task at a time may read, and one may write.
package protocol ByteConnection: AnyObject, Sendable {
    /// Waits until bytes have arrived and returns them, or nil at the end of the connection. Bytes are received only as fast as this is
    /// called.
    func read() async throws(HTTPError) -> Data?

    /// Sends all bytes after those of earlier writes. Returns true if the system has accepted them. Otherwise it calls `then` once when the
    /// system has, or with the error.
    func write(_ bytes: Data, then: @escaping @Sendable (HTTPError?) -> Void) -> Bool

    #if os(Linux)
    /// Runs tasks on the thread that receives the bytes, which saves a switch of threads; nil for none. They must not compute for long.
    var executor: (any TaskExecutor)? { get }
    #endif

    /// Closes the connection. A read or write that waits throws `.cancelled`.
    func close()
}

#if os(Linux)
extension ByteConnection {
    package var executor: (any TaskExecutor)? { nil }
}
#endif

/// A connection of WebSocket as messages. One task at a time may receive.
package protocol MessageConnection: AnyObject, Sendable {
    /// The subprotocol that the server has selected, or nil for none.
    var selectedProtocol: String? { get }

    /// Waits for a message, or the end of the connection.
    func receive() async throws(HTTPError) -> MessageConnectionEvent

    func send(_ message: MessageConnectionEvent.Message) async throws(HTTPError)

    /// Sends a ping and waits for its pong.
    func ping() async throws(HTTPError)

    /// Sends a Close frame.
    func sendClose(code: UInt16, reason: Data)

    /// Closes the connection without a closing handshake.
    func close()
}

/// What has arrived on a ``MessageConnection``.
package enum MessageConnectionEvent: Sendable, Equatable {
    package enum Message: Sendable, Equatable {
        case text(String)
        case data(Data)
    }

    case message(Message)
    /// A Close frame, with its code or nil for none, or the end of the connection without one (1006).
    case closed(code: UInt16?, reason: Data)
}
