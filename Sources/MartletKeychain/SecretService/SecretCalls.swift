internal import MartletAuth
internal import MartletEssentials

/// The attributes by which a secret is found.
struct SecretKey: Sendable, Hashable {
    let service: String
    let account: String

    /// The text for the secret in a list that the user sees.
    var label: String { "\(service): \(account)" }

    /// Throws if a name contains a null byte, where a C string would end: the rest of the name would be ignored.
    func check() throws(TokenStoreError) {
        guard !service.utf8.contains(0), !account.utf8.contains(0) else {
            throw .unusable("the service or the account of the token store contains a null character: remove it")
        }
    }
}

/// The interface of a secret service that a token store needs. Every call may block.
protocol SecretCalls: Sendable {
    /// Begins a call.
    func begin() throws(TokenStoreError) -> any SecretCall
}

/// One call. Used by one thread, except `cancel`.
protocol SecretCall: Sendable {
    /// Runs the calls in `work` on this thread, and cleans up after them.
    func within<Value>(_ work: () -> Value) -> Value
    /// Connects to the session bus. Must be called first.
    func connect() throws(TokenStoreError)
    /// Returns the stored bytes, or nil if there are none or the keyring is locked.
    func lookup(_ key: SecretKey) throws(SecretFailure) -> Data?
    /// Stores bytes, which contain no null byte, and replaces the previous ones.
    func store(_ bytes: Data, for key: SecretKey) throws(SecretFailure)
    /// Removes the stored bytes. Returns whether any were removed.
    func clear(_ key: SecretKey) throws(SecretFailure) -> Bool
    /// Returns the state of the default keyring.
    func keyring() throws(SecretFailure) -> KeyringState
    /// Makes blocking functions fail, now or when they are called later. May be called from any thread, and does not block.
    func cancel()
}

/// A GError of libsecret.
struct SecretFailure: Error, Hashable {
    let domain: String
    let code: Int
    let message: String

    /// The error for the token store's callers.
    var meaning: TokenStoreError {
        switch domain {
        case "secret-error": secretMeaning
        case "g-dbus-error-quark": busMeaning
        case "g-io-error-quark": ioMeaning
        default: .failed(code: code, message)
        }
    }

    /// Whether libsecret's connection to the service may have become useless.
    var mayEndConnection: Bool { meaning != .locked && meaning != .noKeyring }

    /// SecretError.
    private var secretMeaning: TokenStoreError {
        switch code {
        case 2: .locked  // IS_LOCKED
        case 3: .noKeyring  // NO_SUCH_OBJECT
        default: .failed(code: code, message)
        }
    }

    /// GDBusError.
    private var busMeaning: TokenStoreError {
        switch code {
        // SERVICE_UNKNOWN, NAME_HAS_NO_OWNER, NO_REPLY (the service ended meanwhile), and all errors of starting a service.
        case 2, 3, 4, 23...34: .noService(message)
        case 9, 10: .refused(message)  // ACCESS_DENIED, AUTH_FAILED
        case 11, 15: .noSessionBus(message)  // NO_SERVER, DISCONNECTED
        // UNKNOWN_METHOD, UNKNOWN_OBJECT: the default keyring is an alias of a keyring that does not exist.
        case 19 where message.contains("/collection/"), 41 where message.contains("/collection/"): .noKeyring
        default: .failed(code: code, message)
        }
    }

    /// GIOErrorEnum.
    private var ioMeaning: TokenStoreError {
        switch code {
        case 18, 44: .noSessionBus(message)  // CLOSED, BROKEN_PIPE
        // CANCELLED: the user dismissed a dialog. A call that was abandoned has already failed with its own error.
        case 19: .refused(message)
        default: .failed(code: code, message)
        }
    }
}

/// The state of the default keyring.
enum KeyringState: Hashable {
    case absent, locked, open

    /// Throws `.locked` if a secret may be missing only because the keyring is locked.
    func checkNothingFound() throws(TokenStoreError) {
        if self == .locked { throw .locked }
    }
}
