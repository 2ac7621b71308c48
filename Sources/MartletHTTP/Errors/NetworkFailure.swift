internal import MartletSystem

/// A failure of the network, classified by what a program can do about it.
public struct NetworkFailure: Sendable {
    /// What failed.
    @nonexhaustive public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The device has no connection to a network: no interface is up, no route leads to the host, or the user has switched data off.
        case offline
        /// The host's name has no address.
        case hostNotFound
        /// Nobody listens there.
        case connectionRefused
        /// The host or network can't be reached.
        case unreachable
        /// The connection was lost while the request was sent or the response received. The stage is `.body` if the head had arrived.
        case connectionLost
        /// The proxy could not be found or refused to connect.
        case proxyFailed
        /// Anything else; the explanation has the transport's words.
        case other
    }

    /// What failed.
    public let kind: Kind
    /// The transport's own words.
    public let explanation: String
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A failure of the network.
    public init(_ kind: Kind, _ explanation: String = "", context: ErrorContext = .init()) {
        self.kind = kind
        self.explanation = explanation
        self.context = context
    }
}

extension NetworkFailure.Kind {
    /// Returns what a failed lookup of a host means: without a route to the internet, the device is offline.
    package static func failedLookup(hasRoute: Bool = NetworkRoutes.areAvailable) -> Self { hasRoute ? .hostNotFound : .offline }

    /// Returns what an unreachable host or network means: without a route to the internet, the device is offline.
    package static func missingRoute(hasRoute: Bool = NetworkRoutes.areAvailable) -> Self { hasRoute ? .unreachable : .offline }
}

extension NetworkFailure: ErrorPayload {
    package var text: String { kind.rawValue + explanation.inParentheses }

    package func isSame(as other: NetworkFailure) -> Bool { kind == other.kind }
}
