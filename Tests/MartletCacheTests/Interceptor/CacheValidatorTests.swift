import Foundation
import MartletTesting
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: validators that are invalid in a request", .timeLimit(.minutes(5)))
struct CacheValidatorTests {
    /// Fields of responses that are stale immediately and have at least one invalid validator.
    private static let heads: [HTTPFields] = [
        ["ETag": "\"a\u{1}b\""], ["Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT\u{1}"],
        ["ETag": "\"good\"", "Last-Modified": "Mon\u{1}, 01 Jan 2024 00:00:00 GMT"],
        ["ETag": "\"a\u{1}b\"", "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"],
        ["ETag": "\"a\"", "etag": "\"b\u{7F}\""], ["ETag": "\"good\"", "Last-Modified": "yesterday\u{1}"],
    ]

    @Test("An invalid validator is not stored, and the next call validates with the valid one if any", arguments: heads.indices)
    func dropped(_ index: Int) async throws {
        let store = MemoryCacheStore()
        var head = Self.heads[index]
        head[.cacheControl] = "max-age=5"
        let fields = head
        let cached = CachedClient(MockTransport { _ in .text("x", headers: fields) }, store: store)
        for _ in 0..<3 {
            #expect(try await cached.get().text == "x")
            cached.time.advance(by: .seconds(6))
        }
        #expect(cached.count == 3)
        #expect(cached.sent.allSatisfy { $0.firstInvalidLine == nil })
        let kept = try await store.entries(for: CacheKey(uri: "https://birds.test/x", scope: "")).map(\.response.headers)
        #expect(kept.allSatisfy { $0.firstInvalidLine == nil })
    }

    @Test("An invalid validator in a 304 or a HEAD response is not added to the stored response")
    func updates() async throws {
        let cached = CachedClient(
            MockTransport { request in
                request.headers.contains(.ifNoneMatch)
                    ? .status(304, headers: [.cacheControl: "max-age=5", .lastModified: "Mon\u{1}"])
                    : .text("x", headers: [.cacheControl: "max-age=5", .eTag: "\"good\""])
            })
        for method in [HTTPMethod.get, .get, .head, .get, .get] {
            _ = try await cached.get("x", method: method)
            cached.time.advance(by: .seconds(6))
        }
        #expect(cached.sent.allSatisfy { $0.firstInvalidLine == nil })
    }

    @Test("An invalid validator in an entry of an older version is ignored when the entry is read")
    func read() throws {
        let stored = CacheSample.stored(["ETag": "\"a\u{1}b\"", "Last-Modified": "Mon\u{1}", "X-App": "1"])
        #expect(stored.headers == ["X-App": "1"] && !Preconditions.canValidate(stored))
        let valid: HTTPFields = ["ETag": "\"caf\u{E9}\"", "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"]
        #expect(CacheSample.stored(valid).headers == valid)
    }
}
