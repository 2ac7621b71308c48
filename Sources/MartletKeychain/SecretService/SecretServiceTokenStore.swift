internal import MartletEssentials
internal import MartletSystem

#if os(Linux)
public import MartletAuth

/// A token store in the Linux desktop's Secret Service (GNOME Keyring, KWallet, KeePassXC).
///
/// ```swift
/// let store = SecretServiceTokenStore(service: "com.example.app", account: "ada")
/// ```
///
/// Stores with the same service and account, in any process of the user, share one token. It is kept in the default keyring.
///
/// - The first use loads libsecret. If it is missing, each call throws `.libraryMissing`, which names the package to install. A session bus
///   (`DBUS_SESSION_BUS_ADDRESS`) with a Secret Service is needed too.
/// - A locked keyring is an error, also for `load` and `clear`. It is never reported as a missing token.
/// - The calls block one separate thread for all stores of the process. A call that exceeds `timeout` fails with `.timedOut` and is
///   cancelled. A call that cannot be cancelled is abandoned with its thread. With four abandoned calls, new calls fail immediately with
///   `.unresponsive` until one returns. A `save` or `clear` that timed out may still take effect.
/// - A token that cannot be read (`.corrupt`, or a later version) stays in the store. `save` replaces it, and `clear` removes it.
/// - Concurrent loads share one lookup, which takes about 3 ms. Other processes may change the token, and libsecret's lookups do not report
///   that, so a provider reads the store for each request. If only this program changes the token, wrap the store in a
///   `SingleWriterTokenStore`.
///
/// The calls throw `TokenStoreError`. A `load` in a cancelled task throws the kind `.cancelled`. A cancelled `save` or `clear` continues.
public final class SecretServiceTokenStore: TokenStore {
    private let session: SecretSession

    /// Creates a store of the token for a service and an account, without opening anything yet.
    ///
    /// - Parameters:
    ///   - service: The purpose of the token: the app's identifier in reverse DNS notation.
    ///   - account: The user whose token it is.
    ///   - timeout: The time limit for a call, including the wait for earlier calls. Default: 5 seconds. Use one or two minutes if the user
    ///     may be asked for the keyring's password.
    ///   - time: The clock for the timeout. A store has no client whose clock it could use. Default: the system's.
    public init(service: String, account: String, timeout: Duration = .seconds(5), time: any TimeSource = .system) {
        session = SecretSession(
            SecretKey(service: service, account: account), timeout: timeout, time: time, calls: SystemSecrets(), lane: .secrets)
    }

    /// Returns the stored token, or nil if there is none.
    public func load() async throws(TokenStoreError) -> AccessToken? {
        do { return try await session.load() } catch { throw TokenStoreError(wrapping: error, during: .load) }
    }

    /// Stores a token and replaces the previous one.
    public func save(_ token: AccessToken) async throws(TokenStoreError) {
        do { try await session.save(token) } catch { throw error.during(.save) }
    }

    /// Removes the token, if there is one.
    public func clear() async throws(TokenStoreError) {
        do { try await session.clear() } catch { throw error.during(.clear) }
    }
}
#else
internal import MartletAuth
#endif

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
