import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache
@testable import MartletClient

@Suite("CacheInterceptor: streamed bodies", .timeLimit(.minutes(5)))
struct CacheStreamTests {
    private func count(_ cached: CachedClient) -> Int { (cached.cache.cache.store as? MemoryCacheStore)?.count ?? -1 }

    @Test("A streamed body is stored when it has been read to its end")
    func whole() async throws {
        let cached = CachedClient(MockTransport(.stream("one ", "two ", "three", headers: .fresh())))
        let response = try await cached.stream()
        #expect(response.metadata.cacheStatus?.description == "Martlet; fwd=uri-miss; stored")
        var chunks: [String] = []
        for try await chunk in response.body {
            #expect(count(cached) == 0)
            chunks.append(String(decoding: chunk, as: UTF8.self))
        }
        #expect(chunks == ["one ", "two ", "three"] && count(cached) == 1)
        #expect(try await cached.get().text == "one two three")
        let again = try await cached.stream()
        #expect(again.metadata.cacheStatus?.isHit == true)
        #expect(try await again.body.collect() == Data("one two three".utf8))
        #expect(cached.count == 1)
    }

    @Test("A body released unread or half read is not stored, and its transfer stops")
    func abandoned() async throws {
        let cached = CachedClient(MockTransport { _ in .stream("one", "two", "three", headers: .fresh()) })
        _ = try await cached.stream()
        do {
            let response = try await cached.stream()
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
        }
        #expect(count(cached) == 0)
        #expect(try await cached.get().cacheStatus?.isHit == false)
        #expect(cached.count == 3)
    }

    @Test("A body whose reader is cancelled is not stored")
    func cancelled() async throws {
        let time = ManualTime(autoAdvances: false)
        let transport = MockTransport { _ in
            .stream(headers: .fresh()) {
                HTTPBody {
                    // This clock does not advance, so only cancellation ends the sleep.
                    try await time.sleep(for: .seconds(1))
                    return nil
                }
            }
        }
        let cached = CachedClient(transport)
        let response = try await cached.stream()
        let reading = Task { try await response.body.collect() }
        try await time.waitForTimers()
        reading.cancel()
        await #expect(throws: HTTPError.cancelled) { try await reading.value }
        #expect(count(cached) == 0)
    }

    @Test("A body that fails or ends early is not stored, and the reader gets the error", arguments: [true, false])
    func cut(isChunked: Bool) async throws {
        let cached = CachedClient(
            MockTransport { _ in
                let reply = MockReply.text("0123456789", headers: .fresh())
                return (isChunked ? reply.chunked(2) : reply).disconnecting(afterBodyBytes: 5)
            })
        let response = try await cached.stream()
        await #expect(throws: HTTPError.self) { try await response.body.collect() }
        #expect(count(cached) == 0)
        await #expect(throws: HTTPError.self) { try await cached.get() }
        #expect(count(cached) == 0)
    }

    @Test("A body shorter or longer than its declared length is not stored", arguments: [3, 10])
    func wrongLength(length: Int64) async throws {
        struct Lying: Interceptor {
            let length: Int64
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                let rest = Locked([Data("12345".utf8)])
                return HTTPResponse(status: .ok, headers: .fresh(), body: HTTPBody(length: length) { rest.withLock { $0.popLast() } })
            }
        }
        let cached = CachedClient(MockTransport(), inside: [Lying(length: length)])
        _ = try await cached.stream().body.collect()
        #expect(count(cached) == 0)
    }

    @Test("Two streams of one target do not wait for each other, even if the second is read first")
    func noDeadlock() async throws {
        let cached = CachedClient(MockTransport { _ in .stream("one", "two", headers: .fresh()) })
        let first = try await cached.stream(), second = try await cached.stream()
        #expect(try await second.body.collect() == Data("onetwo".utf8))
        #expect(try await first.body.collect() == Data("onetwo".utf8))
        #expect(cached.count == 2 && count(cached) == 1)
        // Both are open, and the first one is never read.
        cached.time.advance(by: .seconds(61))
        let streams = (0..<10).map { _ in Task { try await cached.stream() } }
        let last = try await streams[9].value
        #expect(try await last.body.collect() == Data("onetwo".utf8))
        for stream in streams { _ = try await stream.value }
    }

    @Test("A short stream with waiting callers is one request, and each gets the complete body")
    func shared() async throws {
        let server = HeldServer { _ in .text("shared", headers: .fresh()) }
        let cached = CachedClient(server.transport)
        let calls = (0..<20).map { index in
            Task { index % 2 == 0 ? try await cached.stream().body.collect() : try await cached.get().body }
        }
        while cached.cache.cache.flights.waiterCount < 20 { await Task.yield() }
        server.gate.open()
        for call in calls { #expect(try await call.value == Data("shared".utf8)) }
        #expect(cached.count == 1)
    }

    @Test("An older response whose body is read last does not replace a newer one")
    func olderLast() async throws {
        let cached = CachedClient(MockTransport(.stream("old", headers: .fresh()), .text("new", headers: .fresh())))
        let slow = try await cached.stream()
        cached.time.advance(by: .seconds(10))
        #expect(try await cached.get().text == "new")
        #expect(try await slow.body.collect() == Data("old".utf8))
        #expect(try await cached.get().text == "new")
    }

    @Test("An endless stream is passed through, not stored, and uses limited memory")
    func endless() async throws {
        let chunk = Data(count: 64 << 10), store = MemoryCacheStore(capacity: 1 << 20)
        let cached = CachedClient(MockTransport { _ in .stream(headers: .fresh()) { HTTPBody { chunk } } }, store: store)
        var iterator = try await cached.stream().body.makeAsyncIterator()
        for _ in 0..<200 { #expect(try await iterator.next() == chunk) }
        #expect(store.count == 0 && store.pendingByteCount == 0)
    }

    @Test("Bodies being collected use no more memory than the store's capacity")
    func pending() async throws {
        let chunk = Data(count: 10 << 10), store = MemoryCacheStore(capacity: 256 << 10)
        let cached = CachedClient(MockTransport { _ in .stream([chunk, chunk], headers: .fresh()) }, store: store)
        var iterators: [HTTPBody.AsyncIterator] = []
        for index in 0..<100 {
            var iterator = try await cached.stream("x\(index)").body.makeAsyncIterator()
            _ = try await iterator.next()
            iterators.append(iterator)
            #expect(store.pendingByteCount <= 256 << 10)
        }
        iterators = []
        #expect(store.pendingByteCount == 0)
        #expect(try await cached.stream("y").body.collect().count == 20 << 10)
        #expect(store.count == 1 && store.pendingByteCount == 0)
    }
}
