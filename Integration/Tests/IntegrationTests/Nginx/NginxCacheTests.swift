import Foundation
import Martlet
import MartletSQLite
import Testing

@Suite("nginx: the cache")
struct NginxCacheTests {
    private func client(_ store: any CacheStore) throws -> HTTPClient {
        HTTPClient(transport: try Servers.transport(), interceptors: [CacheInterceptor(store: store)])
    }

    @Test("A stored file is validated by its ETag and not transferred again", arguments: ["http", "https"])
    func validated(scheme: String) async throws {
        let client = try client(MemoryCacheStore())
        var request = Request<Data>.get(url: try Servers.url(scheme.uppercased(), "/1m", scheme: scheme))
        request.headers["Cache-Control"] = "no-cache"
        let first = try await client.response(for: request), second = try await client.response(for: request)
        #expect(first.metadata.cacheStatus?.isStored == true)
        #expect(second.metadata.cacheStatus?.wasValidated == true)
        #expect(try second.body == Servers.data("www/1m"))
    }

    @Test("A stored file serves a range request with the same response as nginx")
    func range() async throws {
        let client = try client(MemoryCacheStore())
        let url = try Servers.url("HTTP", "/1m", scheme: "http")
        _ = try await client.send(Request<Data>.get(url: url))
        var part = Request<Data>.get(url: url, headers: ["Range": "bytes=1000-1999"])
        part.options.cachePolicy = .cacheOnly
        let stored = try await client.response(for: part)
        part.options.cachePolicy = .reload
        let served = try await client.response(for: part)
        #expect(stored.status == .partialContent && stored.body == served.body && stored.body.count == 1_000)
        #expect(stored.headers["Content-Range"] == served.headers["Content-Range"])
    }

    @Test("A stored part is completed by requesting the rest")
    func completed() async throws {
        let client = try client(MemoryCacheStore())
        let url = try Servers.url("HTTP", "/1m", scheme: "http")
        _ = try await client.send(Request<Data>.get(url: url, headers: ["Range": "bytes=0-499999"]))
        let whole = try await client.response(for: Request<Data>.get(url: url))
        #expect(whole.status == .ok && whole.metadata.cacheStatus?.forwardStatus == .partialContent)
        #expect(try whole.body == Servers.data("www/1m"))
    }

    @Test("A file of 50 MB is streamed to the disk cache and served from it")
    func large() async throws {
        let file = URL(fileURLWithPath: try Servers.path("cache-\(UUID().uuidString).sqlite"))
        let client = try client(SQLiteCacheStore(at: file))
        var request = Request<Data>.get(url: try Servers.url("HTTP", "/50m", scheme: "http"))
        for isHit in [false, true] {
            let response = try await client.stream(request)
            var bytes = Data()
            for try await chunk in response.body { bytes.append(chunk) }
            #expect(response.metadata.cacheStatus?.isHit == isHit)
            #expect(try bytes == Servers.data("www/50m"))
            request.options.cachePolicy = .cacheOnly
        }
    }
}
