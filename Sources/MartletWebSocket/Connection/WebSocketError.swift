public import MartletEssentials
public import MartletHTTP
public import MartletWebSocketProtocol

/// How a WebSocket connection was closed (RFC 6455 §7.1.5).
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
    /// A side of the connection.
    @nonexhaustive public enum Side: String, Sendable, Hashable {
        /// The client, which is this process.
        case client
        /// The server, or a proxy in its place.
        case server
    }

    /// The code of the first Close frame, or ``WebSocketCloseCode/noStatusReceived`` if it had none.
    public let code: WebSocketCloseCode
    /// The reason in that frame, for developers. A server chose it, so do not show it to people.
    public let reason: String
    /// Who sent that frame. The client also closes a connection whose server violates the protocol.
    public let side: Side

    /// Creates a value, for example to compare it.
    public init(code: WebSocketCloseCode, reason: String = "", side: Side) {
        self.code = code
        self.reason = reason
        self.side = side
    }

    /// Who closed the connection, the code and the reason, in one line with secrets redacted.
    public var description: String {
        "closed by the \(side): \(code)" + (reason.isEmpty ? "" : ", “\(Redaction.line(reason, limit: 125))”")
    }
}

/// An error of an open WebSocket connection. It says who closed it and why.
///
/// Errors of the handshake are `HTTPError`s of `webSocket(_:protocols:options:)`.
@nonexhaustive public enum WebSocketError: Error, Sendable, Equatable {
    /// The connection is closed. Nothing more is sent or received.
    case closed(WebSocketClosure)
    /// The connection broke (`.networkError`), a pong or the closing handshake did not arrive in time (`.timeout`), or the task or the call
    /// was cancelled (`.cancelled`). What was sent last may not have arrived.
    case failed(HTTPError)
    /// A value could not be encoded, or a message could not be decoded. The connection stays open.
    case invalidMessage(HTTPError)

    /// The error of HTTP's layer, or nil for a closed connection.
    public var httpError: HTTPError? {
        switch self {
        case .closed: nil
        case .failed(let error), .invalidMessage(let error): error
        }
    }

    /// How the connection was closed, or nil for another error.
    public var closure: WebSocketClosure? { if case .closed(let closure) = self { closure } else { nil } }
}

extension WebSocketError: LocalizedError, CustomStringConvertible {
    /// A text for developers, with secrets redacted.
    public var description: String {
        switch self {
        case .closed(let closure): "The WebSocket was \(closure)"
        case .failed(let error), .invalidMessage(let error): "\(error)"
        }
    }

    /// A text for people.
    public var errorDescription: String? {
        switch self {
        case .closed: HTTPError.networkError(NetworkFailure(.connectionLost)).errorDescription
        case .failed(let error), .invalidMessage(let error): error.errorDescription
        }
    }
}
