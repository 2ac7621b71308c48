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
    ///   - service: the purpose of the token: the app's identifier in reverse DNS notation.
    ///   - account: the user whose token it is.
    ///   - timeout: the time limit for a call, including the wait for earlier calls. Default: 5 seconds. Use one or two minutes if the user
    ///     may be asked for the keyring's password.
    ///   - time: the clock for the timeout. A store has no client whose clock it could use. Default: the system's.
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
#endif
