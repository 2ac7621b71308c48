#if APPLE_STUBS || canImport(Security)
internal import MartletEssentials
#if APPLE_STUBS
internal import EmulatedSecurity
#else
internal import Security
#endif

/// The system's keychain functions.
struct KeychainService: Sendable {
    func add(_ query: KeychainItem.Query) -> KeychainStatus { status(SecItemAdd(dictionary(query), nil)) }

    func update(_ query: KeychainItem.Query, to change: KeychainItem.Query) -> KeychainStatus {
        status(SecItemUpdate(dictionary(query), dictionary(change)))
    }

    func copy(_ query: KeychainItem.Query) -> (status: KeychainStatus, bytes: Data?) {
        var found: CFTypeRef?
        let status = status(SecItemCopyMatching(dictionary(query), &found))
        return (status, found as? Data)
    }

    func delete(_ query: KeychainItem.Query) -> KeychainStatus { status(SecItemDelete(dictionary(query))) }

    private func status(_ code: OSStatus) -> KeychainStatus {
        KeychainStatus(code) { code in SecCopyErrorMessageString(code, nil).map { $0 as String } ?? "unknown error" }
    }

    private func dictionary(_ query: KeychainItem.Query) -> CFDictionary {
        var dictionary: [String: Any] = [:]
        for (attribute, value) in query { dictionary[name(attribute)] = object(value) }
        return dictionary as CFDictionary
    }

    private func name(_ attribute: KeychainItem.Attribute) -> String {
        switch attribute {
        case .itemClass: kSecClass as String
        case .service: kSecAttrService as String
        case .account: kSecAttrAccount as String
        case .accessGroup: kSecAttrAccessGroup as String
        case .accessibility: kSecAttrAccessible as String
        case .isSynchronized: kSecAttrSynchronizable as String
        case .usesDataProtectionKeychain: kSecUseDataProtectionKeychain as String
        case .value: kSecValueData as String
        case .returnsValue: kSecReturnData as String
        case .matchLimit: kSecMatchLimit as String
        }
    }

    private func object(_ value: KeychainItem.Value) -> Any {
        switch value {
        case .text(let text): text
        case .flag(let flag): flag
        case .bytes(let bytes): bytes
        case .accessibility(let accessibility): name(accessibility)
        case .genericPassword: kSecClassGenericPassword as String
        case .one: kSecMatchLimitOne as String
        }
    }

    private func name(_ accessibility: KeychainAccessibility) -> String {
        switch accessibility {
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock as String
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked as String
        }
    }
}
#endif
