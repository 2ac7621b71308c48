internal import MartletEssentials

/// The client's side of one connection of GraphQL over WebSocket: the texts that it sends, and the meaning of those that it receives.
///
/// A pure value without I/O and clocks. It is the same for both protocols.
struct GraphQLSocketSession: Sendable {
    /// What a received text means.
    enum Event: Sendable, Equatable {
        /// The server accepts the connection: operations may start.
        case acknowledged
        /// A result of an operation.
        case next(id: String, Data)
        /// The operation has failed, and no message of it follows.
        case failed(id: String, [GraphQLResponseError])
        /// The operation is complete, and no message of it follows.
        case complete(id: String)
        /// A sign of life.
        case heartbeat
        /// The server rejects the connection with these errors, and closes it.
        case refused([GraphQLResponseError])
        /// The server has violated the protocol: close the connection with this code and reason.
        case violation(code: UInt16, reason: String)
    }

    /// What follows a received text.
    struct Step: Sendable, Equatable {
        /// The meaning of the text, or nil if it is to be ignored.
        var event: Event?
        /// The text to send.
        var reply: String?
    }

    private enum Phase: Sendable { case initial, awaitsAcknowledgement, open, closed }

    let socketProtocol: GraphQLSocketProtocol
    private var phase = Phase.initial
    private var lastID = 0
    private var active: Set<String> = []

    init(_ socketProtocol: GraphQLSocketProtocol) { self.socketProtocol = socketProtocol }

    /// Whether operations may start.
    var isOpen: Bool { phase == .open }

    /// The number of operations that have neither ended nor been stopped.
    var activeCount: Int { active.count }

    // MARK: Sending

    /// Returns the first text of the connection, which must be sent once, before anything else.
    ///
    /// - Parameter payload: The `payload`, a JSON object, or nil for none.
    mutating func initialize(payload: Data?) -> String {
        phase = .awaitsAcknowledgement
        return Self.text("connection_init", payload: payload)
    }

    /// Returns the text that starts an operation, and its ID, which no other operation of the connection has. Returns nil unless the
    /// connection is open.
    ///
    /// - Parameter payload: The parameters of the request as a JSON object (GraphQL over HTTP §5.1).
    mutating func start(payload: Data) -> (id: String, text: String)? {
        guard phase == .open else { return nil }
        lastID += 1
        let id = "\(lastID)"
        active.insert(id)
        return (id, Self.text(socketProtocol.startType, id: id, payload: payload))
    }

    /// Returns the text that ends an operation, or nil if it has ended. Messages for it that are on their way are ignored.
    mutating func stop(_ id: String) -> String? {
        guard active.remove(id) != nil, phase == .open else { return nil }
        return Self.text(socketProtocol.stopType, id: id)
    }

    /// The text that asks for a sign of life, or nil if the protocol has none.
    var ping: String? { socketProtocol == .graphQLTransportWS && phase != .initial ? Self.text("ping") : nil }

    /// Returns the last text of the connection, which precedes the Close frame, or nil if the protocol has none.
    mutating func terminate() -> String? {
        defer { phase = .closed }
        return socketProtocol == .graphQLWS && phase == .open ? Self.text("connection_terminate") : nil
    }

    private static func text(_ type: String, id: String? = nil, payload: Data? = nil) -> String {
        let id = id.map { #""id":"\#($0)","# } ?? ""
        guard let payload else { return #"{\#(id)"type":"\#(type)"}"# }
        return #"{\#(id)"type":"\#(type)","payload":\#(String(decoding: payload, as: UTF8.self))}"#
    }

    // MARK: Receiving

    /// Takes a text. After a refusal or a violation, all further texts are ignored.
    mutating func receive(_ text: String) -> Step {
        guard phase != .closed else { return Step() }
        do throws(GraphQLSocketViolation) { return try take(GraphQLSocketMessage(text, socketProtocol)) } catch {
            phase = .closed
            return Step(event: .violation(code: GraphQLSocketViolation.closeCode, reason: error.reason))
        }
    }

    private mutating func take(_ message: GraphQLSocketMessage) throws(GraphQLSocketViolation) -> Step {
        switch message.kind {
        case .acknowledgement:
            guard phase == .awaitsAcknowledgement else { return Step() }
            phase = .open
            return Step(event: .acknowledged)
        case .ping:
            // The payload is echoed, as the specification's examples do.
            return Step(event: .heartbeat, reply: Self.text("pong", payload: message.payload))
        case .pong: return Step(event: .heartbeat)
        case .refusal:
            phase = .closed
            return Step(event: .refused(message.errors))
        case .next, .errors, .complete: return try takeOperation(message)
        }
    }

    private mutating func takeOperation(_ message: GraphQLSocketMessage) throws(GraphQLSocketViolation) -> Step {
        guard phase == .open else { throw GraphQLSocketViolation("a message of an operation precedes connection_ack") }
        // The client may have stopped the operation while the message was on its way.
        guard let id = message.id, active.contains(id) else { return Step() }
        switch message.kind {
        case .errors:
            active.remove(id)
            return Step(event: .failed(id: id, message.errors))
        case .complete:
            active.remove(id)
            return Step(event: .complete(id: id))
        default: return Step(event: message.payload.map { .next(id: id, $0) })
        }
    }
}
