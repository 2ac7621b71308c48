package import MartletEssentials
internal import MartletSystem

/// Looks up a host before a request is sent to it, for transports whose library does not say which address it connects to.
///
/// The check sees the addresses at this moment. The library looks the name up again later, and different addresses go unnoticed.
package struct PriorLookup: Sendable {
    private let policy: AddressPolicy
    private let lookup: @Sendable (String) -> [String]?
    private let lane: Lane

    /// The lane of lookups, eight at a time. A lookup may block for a long time and cannot be stopped.
    private static let lane = makeLane()

    /// Creates a check.
    ///
    /// - Parameter lookup: Returns the addresses of a name, or nil if it has none. May block.
    package init(policy: AddressPolicy, lookup: @escaping @Sendable (String) -> [String]? = { SystemResolver.addresses(of: $0) }) {
        self.init(policy: policy, lookup: lookup, lane: PriorLookup.lane)
    }

    init(policy: AddressPolicy, lookup: @escaping @Sendable (String) -> [String]?, lane: Lane) {
        self.policy = policy
        self.lookup = lookup
        self.lane = lane
    }

    static func makeLane() -> Lane { Lane("martlet.lookup", width: 8) }

    /// Throws `.addressRefused` if any of the host's addresses is refused, `.networkError(.hostNotFound)` if it has none, and `.timeout` if
    /// the lookup has not ended by `deadline`.
    package func check(_ url: URL, until deadline: ContinuousClock.Instant? = nil) async throws(HTTPError) {
        let addresses = try await addresses(of: String((url.host ?? "").withoutBrackets), until: deadline)
        guard let addresses, !addresses.isEmpty else {
            throw .networkError(NetworkFailure(.hostNotFound, context: ErrorContext(stage: .connect)))
        }
        if let why = addresses.lazy.compactMap({ policy.refusal(ofAddress: $0) }).first {
            throw .addressRefused(Explanation(why, context: ErrorContext(stage: .connect)))
        }
    }

    private func addresses(of name: String, until deadline: ContinuousClock.Instant?) async throws(HTTPError) -> [String]? {
        let cancelled = HTTPError.cancelled(ErrorContext(stage: .connect))
        let search = lane.begin(refused: { _ in cancelled }) { [lookup] () throws(HTTPError) in lookup(name) }
        let timer = deadline.map { SystemTime().timer(at: $0) { search.giveUp(.timeout(ErrorContext(stage: .connect))) } }
        defer { timer?.cancel() }
        return try await search.value(cancelled: cancelled)
    }
}
