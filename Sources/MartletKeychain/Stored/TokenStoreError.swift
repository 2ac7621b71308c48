internal import MartletAuth
public import MartletEssentials
internal import MartletSystem

/// Why a token could not be read, kept or forgotten.
///
/// Whatever is thrown, what was kept before is still there as it was, but for a call that timed out: it may have been carried out.
/// No case quotes a secret.
@nonexhaustive public enum TokenStoreError: Error, Sendable, Hashable {
    /// The system's library is not installed, or is another than was expected: the words say what was looked for (Linux).
    case libraryMissing(String)
    /// There is no session bus, or it has ended (Linux).
    case noSessionBus(String)
    /// Nothing on the session bus keeps secrets (Linux).
    case noService(String)
    /// There is no keyring yet to keep secrets in, and none could be made: a fresh or missing home folder (Linux).
    case noKeyring
    /// The keyring is locked (Linux), or the device is, or was not unlocked since it started (Apple).
    case locked
    /// The user, or the system, said no.
    case refused(String)
    /// The program is not entitled to use the keychain or the access group (Apple).
    case missingEntitlement
    /// No answer came in time.
    case timedOut(after: Duration)
    /// Calls before are still not answered, and as many as may be have been given up on. The next call may try again.
    case unresponsive
    /// What is kept is no token. It was left as it is.
    case corrupt(String)
    /// What is kept was written by a later version of this library. It was left as it is.
    case unknownVersion(Int)
    /// The settings of the store, or the token, can't be used: the words say why.
    case unusable(String)
    /// Anything else, with the system's own code and words.
    case failed(code: Int, String)
}

extension TokenStoreError {
    /// The error of a call that the store's lane refused.
    init(_ refusal: Lane.Refusal) {
        switch refusal {
        case .unresponsive: self = .unresponsive
        case .noThread: self = .failed(code: 0, "no thread could be started")
        }
    }
}

extension TokenStoreError: LocalizedError, CustomStringConvertible {
    /// What happened and what to do about it, for developers.
    public var description: String { advice.map { "\(summary). \($0)" } ?? summary }

    /// The same.
    public var errorDescription: String? { description }

    /// What to do about it.
    public var recoverySuggestion: String? { advice }

    private var summary: String {
        switch self {
        case .libraryMissing(let what): what
        case .noSessionBus(let why): "there is no D-Bus session bus (\(Redaction.quote(why)))"
        case .noService(let why): "nothing on the session bus keeps secrets (\(Redaction.quote(why)))"
        case .noKeyring: "there is no keyring to keep secrets in"
        case .locked: "the keyring is locked"
        case .refused(let why): "access to the secret was refused (\(Redaction.quote(why)))"
        case .missingEntitlement: "the program is not entitled to use this keychain or access group"
        case .timedOut(let time): "the secret store did not answer within \(time)"
        case .unresponsive: "the secret store has not answered earlier calls"
        case .corrupt(let what): "what is kept is no token: \(what)"
        case .unknownVersion(let version): "what is kept is of version \(version), which this version of Martlet does not know"
        case .unusable(let why): why
        case .failed(let code, let why): "the secret store failed with \(code) (\(Redaction.quote(why)))"
        }
    }

    private var advice: String? {
        switch self {
        case .libraryMissing: "Install it: `apt-get install libsecret-1-0` on Debian and Ubuntu"
        case .noSessionBus: "Run within a desktop session, or under `dbus-run-session`"
        case .noService: "Install and start one: `apt-get install gnome-keyring` on Debian and Ubuntu"
        case .noKeyring: "Make one by unlocking it: `gnome-keyring-daemon --unlock`, with a home folder that can be written"
        case .locked: "Unlock it (`gnome-keyring-daemon --unlock` without a desktop; the device on Apple's platforms) and try again"
        case .refused, .failed: nil
        case .missingEntitlement:
            "Sign it with the keychain-access-groups entitlement; a command-line tool may use the file keychain instead"
        case .timedOut: "Give it more time when a person is to be asked; else see whether the service is stuck"
        case .unresponsive: "See whether the service is stuck"
        case .corrupt: "It was left as it is: `clear()` forgets it, `save(_:)` replaces it"
        case .unknownVersion: "It was left as it is: update the program; `clear()` forgets it, `save(_:)` replaces it"
        case .unusable: nil
        }
    }
}
