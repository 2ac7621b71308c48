#if os(Linux)
public import MartletAuth

/// A token in the desktop's Secret Service (GNOME Keyring, KWallet, KeePassXC), on Linux.
///
/// ```swift
/// let store = SecretServiceTokenStore(service: "com.example.app", account: "ada")
/// ```
///
/// Two stores with the same service and account, of any process of the user, are one. The token is kept in the default keyring.
///
/// - libsecret is bound when the program first needs it; where it is missing each call throws `.libraryMissing`, which
///   names the package. A session bus (`DBUS_SESSION_BUS_ADDRESS`) and a service on it are needed as well.
/// - A keyring that is locked is an error, for `load` and `clear` too: no answer of it says that there is no token.
/// - The calls block a thread of their own, one for all stores of the process. A call that is not answered within `timeout` fails with
///   `.timedOut` and is cancelled; a few that can't be cancelled are left to themselves, and with four of them
///   calls fail at once with `.unresponsive` until one comes back. A `save` or `clear` that timed out may have been done.
/// - What can't be read, as `.corrupt` or of a later version, is left as it is; `save` replaces it, `clear` forgets it.
/// - Concurrent loads share one lookup, which takes about 3 ms. Other processes may change the token, and libsecret's lookups do not report
///   that, so a provider reads the store for each request. If only this program changes the token, wrap the store in a
///   `SingleWriterTokenStore`.
///
/// It throws `TokenStoreError`, of the kind `.cancelled` from a `load` whose task is cancelled. A cancelled `save` or `clear` continues.
public final class SecretServiceTokenStore: TokenStore {
    private let session: SecretSession

    /// A store of one token.
    ///
    /// - Parameters:
    ///   - service: what the token is for: the app's identifier, in reverse DNS notation.
    ///   - account: whose token it is.
    ///   - timeout: how long a call may take, the wait for those before it included. Default: 5 seconds. Give it a minute or two where the
    ///     user may be asked for the keyring's password.
    ///   - time: the clock that the timeout is measured by. A store has no client whose clock it could use. Default: the system's.
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
