internal import MartletCore

/// What a client has learned about hashes, shared by its copies: they have one endpoint.
final class PersistedQueryMemory: Sendable {
    private struct State {
        var hashes: [String: String] = [:]
        /// Until when texts are sent, since the server does not know hashes.
        var refusedUntil: ContinuousClock.Instant?
        /// Whether the server has shown that it knows hashes.
        var isConfirmed = false
        /// Whether mutations are sent by their text until a query has shown that the server knows hashes: only a query can be sent again
        /// when it does not.
        var isDoubtful = false
    }

    /// How many hashes are kept: most apps have fewer documents.
    static let limit = 1_000

    private let state = Locked(State())

    /// The SHA-256 of a text in hexadecimal digits, made once for each text.
    func hash(of text: String) -> String {
        if let known = state.withLock({ $0.hashes[text] }) { return known }
        let hash = Hex.text(SHA256.digest(of: text.utf8))
        state.withLock { state in
            // Texts that are made at run time would be kept for ever.
            if state.hashes.count >= PersistedQueryMemory.limit { state.hashes = [:] }
            state.hashes[text] = hash
        }
        return hash
    }

    /// Whether the server has shown that it knows hashes.
    var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

    /// Whether an operation is sent by its text, and no hash tried.
    func wantsText(of kind: GraphQLOperationKind, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in state.refusedUntil.map { now < $0 } ?? false || state.isDoubtful && kind == .mutation }
    }

    /// Remembers that the server knows hashes.
    func confirm() { state.withLock { ($0.refusedUntil, $0.isConfirmed, $0.isDoubtful) = (nil, true, false) } }

    /// Remembers for a while that the server does not know hashes.
    func refuse(until end: ContinuousClock.Instant) {
        state.withLock { ($0.refusedUntil, $0.isConfirmed, $0.isDoubtful) = (end, false, true) }
    }

    /// Remembers that the server may not know hashes.
    func doubt() { state.withLock { $0.isDoubtful = true } }
}
