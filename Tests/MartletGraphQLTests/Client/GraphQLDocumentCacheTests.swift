import Foundation
import MartletTesting
import Testing

@testable import MartletGraphQL

@Suite(.timeLimit(.minutes(5))) struct GraphQLDocumentCacheTests {
    private let time = ManualTime()

    private func key(_ name: String, scope: String = "", headers: HTTPFields = [:]) -> GraphQLDocumentCache.Key {
        .init(
            target: "graphql", payload: Data(name.utf8), headers: headers, scope: scope,
            identity: RequestIdentity(of: HTTPRequest(url: URL(filePath: "/"), headers: headers)))
    }

    private func response(_ body: String) -> HTTPResponse<Data> {
        HTTPResponse(status: .ok, headers: [.setCookie: "a=b", "X-A": "1"], body: Data(body.utf8))
    }

    private func store(_ cache: GraphQLDocumentCache, _ name: String, _ types: Set<String> = [], body: String = "{}", ttl: Duration? = nil)
    {
        cache.store(response(body), types: types, for: key(name), timeToLive: ttl, since: cache.moment)
    }

    private func has(_ cache: GraphQLDocumentCache, _ name: String, freshOnly: Bool = true) -> Bool {
        cache.answer(for: key(name), freshOnly: freshOnly) != nil
    }

    @Test("A response is fresh for its time to live, and stays available after it to callers that accept any age")
    func timeToLive() {
        let cache = GraphQLDocumentCache(timeToLive: .seconds(10), time: time)
        store(cache, "A")
        store(cache, "B", ttl: .seconds(30))
        time.advance(by: .seconds(10))
        #expect(!has(cache, "A"))
        #expect(has(cache, "A", freshOnly: false))
        #expect(cache.answer(for: key("B"), freshOnly: true)?.age == .seconds(10))
    }

    @Test("Invalidating types removes only the responses that contain one of them")
    func invalidation() {
        let cache = GraphQLDocumentCache(time: time)
        store(cache, "A", ["Hero", "Film"])
        store(cache, "B", ["Planet"])
        cache.invalidate(types: ["Film", "Ship"])
        #expect(!has(cache, "A", freshOnly: false))
        #expect(has(cache, "B"))
    }

    @Test("A response to a query sent before an invalidation of one of its types is not stored")
    func underWay() {
        let cache = GraphQLDocumentCache(time: time)
        let before = cache.moment
        cache.invalidate(types: ["Hero"])
        cache.store(response("{}"), types: ["Hero"], for: key("A"), timeToLive: nil, since: before)
        cache.store(response("{}"), types: ["Film"], for: key("B"), timeToLive: nil, since: before)
        #expect(!has(cache, "A"))
        #expect(has(cache, "B"))
        store(cache, "A", ["Hero"])
        #expect(has(cache, "A"))
    }

    @Test("Removing everything also keeps responses to queries in flight from being stored")
    func removeAll() {
        let cache = GraphQLDocumentCache(time: time)
        let before = cache.moment
        store(cache, "A")
        cache.removeAll()
        cache.store(response("{}"), types: [], for: key("B"), timeToLive: nil, since: before)
        #expect(cache.count == 0)
        #expect(cache.byteCount == 0)
    }

    @Test("When too many types have been invalidated to remember each, all earlier responses are stale")
    func manyTypes() {
        let cache = GraphQLDocumentCache(time: time)
        let before = cache.moment
        cache.invalidate(types: ["Hero"])
        cache.invalidate(types: Set((0..<10_001).map { "T\($0)" }))
        cache.store(response("{}"), types: ["Hero"], for: key("A"), timeToLive: nil, since: before)
        #expect(!has(cache, "A"))
    }

    @Test("Beyond the maximum number of responses, the least recently used one is removed")
    func maxEntries() {
        let cache = GraphQLDocumentCache(maxEntries: 2, time: time)
        store(cache, "A")
        store(cache, "B")
        _ = has(cache, "A")
        store(cache, "C")
        #expect(has(cache, "A") && !has(cache, "B") && has(cache, "C"))
    }

    @Test("Beyond the maximum size, the least recently used response is removed, and a response that is too large is not stored")
    func maxBytes() {
        // The size of the body, “graphql” and the name.
        let cache = GraphQLDocumentCache(maxBytes: 8 * 18, time: time)
        for number in 0..<9 { store(cache, "\(number)", body: "0123456789") }
        #expect(cache.byteCount == 8 * 18)
        #expect(!has(cache, "0") && has(cache, "8"))
        store(cache, "big", body: "0123456789-")
        #expect(!has(cache, "big"))
        store(cache, "8", body: "01")
        #expect(cache.byteCount == 7 * 18 + 10)
    }

    @Test("Different fields and different scopes have separate responses")
    func keys() {
        let cache = GraphQLDocumentCache(time: time)
        store(cache, "A")
        #expect(cache.answer(for: key("A", scope: "ann"), freshOnly: true) == nil)
        #expect(cache.answer(for: key("A", headers: [.authorization: "x"]), freshOnly: true) == nil)
    }

    @Test("Cookies are not stored")
    func cookies() {
        let cache = GraphQLDocumentCache(time: time)
        store(cache, "A")
        #expect(cache.answer(for: key("A"), freshOnly: true)?.response.headers == ["X-A": "1"])
    }

    @Test("Type names are found at every depth of the data and nowhere else")
    func typeNames() {
        let body = #"""
            {"data":{"__typename":"Query","heroes":[{"__typename":"Human","ships":[[{"__typename":"Ship"}]]},null]},
            "extensions":{"__typename":"Not"}}
            """#
        #expect(TypeNames.read(from: Data(body.utf8)) == ["Query", "Human", "Ship"])
        #expect(TypeNames.read(from: Data("[".utf8)) == nil)
        #expect(TypeNames.read(from: Data(#"{"data":null}"#.utf8)) == [])
        let many = (0...1000).map { #"{"__typename":"T\#($0)"}"# }.joined(separator: ",")
        #expect(TypeNames.read(from: Data(#"{"data":[\#(many)]}"#.utf8)) == nil)
    }

    @Test("The size of a response includes its key, because variables may be large")
    func keySizes() {
        let cache = GraphQLDocumentCache(maxBytes: 80_000, time: time)
        for index in 0..<20 { store(cache, "\(index)" + String(repeating: "x", count: 9_000)) }
        #expect(cache.count < 9 && cache.byteCount <= 80_000)
        store(cache, String(repeating: "y", count: 20_000))
        #expect(!has(cache, String(repeating: "y", count: 20_000)))
        cache.removeAll()
        #expect(cache.byteCount == 0)
    }
}
