import Foundation
import Martlet
import MartletKeychain

/// Checks a service that hangs, is killed, or loses its bus while the program uses it. `KEYRING_PID` and `BUS_PID` are the process IDs.
enum Interrupted {
    private static let store = SecretServiceTokenStore(service: "martlet.integration", account: "kept", timeout: .milliseconds(300))

    private static func signal(_ name: String, _ signal: Int32) throws {
        guard let pid = ProcessInfo.processInfo.environment[name].flatMap({ Int32($0) }) else {
            throw Unexpected(description: "no \(name)")
        }
        try expect(kill(pid, signal), 0)
    }

    /// Checks that calls to a suspended service time out without leaking threads, and that the store works after the service resumes.
    static func stopped() async throws {
        try await expect(Keyring.store.load(), Keyring.token)
        try signal("KEYRING_PID", SIGSTOP)
        for _ in 0..<6 { try await expectFailure(.timedOut(after: .milliseconds(300))) { _ = try await store.load() } }
        try await expectFailure(.timedOut(after: .milliseconds(300))) { try await store.save(Keyring.token) }
        try await expectFailure(.timedOut(after: .milliseconds(300))) { try await store.clear() }
        try Keyring.expectOneThread()
        try signal("KEYRING_PID", SIGCONT)
        // The service has received the messages of the calls that timed out and executes them now.
        _ = try await Keyring.store.load()
        try await Keyring.store.save(Keyring.token)
        try await expect(Keyring.store.load(), Keyring.token)
    }

    /// Checks that the store finds the service that replaces a killed one, and reports that its keyring is locked.
    static func restarted() async throws {
        try await expect(Keyring.store.load(), Keyring.token)
        try signal("KEYRING_PID", SIGKILL)
        while kill(Int32(ProcessInfo.processInfo.environment["KEYRING_PID"] ?? "") ?? 0, 0) == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        var outcomes: [String] = []
        for _ in 0..<3 {
            do { outcomes.append("\(try await Keyring.store.load() as Any)") } catch { outcomes.append("\(error)") }
        }
        try expect(outcomes.last, "the token could not be loaded: \(TokenStoreError(.locked))")
    }

    /// Checks that the end of the bus is an error and does not end the program.
    static func busEnded() async throws {
        try await expect(Keyring.store.load(), Keyring.token)
        try signal("BUS_PID", SIGKILL)
        for _ in 0..<3 { try await expectFailure(.noSessionBus("")) { _ = try await Keyring.store.load() } }
    }
}
