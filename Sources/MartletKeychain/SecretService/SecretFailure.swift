internal import MartletAuth

/// What libsecret said when it failed, in GLib's terms.
struct SecretFailure: Error, Hashable {
    let domain: String
    let code: Int
    let message: String

    /// What it means.
    var meaning: TokenStoreError {
        switch domain {
        case "secret-error": secretMeaning
        case "g-dbus-error-quark": busMeaning
        case "g-io-error-quark": ioMeaning
        default: .failed(code: code, message)
        }
    }

    /// Whether what libsecret remembers of the service may be of no use any more.
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
        // SERVICE_UNKNOWN, NAME_HAS_NO_OWNER, NO_REPLY (it went away meanwhile), and all that goes wrong when one is started.
        case 2, 3, 4, 23...34: .noService(message)
        case 9, 10: .refused(message)  // ACCESS_DENIED, AUTH_FAILED
        case 11, 15: .noSessionBus(message)  // NO_SERVER, DISCONNECTED
        // UNKNOWN_METHOD, UNKNOWN_OBJECT: the default keyring is the name of one that is not there.
        case 19 where message.contains("/collection/"), 41 where message.contains("/collection/"): .noKeyring
        default: .failed(code: code, message)
        }
    }

    /// GIOErrorEnum.
    private var ioMeaning: TokenStoreError {
        switch code {
        case 18, 44: .noSessionBus(message)  // CLOSED, BROKEN_PIPE
        // CANCELLED: a dialog was dismissed. Whoever gives up on a call has given an answer of his own.
        case 19: .refused(message)
        default: .failed(code: code, message)
        }
    }
}

/// The state of the keyring that secrets are kept in by default.
enum KeyringState: Hashable {
    case absent, locked, open

    /// What it means that nothing was found: that there is nothing, or that nobody could look.
    func checkNothingFound() throws(TokenStoreError) {
        if self == .locked { throw .locked }
    }
}
