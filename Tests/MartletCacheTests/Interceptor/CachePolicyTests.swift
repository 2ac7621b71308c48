import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCache

@Suite("CachePolicy, and the two responses of values(for:)", .timeLimit(.minutes(5)))
struct CachePolicyTests {
    static let all: [CachePolicy] = [.useProtocol, .reload, .cacheOnly, .cacheElseNetwork, .cacheAndNetwork]

    /// Stores “one”, which is fresh for ten seconds, and lets it age. The server then responds with “two”.
    private func stored(age: Int, _ directives: String = "", then reply: MockReply? = nil) async throws -> CachedClient {
        let cached = CachedClient(
            MockTransport(.text("one", headers: .fresh(10, directives, tag: "\"a\"")), reply ?? .text("two", headers: .fresh(10))))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(age))
        return cached
    }

    private func values(_ cached: CachedClient, _ policy: CachePolicy = .useProtocol) async throws -> [String] {
        var values: [String] = []
        for try await value in cached.client.values(CachedClient.request(policy: policy)) {
            values.append(String(decoding: value, as: UTF8.self))
        }
        return values
    }

    @Test("The opening of a WebSocket passes: no stored response answers it, and its refusal is not stored")
    func upgrade() async throws {
        let interceptor = CacheInterceptor(store: MemoryCacheStore())
        var request = HTTPRequest(method: .get, url: try #require(URL(string: "https://h/x")))
        _ = try await interceptor.run(request) { _ in .text("one", headers: .fresh(10)) }
        request.context.upgrade = ConnectionUpgrade()
        let (response, sent) = try await interceptor.run(request) { _ in .status(404, headers: .fresh(10)) }
        #expect(response.status == 404 && sent.count == 1)
        request.context.upgrade = nil
        #expect(try await interceptor.run(request) { _ in .status(500) }.response.body == Data("one".utf8))
    }

    @Test("The stored response and then the server's have the endpoint's type, or the type that the call names")
    func types() async throws {
        struct Number: Endpoint {
            typealias Response = Int
            let path: Path = "n"
        }
        struct Raw: Endpoint { let path: Path = "n" }
        func client() async throws -> HTTPClient {
            let cached = CachedClient(MockTransport(.json("1", headers: .fresh(10)), .json("2", headers: .fresh(10))))
            #expect(try await cached.client.send(Number()) == 1)
            cached.time.advance(by: .seconds(15))
            return cached.client
        }
        func all<S: AsyncSequence>(_ sequence: S) async throws -> [S.Element] {
            var elements: [S.Element] = []
            for try await element in sequence { elements.append(element) }
            return elements
        }
        #expect(try await all(client().values(Number())) == [1, 2])
        #expect(try await all(client().values(Raw(), as: Int.self)) == [1, 2])
        #expect(try await all(client().values(.get("n"), as: Int.self)) == [1, 2])
        #expect(try await all(client().responses(Number())).map(\.body) == [1, 2])
        #expect(try await all(client().responses(Raw(), as: Int.self)).map(\.body) == [1, 2])
        #expect(try await all(client().responses(.get("n"), as: Int.self)).map(\.body) == [1, 2])
    }

    @Test(
        "Each policy returns its value for a fresh, a stale and a missing response",
        arguments: zip(all, [("one", "two"), ("two", "two"), ("one", "one"), ("one", "one"), ("one", "one")]))
    func eachPolicy(policy: CachePolicy, texts: (fresh: String, stale: String)) async throws {
        for (age, text) in [(5, texts.fresh), (15, texts.stale)] {
            let cached = try await stored(age: age)
            #expect(try await cached.get(policy: policy).text == text)
            await cached.cache.finishRevalidations()
            let asks = text == "two" || policy == .cacheAndNetwork
            #expect(cached.count == (asks ? 2 : 1))
            if asks { #expect(try await cached.get().text == "two") }
        }
        let empty = CachedClient(MockTransport(.text("new", headers: .fresh())))
        #expect(try await empty.get(policy: policy).status == (policy == .cacheOnly ? .gatewayTimeout : .ok))
        #expect(empty.count == (policy == .cacheOnly ? 0 : 1))
    }

    @Test("reload adds no-cache unless the request has its own Cache-Control, and stores the response")
    func reload() async throws {
        let cached = try await stored(age: 1)
        #expect(try await cached.get(policy: .reload).cacheWords == "Martlet; fwd=request; stored")
        #expect(cached.sent[1][.cacheControl] == "no-cache" && !cached.sent[1].contains(.ifNoneMatch))
        cached.transport.enqueue(.text("three", headers: .fresh()))
        _ = try await cached.get("x", [.cacheControl: "max-age=0"], policy: .reload)
        #expect(cached.sent[2][.cacheControl] == "max-age=0")
        #expect(try await cached.get().text == "three")
    }

    @Test("A fresh stored response that replaces a failure is from the cache, and is not stale")
    func freshAfterFailure() async throws {
        let cached = try await stored(age: 5, "stale-if-error=60", then: .failure(.networkError(NetworkFailure(.offline))))
        var statuses: [CacheStatus] = []
        for try await response in cached.client.responses(CachedClient.request(policy: .cacheAndNetwork)) {
            statuses.append(try #require(response.metadata.cacheStatus))
        }
        #expect(statuses.map(\.isHit) == [true, false])
        #expect(statuses.map(\.isFromCache) == [true, true])
        #expect(statuses.map(\.isStale) == [false, false])
    }

    @Test("values(for:) returns a stale stored value and then the server's")
    func twoValues() async throws {
        #expect(try await values(stored(age: 15)) == ["one", "two"])
        #expect(try await values(stored(age: 5)) == ["one"])
        #expect(try await values(stored(age: 15, "stale-while-revalidate=60")) == ["one", "two"])
        #expect(try await values(stored(age: 15, "must-revalidate")) == ["two"])
        #expect(try await values(stored(age: 5, "no-cache")) == ["two"])
        #expect(try await values(stored(age: 15, then: .status(304, headers: .fresh(10)))) == ["one", "one"])
        let nothing = CachedClient(MockTransport(.text("new", headers: .fresh())))
        #expect(try await values(nothing) == ["new"])
    }

    @Test(
        "The cache policy applies to values(for:)",
        arguments: zip(all, [["one"], ["two"], ["one"], ["one"], ["one", "two"]]))
    func valuesByPolicy(policy: CachePolicy, texts: [String]) async throws {
        #expect(try await values(stored(age: 5), policy) == texts)
    }

    @Test("The responses say which is stale, and each iteration is a new call")
    func responses() async throws {
        let cached = try await stored(age: 15)
        let responses = cached.client.responses(CachedClient.request())
        #expect(cached.count == 1)
        var words: [String] = []
        for try await response in responses { words.append(response.cacheWords) }
        #expect(
            words == ["Martlet; hit; ttl=-5; detail=\"used during revalidation\"", "Martlet; fwd=stale; stored"])
        var again: [String] = []
        for try await response in responses { again.append(response.cacheWords) }
        #expect(again == ["Martlet; hit; ttl=10"])
    }

    @Test("A failure is thrown after the stored value and ends the sequence")
    func failureAfterStale() async throws {
        let cached = try await stored(age: 15, then: .disconnect)
        var iterator = cached.client.values(CachedClient.request()).makeAsyncIterator()
        #expect(try await iterator.next() == Data("one".utf8))
        await #expect(throws: HTTPError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("Leaving the loop after the first value ends the call")
    func leaving() async throws {
        let ended = OneShot<Void>()
        let cached = CachedClient(
            MockTransport { request in
                guard request.headers.contains(.ifNoneMatch) else { return .text("one", headers: .fresh(10, tag: "\"a\"")) }
                await withTaskCancellationHandler {
                    await ended.value()
                } onCancel: {
                    ended.set(())
                }
                throw HTTPError.cancelled
            })
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        for try await value in cached.client.values(CachedClient.request()) {
            #expect(value == Data("one".utf8))
            try await cached.transport.waitForRequests(2)
            break
        }
        await ended.value()
    }

    @Test("Cancelling a task that waits for the only response ends the call")
    func cancelled() async throws {
        let waiting = Task {
            var values = 0
            for try await _ in CachedClient(MockTransport(.silence)).client.values(CachedClient.request()) { values += 1 }
            return values
        }
        waiting.cancel()
        await #expect(throws: HTTPError.cancelled) { try await waiting.value }
    }

    @Test("A stored response with an unaccepted status or undecodable content is skipped")
    func unsuitable() async throws {
        let cached = CachedClient(
            MockTransport(
                .text("gone", status: 410, headers: .fresh(10)), .json("{\"a\": 1}"), .text("no number", headers: .fresh(10)), .json("7")))
        _ = try await cached.get("gone")
        _ = cached.transport
        cached.time.advance(by: .seconds(15))
        var texts: [String] = []
        for try await value in cached.client.values(Request<String>.get("gone")) { texts.append(value) }
        #expect(texts == ["{\"a\": 1}"])
        _ = try await cached.get("number")
        cached.time.advance(by: .seconds(15))
        var numbers: [Int] = []
        for try await value in cached.client.values(Request<Int>.get("number")) { numbers.append(value) }
        #expect(numbers == [7])
    }

    @Test("A stale redirect is skipped, and the stored response of the last hop is returned first")
    func redirected() async throws {
        let cached = CachedClient(
            MockTransport(
                .status(301, headers: [.location: "/new", .cacheControl: "max-age=10"]), .text("one", headers: .fresh(10)),
                .status(301, headers: [.location: "/new", .cacheControl: "max-age=10"]), .text("two", headers: .fresh(10))))
        var request = CachedClient.request("old")
        request.validation = .successCodes
        request.options.redirects = .follow()
        _ = try await cached.client.send(request)
        cached.time.advance(by: .seconds(15))
        var texts: [String] = []
        for try await value in cached.client.values(request) { texts.append(String(decoding: value, as: UTF8.self)) }
        #expect(texts == ["one", "two"])
    }

    @Test("Values are decoded as the requested type, and a mapped client throws its own errors")
    func typesAndErrors() async throws {
        struct Failed: Error, Equatable {}
        struct Mapper: ErrorMapper { func map(_ error: HTTPError) -> Failed { Failed() } }
        enum Birds: Endpoint {
            case all
            var path: Path { "birds" }
        }
        let cached = CachedClient(
            MockTransport(.json("[1]", headers: .fresh(10)), .json("[1,2]", headers: .fresh(10)), .disconnect))
        let client = cached.client.mappingErrors(Mapper())
        let first: [Int] = try await client.send(Birds.all)
        #expect(first == [1])
        cached.time.advance(by: .seconds(15))
        var values: [[Int]] = []
        for try await value in client.values(Birds.all, as: [Int].self) { values.append(value) }
        #expect(values == [[1], [1, 2]])
        cached.time.advance(by: .seconds(15))
        var words: [String] = []
        do throws(Failed) {
            for try await response in client.responses(Birds.all, as: [Int].self) {
                words.append("\(response.body) \(response.metadata.cacheStatus?.isStale == true)")
            }
            Issue.record("nothing was thrown")
        } catch { #expect(error == Failed()) }
        #expect(words == ["[1, 2] true"])
    }

    @Test("A stored response beyond the client's size limit is skipped")
    func longerThanTheLimit() async throws {
        let cached = try await stored(age: 15)
        var small = HTTPClient.Configuration(totalTimeout: nil, attemptTimeout: nil, idleTimeout: nil)
        small.limits.bodyBytes = 2
        let client = HTTPClient(
            baseURL: URL(string: "https://birds.test/"), transport: MockTransport(.text("2")), interceptors: [cached.cache],
            configuration: small, time: cached.time)
        var texts: [String] = []
        for try await value in client.values(CachedClient.request()) { texts.append(String(decoding: value, as: UTF8.self)) }
        #expect(texts == ["2"])
    }

    @Test("Without a cache, and with a mock, there is one value")
    func noCache() async throws {
        let client = HTTPClient(baseURL: URL(string: "https://birds.test/"), transport: MockTransport(.text("one")))
        var texts: [String] = []
        for try await value in client.values(Request<String>.get("x")) { texts.append(value) }
        let mock = HTTPClientMock()
        mock.result = .success(Data("two".utf8))
        for try await value in mock.values(Request<String>.get("x")) { texts.append(value) }
        #expect(texts == ["one", "two"])
        mock.result = .failure(.timeout)
        await #expect(throws: HTTPError.self) { for try await _ in mock.values(Request<String>.get("x")) {} }
    }
}
