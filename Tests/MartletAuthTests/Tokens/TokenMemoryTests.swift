import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("TokenMemory", .timeLimit(.minutes(5)))
struct TokenMemoryTests {
    /// A store that counts its loads, and its changes until counting is switched off.
    private final class CountingStore: TokenStore {
        let loads = Count()
        private let state: Locked<(token: AccessToken?, changes: Int?)>

        init(_ token: AccessToken?, changes: Int?) { state = Locked((token, changes)) }

        func load() async throws -> AccessToken? {
            loads.increment()
            return state.withLock { $0.token }
        }

        func save(_ token: AccessToken) async throws { change(to: token) }
        func clear() async throws { change(to: nil) }
        var changeCount: Int? { state.withLock { $0.changes } }

        func change(to token: AccessToken?) { state.withLock { $0 = (token, $0.changes.map { $0 + 1 }) } }
        func stopCounting() { state.withLock { $0.changes = nil } }
    }

    @Test("A store that counts its changes is read once, and again after each change")
    func counted() async throws {
        let store = CountingStore(AccessToken("a"), changes: 0)
        let provider = StoredTokenProvider(store: store)
        for _ in 0..<50 { #expect(try await provider.token()?.value == "a") }
        #expect(store.loads.value == 1)
        store.change(to: AccessToken("b"))
        for _ in 0..<50 { #expect(try await provider.token()?.value == "b") }
        store.change(to: nil)
        for _ in 0..<50 { #expect(try await provider.token() == nil) }
        #expect(store.loads.value == 3)
        store.stopCounting()
        for _ in 0..<5 { #expect(try await provider.token() == nil) }
        #expect(store.loads.value == 8)
    }

    @Test("A store that does not count its changes is read for each request")
    func uncounted() async throws {
        let store = CountingStore(AccessToken("a"), changes: nil)
        let provider = StoredTokenProvider(store: store)
        for _ in 0..<50 { #expect(try await provider.token()?.value == "a") }
        #expect(store.loads.value == 50)
        #expect(FailingStore(nil).changeCount == nil)
    }

    @Test("A refreshed token and a sign-out take effect immediately")
    func refreshed() async throws {
        let store = CountingStore(AccessToken("a"), changes: 0)
        let provider = StoredTokenProvider(store: store) { _ in AccessToken("b") }
        #expect(try await provider.token()?.value == "a")
        #expect(try await provider.token(replacing: AccessToken("a"))?.value == "b")
        #expect(try await provider.token()?.value == "b")
        try await provider.signOut()
        #expect(try await provider.token() == nil)
    }

    @Test("A token in memory is replaced when it is about to expire")
    func expiry() async throws {
        let time = ManualTime()
        let store = CountingStore(AccessToken("a", expiry: time.now.addingTimeInterval(60)), changes: 0)
        let provider = StoredTokenProvider(store: store, time: time) { _ in AccessToken("b") }
        #expect(try await provider.token()?.value == "a")
        time.advance(by: .seconds(40))
        #expect(try await provider.token()?.value == "b")
    }

    @Test("A change during a read is seen by the next call")
    func raced() async throws {
        final class Changing: TokenStore {
            let inner = InMemoryTokenStore(AccessToken("a"))
            let loads = Count()
            func load() async throws -> AccessToken? {
                loads.increment()
                let token = try await inner.load()
                if loads.value == 1 { try await inner.save(AccessToken("b")) }
                return token
            }
            func save(_ token: AccessToken) async throws { try await inner.save(token) }
            func clear() async throws { try await inner.clear() }
            var changeCount: Int? { inner.changeCount }
        }
        let provider = StoredTokenProvider(store: Changing())
        #expect(try await provider.token()?.value == "a")
        #expect(try await provider.token()?.value == "b")
    }

    @Test("InMemoryTokenStore counts its changes")
    func inMemory() async throws {
        let store = InMemoryTokenStore()
        let first = try #require(store.changeCount)
        try await store.save(AccessToken("a"))
        let second = try #require(store.changeCount)
        try await store.clear()
        #expect(Set([first, second, try #require(store.changeCount)]).count == 3)
    }

    @Test("A SingleWriterTokenStore is read once, and again after its own changes")
    func soleWriter() async throws {
        let inner = CountingStore(AccessToken("a"), changes: nil)
        let store = SingleWriterTokenStore(inner)
        let provider = StoredTokenProvider(store: store)
        for _ in 0..<50 { #expect(try await provider.token()?.value == "a") }
        #expect(inner.loads.value == 1)
        try await store.save(AccessToken("b"))
        for _ in 0..<50 { #expect(try await provider.token()?.value == "b") }
        try await store.clear()
        #expect(try await provider.token() == nil)
        #expect(inner.loads.value == 3)
    }

    @Test("A refresh and the calls after it see a change by another writer")
    func anotherWriter() async throws {
        let inner = CountingStore(AccessToken("a"), changes: nil)
        let provider = StoredTokenProvider(store: SingleWriterTokenStore(inner)) { _ in
            Issue.record("refreshed")
            return AccessToken("c")
        }
        #expect(try await provider.token()?.value == "a")
        inner.change(to: AccessToken("b"))
        #expect(try await provider.token(replacing: AccessToken("a"))?.value == "b")
        #expect(try await provider.token()?.value == "b")
    }

    @Test("After a failed change the store is read for each request until a change succeeds")
    func failedChange() async throws {
        let inner = FailingStore(AccessToken("a"))
        let store = SingleWriterTokenStore(inner)
        #expect(store.changeCount != nil)
        inner.fail(save: true)
        await #expect(throws: TokenStoreError(.other)) { try await store.save(AccessToken("b")) }
        #expect(store.changeCount == nil)
        inner.fail()
        try await store.save(AccessToken("b"))
        #expect(store.changeCount != nil)
    }
}
