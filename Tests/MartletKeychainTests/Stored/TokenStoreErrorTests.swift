import Foundation
import Testing

@testable import MartletKeychain

@Suite("Errors of token stores", .timeLimit(.minutes(5)))
struct TokenStoreErrorTests {
    @Test(
        "Each says what happened, and what to do about it where something can be done",
        arguments: [
            (TokenStoreError.libraryMissing("no libsecret"), "apt-get install libsecret-1-0"), (.noSessionBus("x"), "dbus-run-session"),
            (.noService("x"), "apt-get install gnome-keyring"), (.noKeyring, "gnome-keyring-daemon --unlock"), (.locked, "Unlock it"),
            (.missingEntitlement, "keychain-access-groups"), (.timedOut(after: .seconds(5)), "within 5.0 seconds"),
            (.unresponsive, "stuck"), (.corrupt("x"), "clear()"), (.unknownVersion(7), "version 7"), (.unusable("so it is"), "so it is"),
            (.failed(code: -50, "words"), "-50 (words)"), (.refused("words"), "words"),
        ])
    func words(error: TokenStoreError, words: String) {
        #expect(error.description.contains(words))
        #expect((error as any Error).localizedDescription == error.description)
        #expect(error.recoverySuggestion.map { error.description.hasSuffix($0) } ?? true)
    }
}
