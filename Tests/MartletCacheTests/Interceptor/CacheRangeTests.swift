import Foundation
import MartletTesting
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: partial responses", .timeLimit(.minutes(5)))
struct CacheRangeTests {
    private func part(_ text: String, _ range: String, tag: String? = "\"a\"", seconds: Int = 60) -> MockReply {
        var fields = HTTPFields.fresh(seconds, tag: tag)
        fields[.contentRange] = "bytes \(range)"
        return .text(text, status: 206, headers: fields)
    }

    @Test(
        "A range is served from the stored whole (RFC 9110 §14.2)",
        arguments: [("bytes=2-4", "234", "2-4"), ("bytes=7-", "789", "7-9"), ("bytes=-3", "789", "7-9"), ("bytes=5-99", "56789", "5-9")])
    func fromWhole(range: String, text: String, bounds: String) async throws {
        let cached = CachedClient(MockTransport(.text("0123456789", headers: .fresh(60, tag: "\"a\""))))
        _ = try await cached.get()
        let response = try await cached.get("x", [.range: range])
        #expect(response.status == .partialContent && response.text == text && response.cacheStatus?.isHit == true)
        #expect(response.headers[.contentRange] == "bytes \(bounds)/10" && response.headers[.contentLength] == "\(text.count)")
        #expect(cached.count == 1)
    }

    @Test("An unsatisfiable range and several ranges are forwarded to the server")
    func unsatisfiable() async throws {
        let cached = CachedClient(MockTransport(.text("0123456789", headers: .fresh(60, tag: "\"a\"")), .status(416), .status(416)))
        _ = try await cached.get()
        #expect(try await cached.get("x", [.range: "bytes=10-"]).status == 416)
        #expect(try await cached.get("x", [.range: "bytes=0-1,3-4"]).status == 416)
        #expect(try await cached.get().text == "0123456789")
        #expect(cached.count == 3)
    }

    @Test("If-Range needs the same strong validator, otherwise the whole is returned (RFC 9110 §13.1.5)")
    func ifRange() async throws {
        let cached = CachedClient(MockTransport(.text("0123456789", headers: .fresh(60, tag: "\"a\""))))
        _ = try await cached.get()
        #expect(try await cached.get("x", [.range: "bytes=0-1", .ifRange: "\"a\""]).text == "01")
        #expect(try await cached.get("x", [.range: "bytes=0-1", .ifRange: "\"b\""]).text == "0123456789")
        #expect(try await cached.get("x", [.range: "bytes=0-1", .ifRange: "W/\"a\""]).status == .ok)
        #expect(cached.count == 1)
    }

    @Test("A stored part serves ranges within it, and is completed for a request of the whole (RFC 9111 §3.3, §3.4)")
    func completing() async throws {
        let cached = CachedClient(MockTransport(part("01234", "0-4/10"), part("56789", "5-9/10")))
        let first = try await cached.get("x", [.range: "bytes=0-4"])
        #expect(first.status == .partialContent && first.cacheStatus?.isStored == true)
        let inside = try await cached.get("x", [.range: "bytes=1-3"])
        #expect(inside.text == "123" && inside.headers[.contentRange] == "bytes 1-3/10" && inside.cacheStatus?.isHit == true)
        let whole = try await cached.get()
        #expect(whole.status == .ok && whole.text == "0123456789" && whole.headers[.contentLength] == "10")
        #expect(whole.headers[.contentRange] == nil)
        #expect(cached.sent[1][.range] == "bytes=5-" && cached.sent[1][.ifRange] == "\"a\"")
        #expect(try await cached.get().cacheStatus?.isHit == true)
        #expect(cached.count == 2)
    }

    @Test(
        "Parts with a different, weak or missing validator are not combined, and the whole is requested (§3.4)",
        arguments: [("\"a\"", "\"b\""), ("W/\"a\"", "W/\"a\""), ("\"a\"", nil), (nil, nil)] as [(String?, String?)])
    func neverMixed(first: String?, second: String?) async throws {
        let cached = CachedClient(
            MockTransport(part("01234", "0-4/10", tag: first), part("FGHIJ", "5-9/10", tag: second), .text("ABCDEFGHIJ")))
        _ = try await cached.get("x", [.range: "bytes=0-4"])
        #expect(try await cached.get().text == "ABCDEFGHIJ")
        #expect(!cached.sent[2].contains(.range) && !cached.sent[2].contains(.ifRange))
    }

