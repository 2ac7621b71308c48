/// The status code of a Close frame (RFC 6455 §7.4).
///
/// ```swift
/// await socket.close(code: .goingAway)
/// await socket.close(code: 4001, reason: "signed out")
/// ```
///
/// Codes from 3000 to 3999 are for libraries and frameworks that register them. Those from 4000 to 4999 are for applications.
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The code as a number.
    public let rawValue: UInt16

    /// Creates a code from a number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a code from a number.
    public init(integerLiteral value: UInt16) { rawValue = value }

    /// The purpose of the connection is fulfilled.
    public static let normalClosure: WebSocketCloseCode = 1000
    /// The server shuts down, or the client leaves.
    public static let goingAway: WebSocketCloseCode = 1001
    /// A peer violated the protocol.
    public static let protocolError: WebSocketCloseCode = 1002
    /// A peer received a type of message that it cannot accept, such as binary data.
    public static let unsupportedData: WebSocketCloseCode = 1003
    /// The Close frame had no code. Never sent.
    public static let noStatusReceived: WebSocketCloseCode = 1005
    /// The connection ended without a Close frame. Never sent.
    public static let abnormalClosure: WebSocketCloseCode = 1006
    /// A peer received a message whose content does not match its type, such as a text that is not UTF-8.
    public static let invalidPayload: WebSocketCloseCode = 1007
    /// A message violated a policy of the peer that received it.
    public static let policyViolation: WebSocketCloseCode = 1008
    /// A message was too large.
    public static let messageTooBig: WebSocketCloseCode = 1009
    /// The client requires an extension that the server did not accept.
    public static let mandatoryExtension: WebSocketCloseCode = 1010
    /// The server encountered an unexpected condition.
    public static let internalError: WebSocketCloseCode = 1011
    /// The server restarts. A client may reconnect after a delay.
    public static let serviceRestart: WebSocketCloseCode = 1012
    /// The server is overloaded. A client may reconnect later.
    public static let tryAgainLater: WebSocketCloseCode = 1013
    /// A gateway received an invalid response from the server behind it.
    public static let badGateway: WebSocketCloseCode = 1014
    /// The TLS handshake failed. Never sent.
    public static let tlsHandshake: WebSocketCloseCode = 1015

    /// Whether a Close frame may contain the code: it is registered for that purpose, or from 3000 to 4999 (RFC 6455 §7.4.2).
    public var maySend: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The number, with a registered code's meaning.
    public var description: String {
        let names: [UInt16: String] = [
            1000: "normal closure", 1001: "going away", 1002: "protocol error", 1003: "unsupported data", 1005: "no status received",
            1006: "abnormal closure", 1007: "invalid payload", 1008: "policy violation", 1009: "message too big",
            1010: "mandatory extension", 1011: "internal error", 1012: "service restart", 1013: "try again later", 1014: "bad gateway",
            1015: "TLS handshake",
        ]
        return names[rawValue].map { "\(rawValue) (\($0))" } ?? "\(rawValue)"
    }
}
