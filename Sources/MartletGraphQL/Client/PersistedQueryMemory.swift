internal import MartletCore

/// What a client has learned about hashes, shared by its copies.
final class PersistedQueryMemory: Sendable {
    private struct State {
        var hashes: [String: String] = [:]
        var refusedUntil: ContinuousClock.Instant?
    }

    /// How many hashes are kept: most apps have fewer documents.
    static let limit = 1_000
    /// For how long a server that supports no hashes is not asked again.
    static let pause = Duration.seconds(3_600)

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

    /// Whether the server has said that it supports no hashes, not long ago.
    func isRefused(at now: ContinuousClock.Instant) -> Bool { state.withLock { $0.refusedUntil.map { now < $0 } ?? false } }

    /// Remembers that the server supports no hashes.
    func refuse(at now: ContinuousClock.Instant) { state.withLock { $0.refusedUntil = now + PersistedQueryMemory.pause } }
}
