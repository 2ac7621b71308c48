import MartletAuth

@testable import MartletSystem

#if os(Linux)
import Foundation
import MartletTesting
import Testing

@testable import MartletKeychain

@Suite("SecretSession over a scripted service", .timeLimit(.minutes(5)))
struct SecretSessionTests {
    private let time = ManualTime()
    private let secrets = ScriptedSecrets()
    private let key = SecretKey(service: "s", account: "ada")
    private let token = AccessToken("t1", refreshToken: "r1", expiry: Date(timeIntervalSince1970: 2e9), scopes: ["naïve 🐦"])

    private func session(_ account: String = "ada", lane: Lane = .forSecrets()) -> SecretSession {
        SecretSession(SecretKey(service: "s", account: account), timeout: .seconds(5), time: time, calls: secrets, lane: lane)
    }

    @Test("A token is stored, read, replaced and removed; removing it twice is no error; accounts are separate")
    func life() async throws {
        let ada = session(), bob = session("bob")
        #expect(try await ada.load() == nil)
        try await ada.save(token)
        try await bob.save(AccessToken("b"))
        #expect(try await ada.load() == token)
        try await ada.save(AccessToken("t2"))
        #expect(try await ada.load() == AccessToken("t2"))
        try await ada.clear()
        try await ada.clear()
        #expect(try await ada.load() == nil)
        #expect(try await bob.load() == AccessToken("b"))
    }

    @Test("All calls are made on a separate thread")
    func threads() async throws {
        try await session().save(token)
        _ = try await session().load()
        try await session().clear()
        #expect(secrets.state.withLock { $0.threads } == ["martlet.secrets"])
    }

    @Test("Finding or removing nothing is an error if the keyring is locked, but not if it is missing")
    func locked() async throws {
        secrets.set { $0.keyring = .locked }
        await #expect(throws: TokenStoreError.locked) { try await session().load() }
        await #expect(throws: TokenStoreError.locked) { try await session().clear() }
        secrets.set { $0.keyring = .absent }
        #expect(try await session().load() == nil)
        try await session().clear()
    }

    @Test("A failure of the service, or before the call, is a typed error of each call")
    func failures() async {
        secrets.set { $0.failure = SecretFailure(domain: "g-dbus-error-quark", code: 2, message: "unknown") }
        await #expect(throws: TokenStoreError.noService("unknown")) { try await session().load() }
        await #expect(throws: TokenStoreError.noService("unknown")) { try await session().save(token) }
        await #expect(throws: TokenStoreError.noService("unknown")) { try await session().clear() }
        secrets.set { $0.beginError = .libraryMissing("x") }
        await #expect(throws: TokenStoreError.libraryMissing("x")) { try await session().load() }
    }

    @Test("Data that is not a token is an error and stays stored until it is replaced or removed", arguments: ["", "x", #"{"version":9}"#])
    func corrupt(text: String) async throws {
        let key = key
        secrets.set { $0.kept[key] = Data(text.utf8) }
        await #expect(throws: TokenStoreError.self) { try await session().load() }
        #expect(secrets.state.withLock { $0.kept[key] } == Data(text.utf8))
        try await session().save(token)
        #expect(try await session().load() == token)
    }

    @Test("A name with a null character, where a C string would end, is rejected before any call")
    func nul() async {
        await #expect(throws: TokenStoreError.self) { try await session("a\0b").load() }
        await #expect(throws: TokenStoreError.self) { try await session("a\0b").save(token) }
        #expect(secrets.calls.isEmpty)
    }

    @Test("A call that hangs fails at its timeout and is cancelled, and the next call succeeds")
    func hanging() async throws {
        try await session().save(token)
        let lane = Lane.forSecrets()
        let session = session(lane: lane)
        secrets.set { $0.hangs = 1 }
        let hung = Task { try await session.load() }
        await secrets.hang()
        try await time.waitForTimers(1)
        time.advance(by: .seconds(5))
        await #expect(throws: TokenStoreError.timedOut(after: .seconds(5))) { try await hung.value }
        #expect(secrets.state.withLock { $0.cancellations } == 1)
        #expect(try await session.load() == token)
        while lane.abandonedCount > 0 { await Task.yield() }
    }

    @Test("Concurrent loads share one lookup, and a cancelled load ends immediately")
    func shared() async throws {
        try await session().save(token)
        let session = session()
        secrets.set { $0.hangs = 1 }
        let loads = (0..<50).map { _ in Task { try await session.load() } }
        await secrets.hang()
        try await time.waitForTimers(1)
        while session.lookups.waiterCount(for: 0) < 50 { await Task.yield() }
        loads[0].cancel()
        await #expect(throws: CancellationError.self) { try await loads[0].value }
        time.advance(by: .seconds(5))
        for load in loads.dropFirst() { await #expect(throws: TokenStoreError.timedOut(after: .seconds(5))) { try await load.value } }
        #expect(secrets.calls.filter { $0 == "lookup ada" }.count == 1)
    }

    @Test("A load after a save returns the saved token, whatever lookups are running")
    func afterSave() async throws {
        let session = session()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<1000 { _ = try await session.load() } }
            for number in 0..<300 {
                try await session.save(AccessToken("\(number)"))
                #expect(try await session.load()?.value == "\(number)")
            }
            try await group.waitForAll()
        }
    }
}
#endif
