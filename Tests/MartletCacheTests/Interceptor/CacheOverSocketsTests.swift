import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("The cache over sockets", .timeLimit(.minutes(5)))
struct CacheOverSocketsTests {
    private func client(_ server: MockServer, _ cache: CacheInterceptor, time: ManualTime) -> HTTPClient {
        HTTPClient(
            baseURL: server.url, transport: PlatformTransport(), interceptors: [cache],
            configuration: .init(totalTimeout: nil, idleTimeout: nil), time: time)
    }

    @Test("Over sockets: a miss, a hit, a 304, and a stale response after the server is gone")
    func journey() async throws {
        let server = try await MockServer.start(), time = ManualTime()
        server.enqueue(
            .text("one", headers: [.cacheControl: "max-age=10, stale-if-error=100", .eTag: "\"a\""]),
            .status(304, headers: [.cacheControl: "max-age=10, stale-if-error=100", .eTag: "\"a\""]))
        let client = client(server, CacheInterceptor(store: MemoryCacheStore(), isShared: false, time: time), time: time)
        let request = Request<String>.get("x")
        var words: [String] = []
        for _ in 0..<4 {
            let response = try await client.response(for: request)
            #expect(response.body == "one")
            words.append(response.metadata.cacheStatus?.description ?? "none")
            if words.count == 2 { time.advance(by: .seconds(15)) }
        }
        #expect(
            words == [
                "Martlet; fwd=uri-miss; stored", "Martlet; hit; ttl=10", "Martlet; fwd=stale; fwd-status=304; ttl=10",
                "Martlet; hit; ttl=10",
            ])
        #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\""])
        await server.stop()
        time.advance(by: .seconds(15))
        let last = try await client.response(for: request)
        #expect(last.body == "one" && last.metadata.cacheStatus?.isStale == true)
        #expect(last.metadata.cacheStatus?.detail == "stale-if-error")
    }

    @Test("Trailers and interim responses are not stored (RFC 9110 §6.5, §15.2)")
    func aroundTheAnswer() async throws {
        let server = try await MockServer.start(), time = ManualTime()
        server.enqueue(
            .text("one", headers: [.cacheControl: "max-age=10"]).chunked(2)
                .trailers([.cacheControl: "no-store", "X-Trailer": "late", .eTag: "\"t\""])
                .precededBy(HTTPStatus(rawValue: 103), headers: [.cacheControl: "no-store", "X-Early": "yes", .eTag: "\"i\""]))
        let client = client(server, CacheInterceptor(store: MemoryCacheStore(), isShared: false, time: time), time: time)
        for _ in 0..<2 {
            let response = try await client.response(for: Request<String>.get("x"))
            #expect(response.body == "one" && response.headers[.cacheControl] == "max-age=10")
            for name in ["X-Trailer", "X-Early", "ETag"] as [HTTPFieldName] { #expect(response.headers[name] == nil) }
        }
        #expect(server.requests.count == 1)
    }

    @Test("A truncated body is not stored, and a complete chunked one is, streamed or buffered", arguments: [true, false])
    func cut(isStreamed: Bool) async throws {
        let server = try await MockServer.start(), time = ManualTime(), store = MemoryCacheStore()
        let whole = MockReply.text(String(repeating: "0123456789", count: 1_000), headers: [.cacheControl: "max-age=60"])
        server.enqueue(
            whole.disconnecting(afterBodyBytes: 4_000), whole.chunked(700).disconnecting(afterBodyBytes: 4_000), whole.chunked(700))
        let client = client(server, CacheInterceptor(store: store, isShared: false, time: time), time: time)
        func read() async throws -> Int {
            guard isStreamed else { return try await client.send(Request<Data>.get("x")).count }
            return try await client.stream(Request<Data>.get("x")).body.collect().count
        }
        for _ in 0..<2 {
            await #expect(throws: HTTPError.self) { try await read() }
            #expect(store.count == 0)
        }
        #expect(try await read() == 10_000)
        #expect(store.count == 1)
        #expect(try await read() == 10_000)
        #expect(server.requests.count == 3)
        await server.stop()
    }

    @Test("A hundred concurrent calls use one request and one connection")
    func together() async throws {
        let server = try await MockServer.start { _ in .text("one", headers: [.cacheControl: "max-age=60"]) }
        let time = ManualTime()
        let client = client(server, CacheInterceptor(store: MemoryCacheStore(), isShared: false, time: time), time: time)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send(Request<String>.get("x")) } }
            var texts: Set<String> = []
            for try await text in group { texts.insert(text) }
            return texts
        }
        #expect(texts == ["one"] && server.requests.count == 1)
        await server.stop()
    }

    @Test("A range is served from a whole received over a socket")
    func parts() async throws {
        let server = try await MockServer.start(), time = ManualTime()
        server.enqueue(.text("0123456789", headers: [.cacheControl: "max-age=60", .eTag: "\"a\""]))
        let client = client(server, CacheInterceptor(store: MemoryCacheStore(), isShared: false, time: time), time: time)
        _ = try await client.send(Request<String>.get("x"))
        let part = try await client.response(
            for: Request<String>(method: .get, path: "x", headers: [.range: "bytes=3-5"], decoding: .decodable))
        #expect(part.status == .partialContent && part.body == "345" && part.headers[.contentRange] == "bytes 3-5/10")
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test("values(for:) returns the stored value while the server is slow, and then the server's")
    func values() async throws {
        let time = ManualTime()
        let server = try await MockServer.start()
        server.enqueue(.text("old", headers: [.cacheControl: "max-age=10"]), .text("new", headers: [.cacheControl: "max-age=10"]))
        let client = client(server, CacheInterceptor(store: MemoryCacheStore(), isShared: false, time: time), time: time)
        _ = try await client.send(Request<String>.get("x"))
        time.advance(by: .seconds(20))
        var texts: [String] = []
        for try await text in client.values(Request<String>.get("x")) { texts.append(text) }
        #expect(texts == ["old", "new"])
        await server.stop()
    }
}
