import Foundation
import MartletAuth
import Testing

@testable import MartletKeychain

@Suite("Keychain items", .timeLimit(.minutes(5)))
struct KeychainItemTests {
    private let item = KeychainItem(service: "s", account: "a", accessibility: .afterFirstUnlockThisDeviceOnly)

    @Test("An item is identified by its class, service, account, group and synchronisation, but not by its accessibility")
    func identity() {
        #expect(
            item.identity == [
                .itemClass: .genericPassword, .service: .text("s"), .account: .text("a"), .isSynchronized: .flag(false),
                .usesDataProtectionKeychain: .flag(true),
            ])
        var other = item
        other.accessibility = .whenUnlocked
        #expect(other.identity == item.identity)
        other.accessGroup = "g"
        other.isSynchronized = true
        other.isInDataProtectionKeychain = false
        #expect(other.identity[.accessGroup] == .text("g"))
        #expect(other.identity[.isSynchronized] == .flag(true))
        #expect(other.identity[.usesDataProtectionKeychain] == .flag(false))
    }

    @Test("A lookup returns one value, an addition sets value and accessibility, and a change contains no identifying attribute")
    func queries() {
        #expect(item.lookup == item.identity.merging([.returnsValue: .flag(true), .matchLimit: .one]) { $1 })
        let change = item.change(to: Data([1]))
        #expect(change == [.value: .bytes(Data([1])), .accessibility: .accessibility(.afterFirstUnlockThisDeviceOnly)])
        #expect(item.addition(of: Data([1])) == item.identity.merging(change) { $1 })
    }

    @Test("Only an item that may leave the device can be synchronised", arguments: KeychainAccessibility.allCases)
    func synchronised(accessibility: KeychainAccessibility) throws {
        var item = item
        item.accessibility = accessibility
        try item.check()
        item.isSynchronized = true
        if [.afterFirstUnlock, .whenUnlocked].contains(accessibility) {
            try item.check()
        } else {
            #expect(throws: TokenStoreError.self) { try item.check() }
        }
    }
}
