internal import MartletAuth
internal import MartletEssentials
internal import MartletSystem

/// Reads and writes one secret: makes the blocking calls on a lane with a timeout, and interprets their results.
final class SecretSession: Sendable {
    private let key: SecretKey
    private let timeout: Duration
    private let time: any TimeSource
    private let calls: any SecretCalls
    private let lane: Lane
    let lookups = SingleFlight<Int, AccessToken?>()
    /// The number of changes by this session. A load that begins after a change does not share a lookup that began before it.
    private let changes = Locked(0)

    init(_ key: SecretKey, timeout: Duration, time: any TimeSource, calls: any SecretCalls, lane: Lane) {
        self.key = key
        self.timeout = timeout
        self.time = time
        self.calls = calls
        self.lane = lane
    }

    /// Returns the token. Concurrent loads share one lookup.
    func load() async throws -> AccessToken? {
        try await lookups.value(for: changes.withLock { $0 }) { [self] in
            try await perform { [key] call throws(TokenStoreError) -> AccessToken? in
                guard let bytes = try understood({ () throws(SecretFailure) in try call.lookup(key) }) else {
                    try understood { () throws(SecretFailure) in try call.keyring() }.checkNothingFound()
                    return nil
                }
                return try StoredToken.decode(bytes)
            }
        }
    }

    func save(_ token: AccessToken) async throws(TokenStoreError) {
        let bytes = try StoredToken.encode(token)
        defer { changes.withLock { $0 += 1 } }
        try await perform { [key] call throws(TokenStoreError) in
            try understood { () throws(SecretFailure) in try call.store(bytes, for: key) }
        }
    }

    func clear() async throws(TokenStoreError) {
        defer { changes.withLock { $0 += 1 } }
        try await perform { [key] call throws(TokenStoreError) in
            if try understood({ () throws(SecretFailure) in try call.clear(key) }) { return }
            try understood { () throws(SecretFailure) in try call.keyring() }.checkNothingFound()
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (any SecretCall) throws(TokenStoreError) -> Value
    ) async throws(TokenStoreError) -> Value {
        try key.check()
        let current = CancelSlot(), deadline = time.instant + timeout
        let outcome = lane.begin(refused: TokenStoreError.init(refusal:)) { [calls] () throws(TokenStoreError) -> Value in
            let call = try calls.begin()
            current.set { call.cancel() }
            return try call.within { () -> Result<Value, TokenStoreError> in
                do throws(TokenStoreError) {
                    try call.connect()
                    return .success(try work(call))
                } catch { return .failure(error) }
            }.get()
        }
        let timer = time.timer(at: deadline) { [timeout] in
            if outcome.giveUp(.timedOut(after: timeout)) { current.cancel() }
        }
        defer { timer.cancel() }
        return try await outcome.value()
    }
}

extension Lane {
    /// Creates a lane for calls of a secret service: one thread, which ends when no call waits.
    ///
    /// A call that exceeds its time limit is abandoned with its thread, and another thread takes its place.
    static func forSecrets() -> Lane {
        Lane(maxAbandoned: 4) { (worker) throws(SystemFailure) in try BackgroundThread.start(name: "martlet.secrets", worker) }
    }

    /// The lane for calls of the Secret Service in this process.
    static let secrets = forSecrets()
}

private func understood<Value>(_ call: () throws(SecretFailure) -> Value) throws(TokenStoreError) -> Value {
    do throws(SecretFailure) { return try call() } catch { throw error.meaning }
}
