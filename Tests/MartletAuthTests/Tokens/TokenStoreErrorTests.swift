import Foundation
import MartletSystem
import Testing

@testable import MartletAuth

@Suite("TokenStoreError", .timeLimit(.minutes(5)))
struct TokenStoreErrorTests {
    /// A store of an app, whose errors name no operation.
    private struct BrokenStore: TokenStore {
        let error = TokenStoreError(.failed(code: 5, "I/O error"))
        func load() async throws -> AccessToken? { throw error }
        func save(_ token: AccessToken) async throws { throw error }
        func clear() async throws { throw error }
    }

    @Test("A provider adds the operation to the error of an app's store, so that the message for people names it")
    func addedOperation() async {
        let provider = StoredTokenProvider(store: BrokenStore()) { $0 }
        let loading = await #expect(throws: TokenProviderError.self) { try await provider.token() }
        #expect(loading?.errorDescription == "Your saved sign-in can't be read")
        let saving = await #expect(throws: TokenStoreError.self) { try await provider.signIn(AccessToken("a")) }
        #expect(saving?.errorDescription == "Your sign-in could not be saved")
        let clearing = await #expect(throws: TokenStoreError.self) { try await provider.signOut() }
        #expect(clearing?.errorDescription == "Your saved sign-in could not be removed")
    }

    @Test(
        "Each kind describes the failure, and a remedy if there is one",
        arguments: [
            (TokenStoreError.libraryMissing("no libsecret"), "apt-get install libsecret-1-0"), (.noSessionBus("x"), "dbus-run-session"),
            (.noService("x"), "apt-get install gnome-keyring"), (.noKeyring, "gnome-keyring-daemon --unlock"), (.locked, "Unlock it"),
            (.missingEntitlement, "keychain-access-groups"), (.timedOut(after: .seconds(5)), "within 5.00 s"),
            (.unresponsive, "stuck"), (.corrupt("x"), "clear()"), (.unknownVersion(7), "version 7"), (.unusable("so it is"), "so it is"),
            (.failed(code: -50, "words"), "-50 (words)"), (.refused("words"), "words"),
        ])
    func words(error: TokenStoreError, words: String) throws {
        #expect(error.description.contains(words))
        #expect(error.during(.save).description == "the token could not be saved: \(error.description)")
        #expect(error.advice.map { error.description.hasSuffix($0) } ?? true)
        let message = try #require(error.errorDescription)
        #expect((error as any Error).localizedDescription == message)
        for technical in ["libsecret", "D-Bus", "keychain-access-groups", "-50", "words"] { #expect(!message.contains(technical)) }
    }

    @Test("The message for people names the failed operation, and a cancellation has no message")
    func messages() {
        let messages = TokenStoreError.Operation.allCases.map { TokenStoreError(.noKeyring, during: $0).errorDescription }
        #expect(Set(messages).count == 3 && !messages.contains(nil))
        #expect(TokenStoreError(.cancelled, during: .load).errorDescription == nil)
    }

    @Test("Any store's error is wrapped with its operation and cause, and a TokenStoreError keeps its own")
    func wrapping() {
        let other = TokenStoreError(wrapping: Down(), during: .load)
        #expect(other.kind == .other && other.operation == .load && other.underlying is Down)
        #expect(TokenStoreError(wrapping: CancellationError(), during: .save).kind == .cancelled)
        #expect(TokenStoreError(wrapping: HTTPError.cancelled, during: .load).kind == .cancelled)
        let locked = TokenStoreError(wrapping: TokenStoreError(.locked, during: .clear), during: .save)
        #expect(locked == .locked && locked.operation == .clear)
        #expect(TokenStoreError(wrapping: TokenStoreError(.locked), during: .save).operation == .save)
    }

    @Test("Errors of other stores are shown in one line, with secrets redacted")
    func foreignTexts() {
        struct Foreign: LocalizedError { let errorDescription: String? = "one\n\u{1B}[31mtwo" }
        let text = "password=s3cr3t\n\u{1B}[31mred"
        let kinds: [TokenStoreError.Kind] = [
            .libraryMissing(text), .noSessionBus(text), .noService(text), .refused(text), .corrupt(text), .unusable(text),
            .failed(code: 4, text),
        ]
        for kind in kinds {
            for shown in ["\(kind)", String(reflecting: kind), "\(TokenStoreError(kind, during: .load))"] {
                #expect(!shown.contains("s3cr3t") && !shown.contains("\n") && !shown.contains("\u{1B}"))
            }
        }
        let errors: [any Error] = [
            TokenStoreError(.other, underlying: Foreign()), TokenProviderError.refreshFailed(Foreign()),
            SessionEndedError(cause: Foreign()),
        ]
        for error in errors { #expect(!"\(error)".contains("\n") && !"\(error)".contains("\u{1B}")) }
    }

    @Test("No text of a store's own error contains a secret")
    func secrets() {
        struct Leaking: Error { let token = "s3cr3t" }
        let error = TokenStoreError(wrapping: Leaking(), during: .save)
        #expect(!"\(error)".contains("s3cr3t") && !String(reflecting: error).contains("s3cr3t"))
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
    }
}
