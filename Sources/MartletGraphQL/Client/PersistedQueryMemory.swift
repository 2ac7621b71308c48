internal import MartletSystem

/// Stores whether the server supports hashes. Copies of a client share it because they have the same endpoint.
final class PersistedQueryMemory: Sendable {
    private struct State {
        /// Most apps have fewer documents. Texts that are built at run time do not accumulate.
        var hashes = BoundedMap<String, String>(limit: 1_000)
        /// The time until which texts are sent, because the server does not support hashes.
        var refusedUntil: ContinuousClock.Instant?
        /// Whether a response has shown that the server supports hashes.
        var isConfirmed = false
        /// Whether mutations are sent by their text until a query has shown that the server supports hashes. Unlike a mutation, a refused
        /// query can be sent again.
        var isDoubtful = false
    }

    private let state = Locked(State())

    /// Returns the SHA-256 of a text in hexadecimal digits. Computed once for each text.
    func hash(of text: String) -> String {
        if let known = state.withLock({ state in state.hashes.use(text) { $0 } }) { return known }
        let hash = Hex.text(SHA256.digest(of: text.utf8))
        state.withLock { state in _ = state.hashes.insert(hash, for: text) }
        return hash
    }

    /// Whether a response has shown that the server supports hashes.
    var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

    /// Whether an operation is sent by its text only.
    func wantsText(of kind: GraphQLOperationKind, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in state.refusedUntil.map { now < $0 } ?? false || state.isDoubtful && kind == .mutation }
    }

    /// Records that the server supports hashes.
    func confirm() { state.withLock { ($0.refusedUntil, $0.isConfirmed, $0.isDoubtful) = (nil, true, false) } }

    /// Records until when the server is treated as not supporting hashes.
    func refuse(until end: ContinuousClock.Instant) {
        state.withLock { ($0.refusedUntil, $0.isConfirmed, $0.isDoubtful) = (end, false, true) }
    }

    /// Records that the server may not support hashes.
    func doubt() { state.withLock { $0.isDoubtful = true } }
}