    @Test("If the server completes a part with the whole or an error, that response is used", arguments: [200, 500, 404])
    func completedByOther(status: Int) async throws {
        let other = HTTPStatus(rawValue: status)
        let cached = CachedClient(MockTransport(part("01234", "0-4/10"), .text("whole", status: other)))
        _ = try await cached.get("x", [.range: "bytes=0-4"])
        let response = try await cached.get()
        #expect(response.status == other && response.text == "whole")
    }

    @Test("Two adjacent parts are combined and serve ranges over both")
    func union() async throws {
        let cached = CachedClient(MockTransport(part("234", "2-4/10"), part("567", "5-7/10"), part("89", "8-9/10")))
        _ = try await cached.get("x", [.range: "bytes=2-4"])
        #expect(try await cached.get("x", [.range: "bytes=5-7"]).text == "567")
        let both = try await cached.get("x", [.range: "bytes=3-6"])
        #expect(both.text == "3456" && both.cacheStatus?.isHit == true && both.headers[.contentRange] == "bytes 3-6/10")
        #expect(try await cached.get("x", [.range: "bytes=8-9"]).cacheStatus?.isHit == false)
        #expect(try await cached.get("x", [.range: "bytes=-4"]).text == "6789")
        #expect(cached.count == 3)
    }

    @Test("A stored body that is a stream serves ranges, whatever its chunks")
    func streamedStore() async throws {
        let bytes = Data((0..<1000).map { UInt8($0 % 251) })
        let cached = CachedClient(
            MockTransport(.data(bytes, headers: .fresh(60, tag: "\"a\""))), store: FilteredStore.chunked(7))
        _ = try await cached.get()
        for (range, bounds) in [("bytes=0-0", 0..<1), ("bytes=6-8", 6..<9), ("bytes=500-", 500..<1000), ("bytes=-1", 999..<1000)] {
            let response = try await cached.get("x", [.range: range])
            #expect(response.body == bytes[bounds] && response.cacheStatus?.isHit == true)
        }
        let streamed = try await cached.stream("x", [.range: "bytes=10-29"])
        #expect(try await streamed.body.collect() == bytes[10..<30])
        #expect(cached.count == 1)
    }

    @Test("A part with fewer bytes than it declares serves those bytes and is never combined")
    func shortPart() async throws {
        let cached = CachedClient(MockTransport(part("01234", "4-9/10"), part("0123", "0-3/10"), .text("whole")))
        _ = try await cached.get("x", [.range: "bytes=-5"])
        #expect(try await cached.get("x", [.range: "bytes=6-8"]).text == "234")
        #expect(try await cached.get("x", [.range: "bytes=-1"]).text == "4")
        #expect(try await cached.get("x", [.range: "bytes=0-3"]).text == "0123")
        #expect(try await cached.get().text == "whole")
        #expect(cached.count == 3)
    }

    @Test(
        "A part with more bytes than it declares is not stored",
        arguments: ["0-4/10", "0-0/10", "9223372036854775806-9223372036854775806/*", "9223372036854775000-9223372036854775806/*"],
        [true, false])
    func lyingRange(range: String, isStreamed: Bool) async throws {
        let cached = CachedClient(MockTransport { _ in part("01234567", range).chunked(3) })
        for wanted in ["bytes=0-4", "bytes=-1", "bytes=9223372036854775806-", "bytes=9223372036854775806-9223372036854775806"] {
            if isStreamed {
                let response = try await cached.stream("x", [.range: wanted])
                #expect(try await response.body.collect() == Data("01234567".utf8))
            } else {
                #expect(try await cached.get("x", [.range: wanted]).text == "01234567")
            }
        }
        #expect(cached.count == 4)
    }
}
