/// The next step of a request that the cache forwards, alone or together with identical requests. A pure value.
enum FlightDecision: Sendable, Equatable {
    /// Decide whether the request is sent alone or shared: see ``beforeSending(_:_:isUnshareable:waits:)``.
    case decide
    /// Send the request for its own caller only.
    case sendAlone
    /// Wait for the identical request in flight, or send this one for every identical request that arrives until it ends.
    case joinOrStart
    /// Read the store again, and decide by this policy about what it has now.
    case readStore(CachePolicy)
    /// Return the response of the flight, or throw its error.
    case takeResult
    /// Return the stored response.
    case serveStored
    /// Throw that the caller was cancelled.
    case cancel

    /// The part of a request in a flight.
    enum Role: Sendable, Hashable {
        /// It sent the request.
        case started
        /// Another one had sent the request.
        case joined
        /// Another one had stored its response since this one read the store, so that no request was sent.
        case alreadyStored
    }

    /// What the store has for a request that has waited for another one.
    enum Finding: Sendable, Hashable {
        /// No response, or none that belongs to the request.
        case nothing
        /// A response that may be returned.
        case usable
        /// A response that may not be returned, or not without asking the server.
        case unusable
    }

    /// How a flight failed.
    enum Failure: Sendable, Hashable {
        /// For all that waited for it: the server could not be reached, or too many flights have failed.
        case shared
        /// Only for the request that was sent, which ran out of time or was limited: see ``SharedFailures``.
        case own
    }

    /// The number of flights in which a request takes part. After waiting for a response with other selecting fields, it may wait for one
    /// more.
    private static let maxWaits = 2

    /// Decides how a request is sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reason: Why no stored response was used.
    ///   - isUnshareable: Whether the response to an identical request could not be shared recently.
    ///   - waits: The number of flights in which the request took part, without flights with an ``Failure/own`` failure.
    static func beforeSending(
        _ request: HTTPRequest, _ reason: CacheStatus.ForwardReason, isUnshareable: Bool, waits: Int
    ) -> FlightDecision {
        waits < maxWaits && !isUnshareable && mayShare(request, reason) ? .joinOrStart : .sendAlone
    }

    /// Whether identical requests may wait for the response to this one.
    private static func mayShare(_ request: HTTPRequest, _ reason: CacheStatus.ForwardReason) -> Bool {
        request.method == .get && reason != .request && request.context.cachePolicy != .reload && !request.headers.contains(.range)
            && !Preconditions.arePresent(request.headers) && !Preconditions.areForTheServer(request.headers)
    }

    /// Decides what follows the end of a flight.
    ///
    /// - Parameters:
    ///   - role: The request's part in the flight.
    ///   - policy: The cache policy of the call.
    ///   - isCancelled: Whether the caller was cancelled.
    ///   - hasReplacement: Whether the flight failed and a stored response may replace the failure (RFC 5861 §4).
    ///   - failure: How the flight failed, or nil if it had a response, or an error after which each request is sent by itself.
    static func afterFlight(
        _ role: Role, policy: CachePolicy = .useProtocol, isCancelled: Bool = false, hasReplacement: Bool = false,
        failure: Failure? = nil
    ) -> FlightDecision {
        if role == .started { return hasReplacement ? .serveStored : .takeResult }
        if isCancelled { return .cancel }
        if hasReplacement { return .serveStored }
        switch failure {
        case .shared: return .takeResult
        // One of the requests that waited is sent for all of them, as this one was.
        case .own: return .decide
        case nil: break
        }
        guard role == .alreadyStored else { return .readStore(.useProtocol) }
        return switch policy {
        // A caller that also wants a response from the network has had the stored one.
        case .cacheAndNetwork: .decide
        // The caller's policy accepts a stored response of any age.
        case .cacheElseNetwork: .readStore(.cacheElseNetwork)
        default: .readStore(.useProtocol)
        }
    }

    /// Decides what follows another look at the store.
    static func afterLookup(_ finding: Finding, _ role: Role) -> FlightDecision {
        switch (finding, role) {
        case (.usable, _): .serveStored
        // The flight's response was for its own caller only. So would be the next one.
        case (.nothing, .started), (.nothing, .joined): .sendAlone
        case (.nothing, .alreadyStored), (.unusable, _): .decide
        }
    }
}
