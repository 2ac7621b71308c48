internal import MartletSystem

/// A network failure, classified by what a program can do about it.
public struct NetworkFailure: Sendable {
    /// The kind of network failure.
    @nonexhaustive public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The device is offline: no interface is up, no route leads to the host, or the user has turned off data.
        case offline
        /// The host name could not be resolved.
        case hostNotFound
        /// The host refused the connection, usually because no server listens on the port.
        case connectionRefused
        /// The host or its network can't be reached, although the device has a network.
        case unreachable
        /// The connection was lost while the request was sent or the response received. The stage is `.body` if the head had arrived.
        case connectionLost
        /// The proxy was not found or refused to connect.
        case proxyFailed
        /// Any other network failure; ``NetworkFailure/explanation`` has the transport's message.
        case other
    }

    /// The kind of failure.
    public let kind: Kind
    /// The message of the part that noticed the failure, usually the transport, for developers. It may be empty.
    public let explanation: String
    /// The request, the stage, the number of attempts and the underlying error.
    public var context: ErrorContext

    /// Creates a network failure.
    public init(_ kind: Kind, _ explanation: String = "", context: ErrorContext = .init()) {
        self.kind = kind
        self.explanation = explanation
        self.context = context
    }
}

extension NetworkFailure.Kind {
    /// Classifies a failed name lookup: without a route to the internet, the device is offline.
    package static func failedLookup(hasRoute: Bool = NetworkRoutes.areAvailable) -> Self { hasRoute ? .hostNotFound : .offline }

    /// Classifies an unreachable host or network: without a route to the internet, the device is offline.
    package static func missingRoute(hasRoute: Bool = NetworkRoutes.areAvailable) -> Self { hasRoute ? .unreachable : .offline }
}

extension NetworkFailure: ErrorPayload {
    package var text: String { kind.rawValue + explanation.inParentheses }

    package func isSame(as other: NetworkFailure) -> Bool { kind == other.kind }
}
