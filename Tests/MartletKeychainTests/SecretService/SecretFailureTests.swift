import MartletAuth
import Testing

@testable import MartletKeychain

@Suite("Errors of libsecret", .timeLimit(.minutes(5)))
struct SecretFailureTests {
    @Test(
        "Each failure has its meaning, and an unknown one keeps its code and text",
        arguments: [
            ("secret-error", 2, TokenStoreError.locked), ("secret-error", 3, .noKeyring), ("secret-error", 1, .failed(code: 1, "w")),
            ("g-dbus-error-quark", 2, .noService("w")), ("g-dbus-error-quark", 4, .noService("w")),
            ("g-dbus-error-quark", 25, .noService("w")), ("g-dbus-error-quark", 9, .refused("w")),
            ("g-dbus-error-quark", 15, .noSessionBus("w")), ("g-dbus-error-quark", 19, .failed(code: 19, "w")),
            ("g-io-error-quark", 18, .noSessionBus("w")), ("g-io-error-quark", 19, .refused("w")),
            ("g-io-error-quark", 0, .failed(code: 0, "w")), ("", 2, .failed(code: 2, "w")),
        ])
    func meanings(domain: String, code: Int, meaning: TokenStoreError) {
        #expect(SecretFailure(domain: domain, code: code, message: "w").meaning == meaning)
    }

    @Test("A default keyring that is only an alias counts as missing", arguments: [19, 41])
    func noKeyring(code: Int) {
        let message = "Object does not exist at path “/org/freedesktop/secrets/collection/login”"
        #expect(SecretFailure(domain: "g-dbus-error-quark", code: code, message: message).meaning == .noKeyring)
    }

    @Test("A locked or missing keyring keeps the connection; all other failures end it")
    func connection() {
        #expect(!SecretFailure(domain: "secret-error", code: 2, message: "").mayEndConnection)
        #expect(!SecretFailure(domain: "secret-error", code: 3, message: "").mayEndConnection)
        #expect(SecretFailure(domain: "g-io-error-quark", code: 18, message: "").mayEndConnection)
        #expect(SecretFailure(domain: "g-dbus-error-quark", code: 4, message: "").mayEndConnection)
    }
}
