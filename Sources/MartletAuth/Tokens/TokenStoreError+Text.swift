public import MartletEssentials

extension TokenStoreError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The failed operation, the reason and the remedy, for developers, in one line without secrets.
    public var description: String {
        let summary = kind == .other ? underlying.map(CodingPath.explain) ?? "the store failed" : kind.description
        let failure = operation.map { "the token could not be \(TokenStoreError.participle(of: $0)): \(summary)" } ?? summary
        return Redaction.visible(advice.map { "\(failure). \($0)" } ?? failure)
    }

    /// The message for people in English, or nil after a cancellation.
    public var errorDescription: String? {
        switch kind {
        case .cancelled: nil
        case .locked: "Your saved sign-in is locked. Please unlock this device and try again."
        case .refused: "Access to your saved sign-in was denied"
        case .corrupt, .unknownVersion: "Your saved sign-in can't be read. Please sign in again."
        case .timedOut, .unresponsive: "Your saved sign-in can't be reached. Please try again."
        default:
            switch operation {
            case .load: "Your saved sign-in can't be read"
            case .save: "Your sign-in could not be saved"
            case .clear: "Your saved sign-in could not be removed"
            case nil: "Your saved sign-in can't be used"
            }
        }
    }

    /// The remedy for a developer or an administrator, or nil if none is known.
    public var advice: String? {
        switch kind {
        case .libraryMissing: "Install it: `apt-get install libsecret-1-0` on Debian and Ubuntu"
        case .noSessionBus: "Run within a desktop session, or under `dbus-run-session`"
        case .noService: "Install and start one: `apt-get install gnome-keyring` on Debian and Ubuntu"
        case .noKeyring: "Create one by unlocking it: `gnome-keyring-daemon --unlock`, with a writable home folder"
        case .locked: "Unlock it (`gnome-keyring-daemon --unlock` without a desktop; the device on Apple's platforms) and try again"
        case .missingEntitlement:
            "Sign it with the keychain-access-groups entitlement; a command-line tool may use the file keychain instead"
        case .timedOut: "Increase the timeout if a person is asked for a password; otherwise check whether the service is stuck"
        case .unresponsive: "Check whether the service is stuck"
        case .corrupt: "It was left unchanged: `clear()` removes it, `save(_:)` replaces it"
        case .unknownVersion: "It was left unchanged: update the program; `clear()` removes it, `save(_:)` replaces it"
        default: nil
        }
    }

    private static func participle(of operation: Operation) -> String {
        switch operation {
        case .load: "loaded"
        case .save: "saved"
        case .clear: "removed"
        }
    }
}

extension TokenStoreError.Kind: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The reason of the failure, for developers, in one line without secrets.
    public var description: String {
        switch self {
        case .libraryMissing(let what): Redaction.line(what)
        case .noSessionBus(let why): "there is no D-Bus session bus (\(Redaction.line(why)))"
        case .noService(let why): "no service on the session bus stores secrets (\(Redaction.line(why)))"
        case .noKeyring: "there is no keyring to store secrets in"
        case .locked: "the keyring is locked"
        case .refused(let why): "access to the secret was denied (\(Redaction.line(why)))"
        case .missingEntitlement: "the program is not entitled to use this keychain or access group"
        case .timedOut(let time): "the secret store did not respond within \(time)"
        case .unresponsive: "the secret store has not responded to earlier calls"
        case .corrupt(let what): "the stored data is not a token: \(Redaction.line(what))"
        case .unknownVersion(let version): "the stored data is of version \(version), which this version of Martlet does not know"
        case .unusable(let why): Redaction.line(why)
        case .cancelled: "cancelled"
        case .failed(let code, let why): "the secret store failed with \(code) (\(Redaction.line(why)))"
        case .other: "the store failed"
        }
    }
}
