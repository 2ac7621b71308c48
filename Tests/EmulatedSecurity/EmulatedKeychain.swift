// Emulates the functions of Apple's Security framework that the keychain's store uses, so that the store's logic can run on Linux. It is
// built only with APPLE_STUBS=1 and is part of no product. Tests against it show nothing about the real keychain. Names and terms are
// Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import Foundation
internal import Synchronization

public typealias OSStatus = Int32
// On Apple platforms these are classes that the compiler bridges.
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = Any

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
public let kSecAttrSynchronizable: CFString = "sync"
public let kSecUseDataProtectionKeychain: CFString = "nleg"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnData: CFString = "r_Data"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"

private let success: OSStatus = 0
private let wrongParameter: OSStatus = -50
private let duplicateItem: OSStatus = -25299
private let itemNotFound: OSStatus = -25300

/// Gives tests access to the emulated items and results. Each test uses its own services.
public enum EmulatedKeychain {
    /// One stored item.
    public struct Item: Sendable, Equatable {
        /// The stored bytes, `kSecValueData`.
        public var data: Data
        /// When the item may be read, `kSecAttrAccessible`.
        public var accessible: String
    }

    struct Identity: Hashable {
        var service: String
        var account: String
        var group: String
        var isSynchronized: Bool
        var isInFile: Bool
    }

    struct State {
        var items: [Identity: Item] = [:]
        /// The statuses that the next calls return instead of their own, in order, by service.
        var answers: [String: [OSStatus]] = [:]
        /// The called functions, by service.
        var calls: [String: [String]] = [:]
    }

    static let state = Mutex(State())

    /// Makes the next calls for a service return these statuses and do nothing.
    public static func answer(_ statuses: [OSStatus], for service: String) { state.withLock { $0.answers[service] = statuses } }

    /// Returns the names of the functions that were called for a service, in order.
    public static func calls(for service: String) -> [String] { state.withLock { $0.calls[service] ?? [] } }

    /// Returns the items of a service, sorted by account.
    public static func items(of service: String) -> [(account: String, item: Item)] {
        state.withLock { state in
            state.items.filter { $0.key.service == service }.map { ($0.key.account, $0.value) }.sorted { $0.account < $1.account }
        }
    }

    /// Overwrites the values of a service's items.
    public static func overwrite(_ service: String, with data: Data) {
        state.withLock { state in
            for identity in state.items.keys where identity.service == service { state.items[identity]?.data = data }
        }
    }

    /// Returns the next scripted status of a service, or that of `body`.
    static func call(
        _ name: String, _ query: CFDictionary, allowing extra: Set<String>, _ body: (inout State, Identity) -> OSStatus
    ) -> OSStatus {
        let own: Set = [
            kSecClass, kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrSynchronizable, kSecUseDataProtectionKeychain,
        ]
        // As in the real framework, a missing class or an attribute that does not belong to the call is an error.
        guard Set(query.keys).isSubset(of: own.union(extra)), query[kSecClass] as? String == kSecClassGenericPassword,
            let service = query[kSecAttrService] as? String, let account = query[kSecAttrAccount] as? String
        else { return wrongParameter }
        let identity = Identity(
            service: service, account: account, group: query[kSecAttrAccessGroup] as? String ?? "",
            isSynchronized: query[kSecAttrSynchronizable] as? Bool ?? false,
            isInFile: query[kSecUseDataProtectionKeychain] as? Bool != true)
        return state.withLock { state in
            state.calls[service, default: []].append(name)
            if let answer = state.answers[service]?.first {
                state.answers[service]?.removeFirst()
                return answer
            }
            return body(&state, identity)
        }
    }
}

/// Adds an item.
public func SecItemAdd(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    EmulatedKeychain.call("add", query, allowing: [kSecValueData, kSecAttrAccessible]) { state, identity in
        guard let data = query[kSecValueData] as? Data, let accessible = query[kSecAttrAccessible] as? String else { return wrongParameter }
        if identity.isSynchronized, accessible.hasSuffix("u") { return wrongParameter }
        if state.items[identity] != nil { return duplicateItem }
        state.items[identity] = .init(data: data, accessible: accessible)
        return success
    }
}

/// Returns an item's value.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    EmulatedKeychain.call("copy", query, allowing: [kSecReturnData, kSecMatchLimit]) { state, identity in
        guard let item = state.items[identity] else { return itemNotFound }
        if query[kSecReturnData] as? Bool == true { result?.pointee = item.data }
        return success
    }
}

/// Changes an item. A query with a limit or a return attribute is an error, as in the real framework.
public func SecItemUpdate(_ query: CFDictionary, _ change: CFDictionary) -> OSStatus {
    EmulatedKeychain.call("update", query, allowing: []) { state, identity in
        guard var item = state.items[identity] else { return itemNotFound }
        guard Set(change.keys).isSubset(of: [kSecValueData, kSecAttrAccessible]) else { return wrongParameter }
        if let data = change[kSecValueData] as? Data { item.data = data }
        if let accessible = change[kSecAttrAccessible] as? String { item.accessible = accessible }
        state.items[identity] = item
        return success
    }
}

/// Deletes an item.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    EmulatedKeychain.call("delete", query, allowing: []) { state, identity in
        state.items.removeValue(forKey: identity) == nil ? itemNotFound : success
    }
}

/// Returns the text for a status.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { "status \(status)" }
