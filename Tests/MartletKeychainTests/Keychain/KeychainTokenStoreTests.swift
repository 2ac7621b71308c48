#if APPLE_STUBS
import EmulatedSecurity
import Foundation
import MartletAuth
import Testing

@testable import MartletKeychain

/// Runs against an emulation: these tests check the store's logic, not the real keychain.
@Suite("KeychainTokenStore over an emulated Keychain", .timeLimit(.minutes(5)))
struct KeychainTokenStoreTests {
    private let service = UUID().uuidString
    private let token = AccessToken("t1", refreshToken: "r1", expiry: Date(timeIntervalSince1970: 2e9), scopes: ["read", "naïve 🐦"])

    private var store: KeychainTokenStore { KeychainTokenStore(service: service, account: "ada") }

    @Test("A token is stored, found by another store with the same name, replaced and removed; removing it twice is no error")
    func life() async throws {
        #expect(try await store.load() == nil)
        try await store.save(token)
        #expect(try await KeychainTokenStore(service: service, account: "ada").load() == token)
        try await store.save(AccessToken("t2"))
        #expect(try await store.load() == AccessToken("t2"))
        try await store.clear()
        try await store.clear()
        #expect(try await store.load() == nil)
        #expect(EmulatedKeychain.items(of: service).isEmpty)
    }

    @Test(
        "By default a token is accessible after the first unlock on this device only, and the next save applies a change of that"
    )
    func accessibility() async throws {
        try await store.save(token)
        #expect(EmulatedKeychain.items(of: service).map(\.item.accessible) == ["cku"])
        try await KeychainTokenStore(service: service, account: "ada", accessibility: .whenUnlockedThisDeviceOnly).save(token)
        #expect(EmulatedKeychain.items(of: service).map(\.item.accessible) == ["aku"])
    }

    @Test("Accounts, access groups, synchronisation and the file-based keychain separate tokens")
    func apart() async throws {
        let stores = [
            store, KeychainTokenStore(service: service, account: "bob"),
            KeychainTokenStore(service: service, account: "ada", accessGroup: "g"),
            KeychainTokenStore(service: service, account: "ada", accessibility: .whenUnlocked, isSynchronized: true),
            KeychainTokenStore(service: service, account: "ada", usesDataProtectionKeychain: false),
        ]
        for (number, store) in stores.enumerated() { try await store.save(AccessToken("\(number)")) }
        for (number, store) in stores.enumerated() { #expect(try await store.load()?.value == "\(number)") }
        #expect(EmulatedKeychain.items(of: service).count == stores.count)
    }

    @Test("A token that another program adds meanwhile is replaced, and one that is deleted meanwhile is added again")
    func races() async throws {
        try await store.save(token)
        try await store.save(AccessToken("t2"))
        #expect(EmulatedKeychain.calls(for: service) == ["add", "add", "update"])
        try await store.clear()
        EmulatedKeychain.answer([-25299, -25300], for: service)
        try await store.save(token)
        #expect(EmulatedKeychain.calls(for: service).suffix(3) == ["add", "update", "add"])
        #expect(try await store.load() == token)
    }

    @Test("If other programs add and delete the item during each attempt, saving ends with an error")
    func contended() async throws {
        EmulatedKeychain.answer(Array(repeating: [-25299, -25300], count: 9).flatMap { $0 }, for: service)
        let error = await #expect(throws: TokenStoreError.self) { try await store.save(token) }
        guard case .failed(code: -25299, _) = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(EmulatedKeychain.calls(for: service).count == 6)
    }

    @Test(
        "A failure status is a typed error of each call",
        arguments: [
            (Int32(-25308), TokenStoreError.locked), (-34018, .missingEntitlement), (-128, .refused("status -128")),
            (-26275, .corrupt("the keychain could not decode it")), (-50, .failed(code: -50, "status -50")),
        ])
    func failures(code: Int32, expected: TokenStoreError) async {
        EmulatedKeychain.answer([code, code, code], for: service)
        await #expect(throws: expected) { try await store.load() }
        await #expect(throws: expected) { try await store.save(token) }
        await #expect(throws: expected) { try await store.clear() }
    }

    @Test("Data that is not a token is an error and stays stored until it is replaced or removed", arguments: ["", "x", #"{"version":9}"#])
    func corrupt(text: String) async throws {
        try await store.save(token)
        EmulatedKeychain.overwrite(service, with: Data(text.utf8))
        await #expect(throws: TokenStoreError.self) { try await store.load() }
        #expect(EmulatedKeychain.items(of: service).map(\.item.data) == [Data(text.utf8)])
        try await store.save(token)
        #expect(try await store.load() == token)
    }

    @Test("A synchronised token restricted to this device is an error of each call, without a call of the keychain")
    func contradiction() async {
        let store = KeychainTokenStore(service: service, account: "ada", isSynchronized: true)
        let error = await #expect(throws: TokenStoreError.self) { try await store.load() }
        #expect(error?.description.contains("afterFirstUnlock") == true)
        #expect(EmulatedKeychain.calls(for: service).isEmpty)
    }

    @Test("Concurrent callers each get a complete token")
    func concurrent() async throws {
        try await store.save(AccessToken("0"))
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    if number % 4 == 0 { try await store.save(AccessToken("\(number)")) }
                    return try await store.load()?.value
                }
            }
            for try await value in group { #expect(value.flatMap { Int($0) } != nil) }
        }
        #expect(EmulatedKeychain.items(of: service).count == 1)
    }
}
#endif
