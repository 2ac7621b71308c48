import Foundation
import Martlet
import MartletKeychain

/// Checks the token store against the Secret Service of its environment. Usage: `keyring STATE`. Exits with 0 if all checks pass.
///
/// The state of a session depends on the environment, so each state needs a separate process: see `servers/keyring`.
@main
enum Keyring {
    static func main() async {
        let states: [String: () async throws -> Void] = [
            "unlocked": Unlocked.check, "kept": kept, "locked": locked, "no-bus": noBus, "no-service": noService, "fresh": fresh,
            "stopped": Interrupted.stopped, "restarted": Interrupted.restarted, "bus-ended": Interrupted.busEnded,
        ]
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let check = states[name] else { exit(2) }
        do { try await check() } catch {
            print("keyring \(name): \(error)")
            exit(1)
        }
    }

    static let store = SecretServiceTokenStore(service: "martlet.integration", account: "kept")
    static let token = AccessToken("kept s3cr3t", refreshToken: "kept r3fr3sh")

    static func expectOneThread() throws {
        let count = try threadCount()
        guard count <= 1 else { throw Unexpected(description: "\(count) threads instead of one at most") }
    }

    /// Checks that the token stored in the state `unlocked` is still there.
    private static func kept() async throws { try await expect(store.load(), token) }

    private static func locked() async throws {
        try await expectFailure(.locked) { _ = try await store.load() }
        try await expectFailure(.locked) { try await store.save(AccessToken("other")) }
        try await expectFailure(.locked) { try await store.clear() }
        let provider = KeychainTokenProvider(service: "martlet.integration", account: "kept") { $0 }
        try await expectFailure(.locked) { _ = try await provider.token() }
    }

    private static func noBus() async throws {
        try await expectFailure(.noSessionBus("")) { _ = try await store.load() }
        try await expectFailure(.noSessionBus("")) { try await store.save(token) }
        try await expectFailure(.noSessionBus("")) { try await store.clear() }
    }

    private static func noService() async throws {
        try await expectFailure(.noService("")) { _ = try await store.load() }
        try await expectFailure(.noService("")) { try await store.save(token) }
        try await expectFailure(.noService("")) { try await store.clear() }
    }

    /// Checks the state before a keyring exists: no token is stored, and none can be.
    private static func fresh() async throws {
        try await expect(store.load(), nil)
        try await expectFailure(.noKeyring) { try await store.save(token) }
        try await expect(store.load(), nil)
        try await store.clear()
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

func expect<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) throws {
    guard value != expected else { return }
    throw Unexpected(description: "line \(line): \(value) instead of \(expected)")
}

/// Checks that the call fails with the expected kind of error, whatever its text, and that the error contains no secret.
func expectFailure(_ expected: TokenStoreError.Kind, line: Int = #line, _ call: () async throws -> Void) async throws {
    do { try await call() } catch {
        try expect("\(error)".contains("s3cr3t") || "\(error)".contains("r3fr3sh"), false, line: line)
        let cause = (error as? TokenProviderError)?.underlying ?? error
        guard let error = cause as? TokenStoreError, "\(error)".hasPrefix("the token could not be "), kind(error.kind) == kind(expected) else {
            throw Unexpected(description: "line \(line): \(error) instead of \(expected)")
        }
        return
    }
    throw Unexpected(description: "line \(line): no error instead of \(expected)")
}

private func kind(_ kind: TokenStoreError.Kind) -> TokenStoreError.Kind {
    switch kind {
    case .noSessionBus: .noSessionBus("")
    case .noService: .noService("")
    case .corrupt: .corrupt("")
    default: kind
    }
}
