internal import MartletEssentials

/// A protocol of GraphQL over WebSocket. Its raw value is the name under which it is negotiated (`Sec-WebSocket-Protocol`).
///
/// The package graphql-ws speaks ``graphQLTransportWS``. The name `graphql-ws` belongs to the older ``graphQLWS``.
public enum GraphQLSocketProtocol: String, Sendable, Hashable, CaseIterable {
    /// `graphql-transport-ws`, the current protocol, which the packages graphql-ws, Apollo Server, ariadne, strawberry and others speak.
    ///
    /// <https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>
    case graphQLTransportWS = "graphql-transport-ws"
    /// `graphql-ws`, the older protocol of the package subscriptions-transport-ws, which some servers still have alone.
    ///
    /// <https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md>
    case graphQLWS = "graphql-ws"

    /// The type of the message that starts an operation.
    var startType: String { self == .graphQLTransportWS ? "subscribe" : "start" }

    /// The type of the message that ends an operation of the client.
    var stopType: String { self == .graphQLTransportWS ? "complete" : "stop" }

    /// Returns what a server's message of this type means, or nil if the protocol has no such message.
    func kind(of type: String) -> GraphQLSocketMessage.Kind? {
        switch (self, type) {
        case (_, "connection_ack"): .acknowledgement
        case (_, "error"): .errors
        case (_, "complete"): .complete
        case (.graphQLTransportWS, "next"), (.graphQLWS, "data"): .next
        case (.graphQLTransportWS, "ping"): .ping
        case (.graphQLTransportWS, "pong"), (.graphQLWS, "ka"): .pong
        case (.graphQLWS, "connection_error"): .refusal
        default: nil
        }
    }
}

/// A server's message as read from its text, before its order is checked.
struct GraphQLSocketMessage: Sendable {
    enum Kind: Sendable, Hashable {
        case acknowledgement, next, errors, complete, ping
        /// A sign of life that needs no reply.
        case pong
        /// The server rejects the connection.
        case refusal

        /// Whether the message belongs to an operation.
        var needsID: Bool { self == .next || self == .errors || self == .complete }
    }

    let kind: Kind
    /// The ID of the operation, which every message of an operation has.
    let id: String?
    /// The payload as it stands in the text, or nil without one.
    let payload: Data?
    private let node: JSONNode?

    /// Reads a message. Throws a text for developers, without parts of the message, if the protocol has no such message.
    init(_ text: String, _ socketProtocol: GraphQLSocketProtocol) throws(GraphQLSocketViolation) {
        let json = Data(text.utf8)
        let root: JSONNode
        do throws(JSONSyntaxError) { root = try JSONNode(parsing: json) } catch {
            throw GraphQLSocketViolation("a message is not JSON")
        }
        guard root.kind == .object else { throw GraphQLSocketViolation("a message is not an object") }
        var type: String?, id: JSONNode?, payload: JSONNode?
        for (name, value) in root.members {
            switch name {
            case "type": type = value.text
            case "id": id = value
            case "payload": payload = value.kind == .null ? nil : value
            default: break
            }
        }
        guard let type else { throw GraphQLSocketViolation("a message has no type") }
        guard let kind = socketProtocol.kind(of: type) else { throw GraphQLSocketViolation("a message has an unknown type") }
        self.kind = kind
        self.id = kind.needsID ? id?.text : nil
        if kind.needsID, self.id?.isEmpty ?? true { throw GraphQLSocketViolation("a message of an operation has no ID") }
        if kind == .next, payload?.kind != .object { throw GraphQLSocketViolation("a result is not an object") }
        node = payload
        self.payload = payload.map { json.subdata(in: $0.range) }
    }

    /// The errors in the payload: a list, one error, or an object with a list. It is never empty.
    var errors: [GraphQLResponseError] {
        let found: [JSONNode]
        switch node?.kind {
        case .array: found = node?.elements ?? []
        case .object:
            let list = node?.members.last { $0.name == "errors" && $0.value.kind == .array }
            found = list?.value.elements ?? node.map { [$0] } ?? []
        default: found = []
        }
        let errors = found.prefix(ErrorList.limit).compactMap { try? GraphQLResponseError($0.value) }
        if !errors.isEmpty { return errors }
        // Each server has its own form of a reason.
        let rest = found.isEmpty ? nil : payload.map { Redaction.line(String(decoding: $0, as: UTF8.self), limit: 200) }
        return [GraphQLResponseError(message: node?.text ?? rest ?? "the server sent an error without a message")]
    }
}

/// A text that the protocol does not allow, or not at this point. The connection is closed.
struct GraphQLSocketViolation: Error, Hashable {
    /// The close code that both sides use for a message that the protocol does not specify.
    static let closeCode: UInt16 = 4400

    /// The reason for developers and for the Close frame, without parts of the message, and shorter than the 123 bytes of RFC 6455 §5.5.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
