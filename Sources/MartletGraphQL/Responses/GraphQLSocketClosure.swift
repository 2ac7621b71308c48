public import MartletWebSocketProtocol

/// The end of a connection of GraphQL over WebSocket by the server, with the code and reason of its Close frame.
///
/// ```swift
/// do { for try await result in graphQL.subscribe(ReviewAdded()) { show(result) } } catch {
///     if case .closed(let closure) = error, closure.code == 4403 { showSignIn() } else { show(error.localizedDescription) }
/// }
/// ```
public struct GraphQLSocketClosure: Sendable {
    /// The code of the Close frame. The protocols of GraphQL define those from 4400 to 4500.
    public let code: WebSocketCloseCode
    /// The reason in the Close frame, written for developers. It may be empty.
    public let reason: String
    /// Whether the server had accepted the connection before, with `connection_ack`.
    public let wasAcknowledged: Bool
    /// The response to the handshake.
    private(set) var response: HTTPResponse<Void>?

    /// Creates a closure, for example for a stub.
    public init(code: WebSocketCloseCode, reason: String = "", wasAcknowledged: Bool = true) {
        self.init(code: code, reason: reason, wasAcknowledged: wasAcknowledged, response: nil)
    }

    init(code: WebSocketCloseCode, reason: String, wasAcknowledged: Bool, response: HTTPResponse<Void>?) {
        self.code = code
        self.reason = reason
        self.wasAcknowledged = wasAcknowledged
        self.response = response
    }

    /// What a closure means for the subscriptions on its connection.
    enum Meaning: Sendable, Hashable {
        /// Another connection may succeed.
        case lost
        /// The server rejects the credential: another connection may succeed with a new one.
        case rejected
        /// Another connection would be closed in the same way.
        case refused
    }

    var meaning: Meaning {
        switch code {
        case 4401: .rejected
        // In place of connection_ack: 4403 is the specification's code for a connection_init that the server does not accept, such as one
        // with an expired token. Servers use the others too.
        case 4403 where !wasAcknowledged, .normalClosure where !wasAcknowledged, .policyViolation where !wasAcknowledged: .rejected
        case 4403: .refused
        // Bad request, internal error, no common subprotocol, an ID or connection_init sent twice.
        case 4400, 4406, 4409, 4429, 4500: .refused
        // A violation by this client, or a message or policy that the server does not accept (RFC 6455 §7.4.1).
        case .protocolError, .unsupportedData, .invalidPayload, .policyViolation, .messageTooBig, .mandatoryExtension: .refused
        // The server or a proxy before it restarts, is overloaded or has no time. Other codes are the application's own.
        default: .lost
        }
    }

    /// What the protocols say about the code, or nil for a code that they do not define.
    var explanation: String? {
        switch code {
        case 4400: "the server regards a message of this client as invalid"
        case 4401: "unauthorized"
        case 4403: "forbidden"
        case 4406: "the server does not accept the subprotocol"
        case 4408: "connection_init did not arrive in time"
        case 4409: "the ID of an operation is already in use"
        case 4429: "connection_init arrived more than once"
        case 4500: "internal server error"
        default: nil
        }
    }
}

extension GraphQLSocketClosure: Hashable {
    /// Returns whether code, reason and phase are equal, whatever the handshake.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.reason == right.reason && left.wasAcknowledged == right.wasAcknowledged
    }

    /// Hashes the code, the reason and the phase.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(reason)
        hasher.combine(wasAcknowledged)
    }
}

extension GraphQLSocketClosure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The code, its meaning and the reason in one line for developers. Secrets are redacted.
    public var description: String {
        let place = wasAcknowledged ? nil : "in place of connection_ack"
        let words = [explanation, place, reason.isEmpty ? nil : "“\(reason)”"].compactMap(\.self).joined(separator: ", ")
        return Redaction.line("\(code.rawValue)" + (words.isEmpty ? "" : ": \(words)"))
    }
}
