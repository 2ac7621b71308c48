import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: failing stores", .timeLimit(.minutes(5)))
struct CacheFailureTests {
    private func kinds(_ cached: CachedClient) -> [String] {
        cached.events.values.map { if case .storeFailed(let error) = $0 { error.detail } else { "other" } }
    }

    @Test("A store that always fails does not fail calls, and each failure is reported")
    func everything() async throws {
        let cached = CachedClient(MockTransport { _ in .text("x", headers: .fresh()) }, store: FaultyStore(Set(StoreStep.allCases)))
        for _ in 0..<3 { #expect(try await cached.get().cacheWords == "Martlet; fwd=uri-miss") }
        #expect(try await cached.get(method: .post).status == .ok)
        #expect(try await cached.stream().body.collect() == Data("x".utf8))
        #expect(kinds(cached).contains("entries") && kinds(cached).contains("writer") && kinds(cached).contains("removeAll"))
        await #expect(throws: CacheStoreError.self) { try await cached.cache.removeAll() }
        #expect(cached.count == 5)
    }

    @Test("A store that fails in one operation leaves the response complete and stores nothing partial", arguments: StoreStep.allCases)
    func oneStep(step: StoreStep) async throws {
        let store = FaultyStore([])
        let cached = CachedClient(
            MockTransport { request in
                let fields = HTTPFields.fresh(10, "stale-if-error=0", tag: "\"a\"")
                return request.headers.contains(.ifNoneMatch) ? .status(304, headers: fields) : .text("whole", headers: fields).chunked(2)
            }, store: store)
        store.fail(at: [step])
        for path in ["x", "y"] {
            #expect(try await cached.get(path).text == "whole")
            #expect(try await cached.stream(path).body.collect() == Data("whole".utf8))
            #expect(try await cached.get(path, method: .post).status == .ok)
            #expect(try await cached.get(path).text == "whole")
            cached.time.advance(by: .seconds(11))
            #expect(try await cached.get(path).text == "whole")
        }
        let failures = Set(kinds(cached))
        #expect(failures.isSubset(of: ["\(step)"]))
        if step != .remove { #expect(!failures.isEmpty) }
        store.fail(at: [])
        #expect(try await cached.get("z").text == "whole")
        #expect(try await cached.get("z").cacheStatus?.isHit == true)
    }

    @Test("If a writer fails in the middle of a streamed body, the reader is unaffected and nothing is stored")
    func midway() async throws {
        let store = FaultyStore([])
        let cached = CachedClient(MockTransport { _ in .stream("one", "two", "three", headers: .fresh()) }, store: store)
        var iterator = try await cached.stream().body.makeAsyncIterator()
        _ = try await iterator.next()
        store.fail(at: [.write])
        var rest = ""
        while let chunk = try await iterator.next() { rest += String(decoding: chunk, as: UTF8.self) }
        #expect(rest == "twothree" && kinds(cached) == ["write"] && store.memory.count == 0)
    }

    @Test("An unreadable stored body is requested again, and a streaming reader gets an error instead of a short body")
    func unreadable() async throws {
        let store = BrokenBodies()
        let cached = CachedClient(MockTransport { _ in .text("0123456789", headers: .fresh()) }, store: store)
        _ = try await cached.get()
        #expect(try await cached.get().text == "0123456789")
        #expect(cached.count == 2)
        let part = try await cached.stream("x", [.range: "bytes=2-8"])
        await #expect(throws: HTTPError.self) { try await part.body.collect() }
    }

    /// A store whose bodies end early.
    private final class BrokenBodies: CacheStore {
        private let memory = MemoryCacheStore()

        func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
            try await memory.entries(for: key).map { entry in
                let body = HTTPBody(length: entry.body.length) { () throws(HTTPError) in
                    let rest = Locked([Data("012".utf8)])
                    return ClosureBodyReader {
                        if let chunk = rest.withLock({ $0.popLast() }) { return chunk }
                        throw HTTPError.networkError(NetworkFailure(.other, "the file is gone"))
                    }
                }
                return CacheEntry(response: entry.response, body: body)
            }
        }

        func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
            try await memory.writer(for: response, length: length)
        }

        func update(_ response: StoredResponse) async throws(CacheStoreError) {}
        func remove(_ response: StoredResponse) async throws(CacheStoreError) {}
        func removeAll(for uri: String) async throws(CacheStoreError) {}
        func removeAll() async throws(CacheStoreError) {}
    }
}
