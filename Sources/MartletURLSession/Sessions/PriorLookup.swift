internal import Foundation
internal import MartletHTTP
internal import MartletSystem

/// Looks up a host before a request is sent to it, because URLSession does not say which address it connects to.
///
/// The check sees the addresses at this moment. URLSession looks the name up again later, and different addresses go unnoticed.
struct PriorLookup: Sendable {
    let policy: AddressPolicy
    /// Returns the addresses of a name, or nil if it has none. May block.
    var lookup: @Sendable (String) -> [String]? = { SystemResolver.addresses(of: $0) }
    var lane = PriorLookup.lane

    /// The lane of lookups, eight at a time. A lookup may block for a long time and cannot be stopped.
    private static let lane = makeLane()

    static func makeLane() -> Lane { Lane("martlet.lookup", width: 8) }

    /// Throws `.addressRefused` if any of the host's addresses is refused, `.networkError(.hostNotFound)` if it has none, and `.timeout` if
    /// the lookup has not ended by `deadline`.
    func check(_ url: URL, until deadline: ContinuousClock.Instant? = nil) async throws(HTTPError) {
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
