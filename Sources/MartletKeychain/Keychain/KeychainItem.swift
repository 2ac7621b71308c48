internal import MartletAuth
internal import MartletEssentials

/// When the system gives a token away.
@nonexhaustive public enum KeychainAccessibility: String, Sendable, Hashable, CaseIterable {
    /// From the first unlocking after a start on, on this device alone: requests in the background find it.
    case afterFirstUnlockThisDeviceOnly
    /// While the device is unlocked, on this device alone.
    case whenUnlockedThisDeviceOnly
    /// While the device is unlocked, as long as it has a passcode: taking the passcode away forgets the token.
    case whenPasscodeSetThisDeviceOnly
    /// From the first unlocking after a start on; it goes with backups to other devices.
    case afterFirstUnlock
    /// While the device is unlocked; it goes with backups to other devices.
    case whenUnlocked

    var isOfThisDevice: Bool {
        switch self {
        case .afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .whenUnlocked: false
        }
    }
}

/// One item of the keychain, and what the keychain is asked about it: values, which the shell turns into dictionaries.
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

    /// Refuses settings that can't be meant together.
    func check() throws(TokenStoreError) {
        guard isSynchronized, accessibility.isOfThisDevice else { return }
        throw .unusable("a token that is synchronised can't be of this device only: choose .afterFirstUnlock or .whenUnlocked")
    }

    /// What tells this item from all others. Whether it is synchronised is a part of it: both kinds may exist side by side.
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

    /// What is changed of an item that is there: its value, and when it is given away, should the program say it otherwise by now.
    func change(to bytes: Data) -> Query { [.value: .bytes(bytes), .accessibility: .accessibility(accessibility)] }
}
