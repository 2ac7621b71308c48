public import MartletEssentials

/// The failure of a token store to load, save or remove its token.
///
/// ```swift
/// do { try await store.save(firstToken) } catch {
///     switch error.kind {
///     case .cancelled: break
///     case .locked: askToUnlock()
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
///
/// Martlet's stores throw no other error. A store of your own may throw any error; ``StoredTokenProvider`` and ``SingleWriterTokenStore``
/// wrap it as ``Kind/other``. The stored token is unchanged, except after ``Kind/timedOut(after:)``, ``Kind/cancelled`` and ``Kind/other``,
/// which leave it unknown whether the store has changed it.
///
/// No text contains a secret. `==` compares only the kinds.
public struct TokenStoreError: HTTPErrorCausedError, Sendable {
    /// An operation of a token store.
    package enum Operation: Sendable, CaseIterable {
        /// Loading the stored token.
        case load
        /// Storing a token.
        case save
        /// Removing the stored token.
        case clear
    }

    /// The reason why a store failed. Associated texts are for developers.
    @nonexhaustive public enum Kind: Sendable, Hashable {
        /// The library with which the system stores secrets is missing or too old (Linux). The text names it.
        case libraryMissing(String)
        /// The session bus is missing or has ended (Linux).
        case noSessionBus(String)
        /// No service on the session bus stores secrets (Linux).
        case noService(String)
        /// The keyring is missing and could not be created: the home folder is new or missing (Linux).
        case noKeyring
        /// The keyring is locked (Linux), or the device is locked or was not unlocked since it started (Apple).
        case locked
        /// The user or the system denied access.
        case refused(String)
        /// The program is not entitled to use the keychain or the access group (Apple).
        case missingEntitlement
        /// The store did not respond in time. It may still make the change.
        case timedOut(after: Duration)
        /// Too many earlier calls are still without a response. The next call may succeed.
        case unresponsive
        /// The stored data is not a token. It was left unchanged.
        case corrupt(String)
        /// The stored data was written by a later version of this library. It was left unchanged.
        case unknownVersion(Int)
        /// The settings of the store, or the token, are invalid. The text says why.
        case unusable(String)
        /// The caller's task was cancelled.
        case cancelled
        /// Any other failure of the system, with its code and text.
        case failed(code: Int, String)
        /// A store of your own threw an error of another type, which is ``TokenStoreError/underlying``.
        case other
    }

    /// The reason for the failure.
    public let kind: Kind
    /// The operation that failed, or nil if it is unknown.
    package private(set) var operation: Operation?
    /// The error that caused this one, or nil.
    public let underlying: (any Error)?

    /// Creates an error, for stores of your own. ``StoredTokenProvider`` and ``SingleWriterTokenStore`` add the operation that failed, so
    /// that the message for people names it.
    public init(_ kind: Kind, underlying: (any Error)? = nil) {
        self.kind = kind
        self.underlying = underlying
    }

    package init(_ kind: Kind, during operation: Operation, underlying: (any Error)? = nil) {
        self.init(kind, underlying: underlying)
        self.operation = operation
    }

    package var httpCause: HTTPError? { kind == .cancelled ? .cancelled : underlying.flatMap { HTTPError.cause(of: $0) } }

    /// Turns the error of any store into this type: itself, a cancellation, or ``Kind/other``.
    package init(wrapping error: any Error, during operation: Operation) {
        switch error {
        case let error as TokenStoreError: self = error.during(operation)
        case is CancellationError, HTTPError.cancelled: self.init(.cancelled, during: operation, underlying: error)
        default: self.init(.other, during: operation, underlying: error)
        }
    }

    /// Returns the error with the operation, unless it has one.
    package func during(_ operation: Operation) -> Self {
        var error = self
        error.operation = self.operation ?? operation
        return error
    }
}

// Named like the kinds, for throwing and comparing inside this package.
extension TokenStoreError {
    package static func libraryMissing(_ what: String) -> Self { Self(.libraryMissing(what)) }
    package static func noSessionBus(_ why: String) -> Self { Self(.noSessionBus(why)) }
    package static func noService(_ why: String) -> Self { Self(.noService(why)) }
    package static var noKeyring: Self { Self(.noKeyring) }
    package static var locked: Self { Self(.locked) }
    package static func refused(_ why: String) -> Self { Self(.refused(why)) }
    package static var missingEntitlement: Self { Self(.missingEntitlement) }
    package static func timedOut(after time: Duration) -> Self { Self(.timedOut(after: time)) }
    package static var unresponsive: Self { Self(.unresponsive) }
    package static func corrupt(_ what: String) -> Self { Self(.corrupt(what)) }
    package static func unknownVersion(_ version: Int) -> Self { Self(.unknownVersion(version)) }
    package static func unusable(_ why: String) -> Self { Self(.unusable(why)) }
    package static func failed(code: Int, _ why: String) -> Self { Self(.failed(code: code, why)) }
}

extension TokenStoreError: Hashable {
    /// Returns whether the kinds are equal, whatever the operation and the underlying error.
    public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension TokenStore {
    /// Loads the token, with a typed error.
    func loaded() async throws(TokenStoreError) -> AccessToken? {
        do { return try await load() } catch { throw TokenStoreError(wrapping: error, during: .load) }
    }

    /// Saves a token, or removes the stored one if it is nil, with a typed error.
    func keep(_ token: AccessToken?) async throws(TokenStoreError) {
        guard let token else {
            do { return try await clear() } catch { throw TokenStoreError(wrapping: error, during: .clear) }
        }
        do { try await save(token) } catch { throw TokenStoreError(wrapping: error, during: .save) }
    }
}

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
        case .timedOut(let time): "the secret store did not respond within \(time.shortText)"
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
