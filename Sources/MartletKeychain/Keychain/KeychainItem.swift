internal import MartletAuth
internal import MartletEssentials

/// The condition under which the Keychain grants access to a token, and whether other devices can have it.
@nonexhaustive public enum KeychainAccessibility: String, Sendable, Hashable, CaseIterable {
    /// Access after the device was first unlocked since its start, on this device only. Background requests can use the token.
    case afterFirstUnlockThisDeviceOnly
    /// Access while the device is unlocked, on this device only.
    case whenUnlockedThisDeviceOnly
    /// Access while the device is unlocked, on this device only and only if it has a passcode. Removing the passcode deletes the token.
    case whenPasscodeSetThisDeviceOnly
    /// Access after the device was first unlocked since its start, also on other devices. Backups restore the token on other devices.
    case afterFirstUnlock
    /// Access while the device is unlocked, also on other devices. Backups restore the token on other devices.
    case whenUnlocked

    var isOfThisDevice: Bool {
        switch self {
        case .afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .whenUnlocked: false
        }
    }
}

/// An item of the keychain, and the queries for it as values, which `KeychainService` converts to dictionaries.
struct KeychainItem: Sendable, Hashable {
    var service: String
    var account: String
    var accessGroup: String?
    var accessibility: KeychainAccessibility
    var isSynchronized = false
    var isInDataProtectionKeychain = true

    enum Attribute: Hashable {
        case itemClass, service, account, accessGroup, accessibility, isSynchronized, usesDataProtectionKeychain
        case value, returnsValue, matchLimit
    }

    enum Value: Hashable {
        case text(String)
        case flag(Bool)
        case bytes(Data)
        case accessibility(KeychainAccessibility)
        case genericPassword
        case one
    }

    typealias Query = [Attribute: Value]

    /// Throws if the settings contradict each other.
    func check() throws(TokenStoreError) {
        guard isSynchronized, accessibility.isOfThisDevice else { return }
        throw .unusable("a synchronised token can't be restricted to this device: choose .afterFirstUnlock or .whenUnlocked")
    }

    /// The attributes that identify the item. Synchronisation is one of them, because a synchronised and a local item may both exist.
    var identity: Query {
        var query: Query = [
            .itemClass: .genericPassword, .service: .text(service), .account: .text(account), .isSynchronized: .flag(isSynchronized),
            .usesDataProtectionKeychain: .flag(isInDataProtectionKeychain),
        ]
        if let accessGroup { query[.accessGroup] = .text(accessGroup) }
        return query
    }

    var lookup: Query { identity.merging([.returnsValue: .flag(true), .matchLimit: .one]) { _, new in new } }

    func addition(of bytes: Data) -> Query { identity.merging(change(to: bytes)) { _, new in new } }

    /// The change to an existing item: its value, and its accessibility, which the program may have changed.
    func change(to bytes: Data) -> Query { [.value: .bytes(bytes), .accessibility: .accessibility(accessibility)] }
}

/// The meaning of a keychain function's `OSStatus`.
enum KeychainStatus: Hashable {
    case success
    case notFound
    case duplicate
    case failure(TokenStoreError)

    /// - Parameters:
    ///   - code: The `OSStatus`.
    ///   - words: Returns the system's text for a code. Called only when needed.
    init(_ code: Int32, words: (Int32) -> String) {
        switch code {
        case 0: self = .success
        case -25300: self = .notFound  // errSecItemNotFound
        case -25299: self = .duplicate  // errSecDuplicateItem
        case -25308: self = .failure(.locked)  // errSecInteractionNotAllowed
        case -34018: self = .failure(.missingEntitlement)  // errSecMissingEntitlement
        case -128, -25293: self = .failure(.refused(words(code)))  // errSecUserCanceled, errSecAuthFailed
        case -26275: self = .failure(.corrupt("the keychain could not decode it"))  // errSecDecode
        default: self = .failure(.failed(code: Int(code), words(code)))
        }
    }
}

/// The steps of saving a token: the item is added, or changed if it exists, whatever other programs do meanwhile.
enum KeychainSaving: Hashable {
    case add(triesLeft: Int)
    case change(triesLeft: Int)
    case done
    case failed(TokenStoreError)

    static let start = KeychainSaving.add(triesLeft: 3)

    /// Returns the step after one that had `status`.
    func next(after status: KeychainStatus) -> KeychainSaving {
        switch (self, status) {
        case (_, .success): .done
        case (_, .failure(let error)): .failed(error)
        case (.add(let tries), .duplicate): .change(triesLeft: tries)
        // Deleted by another program between the two steps. It is added again, a limited number of times.
        case (.change(let tries), .notFound): tries > 1 ? .add(triesLeft: tries - 1) : Self.contended
        default: .failed(.failed(code: 0, "the keychain returned an unexpected status"))
        }
    }

    private static let contended = KeychainSaving.failed(
        .failed(code: -25299, "other programs added and deleted the item during each attempt to save it"))
}
