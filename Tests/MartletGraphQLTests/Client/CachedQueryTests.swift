import Foundation
import Martlet
import MartletGraphQL
import MartletSystem
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CachedQueryTests {
    struct Rename: GraphQLMutation {
        struct Data: Decodable, Sendable { let rename: HeroData.Hero? }
        static let document: GraphQLDocument = "mutation Rename($name: String!) { rename(name: $name) { name } }"
        let name: String
    }

    private let time = ManualTime()

    /// A server with a hero that can be renamed.
    private func server(
        _ cache: GraphQLDocumentCache, policy: GraphQLCachePolicy = .cacheFirst, scope: (@Sendable () async -> String)? = nil
    ) -> (client: GraphQLClient, transport: MockTransport) {
        let name = Locked("Luke")
        return graphQL(configuration: .init(cache: cache, cachePolicy: policy, scope: scope)) { request in
            if request.json?["operationName"] == "Rename" {
                name.withLock { $0 = request.json?["variables"]?["name"]?.stringValue ?? "" }
                return .json(#"{"data":{"rename":{"name":"x","__typename":"Hero"}}}"#)
            }
            return .json(#"{"data":{"hero":{"name":"\#(name.withLock { $0 })","__typename":"Hero"}}}"#)
        }
    }

    private var cache: GraphQLDocumentCache { GraphQLDocumentCache(timeToLive: .seconds(60), time: time) }

    private func name(_ client: GraphQLClient, _ policy: GraphQLCachePolicy? = nil, id: String = "1") async throws -> String? {
        try await client.execute(HeroQuery(id: id), options: .init(cachePolicy: policy)).hero?.name
    }

    @Test("A fresh cached response is used, and its source is the cache")
    func cacheFirst() async throws {
        let (client, transport) = server(cache)
        #expect(try await client.response(for: HeroQuery(id: "1")).cacheAge == nil)
        time.advance(by: .seconds(7))
        let again = try await client.response(for: HeroQuery(id: "1"))
        #expect(again.cacheAge == .seconds(7))
        #expect(again.result == .complete(HeroData(hero: .init(name: "Luke"))))
        #expect(transport.requests.count == 1)
        time.advance(by: .seconds(53))
        #expect(try await client.response(for: HeroQuery(id: "1")).cacheAge == nil)
    }

    @Test("Different variables, fields and users have separate responses")
    func keys() async throws {
        let user = Locked("ann")
        let (client, transport) = server(cache, scope: { user.withLock { $0 } })
        _ = try await name(client)
        _ = try await name(client, id: "2")
        _ = try await client.execute(HeroQuery(id: "1"), options: .init(headers: [.authorization: "Bearer b"]))
        user.withLock { $0 = "bob" }
        _ = try await name(client)
        #expect(transport.requests.count == 4)
    }

    @Test("A mutation invalidates the responses that contain a type of its own response")
    func mutation() async throws {
        let (client, transport) = server(cache)
        #expect(try await name(client) == "Luke")
        _ = try await client.execute(Rename(name: "Leia"))
        #expect(try await name(client) == "Leia")
        #expect(transport.requests.count == 3)
    }

    @Test("A mutation in a batch invalidates responses too")
    func batch() async throws {
        let cache = cache
        let (client, _) = graphQL(configuration: .init(cache: cache)) { request in
            request.json?.arrayValue == nil
                ? .json(#"{"data":{"hero":{"name":"a","__typename":"Hero"}}}"#)
                : .json(#"[{"data":{"rename":{"name":"x","__typename":"Hero"}}}]"#)
        }
        _ = try await name(client)
        #expect(cache.count == 1)
        _ = try await client.batch([Rename(name: "b")])
        #expect(cache.count == 0)
    }

    @Test("A mutation whose types are unknown clears the cache, and a query whose types are unknown is not stored")
    func unknownTypes() async throws {
        let cache = cache
        let many = (0...1000).map { #"{"__typename":"T\#($0)"}"# }.joined(separator: ",")
        let (client, _) = graphQL(configuration: .init(cache: cache)) { request in
            if request.json?["operationName"] == "Rename" { return .json(#"{"data":{"rename":null,"more":[\#(many)]}}"#) }
            return .json(#"{"data":{"hero":null,"more":[\#(request.json?["variables"]?["id"] == "2" ? many : "")]}}"#)
        }
        _ = try await name(client)
        _ = try await name(client, id: "2")
        #expect(cache.count == 1)
        _ = try await client.execute(Rename(name: "a"))
        #expect(cache.count == 0)
    }

    @Test("Types named in the options are invalidated even if the mutation fails")
    func byHand() async throws {
        let cache = cache
        let (client, _) = graphQL(configuration: .init(cache: cache)) { request in
            request.json?["operationName"] == "Rename" ? .status(503) : .json(#"{"data":{"hero":null}}"#)
        }
        _ = try await client.execute(HeroQuery(id: "1"), options: .init(cacheTypes: ["Hero"]))
        #expect(cache.count == 1)
        await #expect(throws: GraphQLError.self) {
            try await client.execute(Rename(name: "a"), options: .init(cacheTypes: ["Hero"]))
        }
        #expect(cache.count == 0)
    }

    @Test("With a cache, __typename is added to the document, and without one the text is sent unchanged")
    func typenames() async throws {
        let (cached, with) = server(cache)
        _ = try await name(cached)
        #expect(with.requests.first?.json?["query"]?.stringValue?.contains("__typename") == true)
        let (plain, without) = graphQL { _ in .json(#"{"data":{"hero":null}}"#) }
        _ = try await name(plain)
        #expect(without.requests.first?.json?["query"] == .string(HeroQuery.document.text))
    }

    @Test("Documents with a safelisted ID are sent unchanged")
    func safelisted() async throws {
        let seen = Recorder<String>()
        let configuration = GraphQLClient.Configuration(
            persistedQueries: .safelisted { operation in
                seen.append(operation.document.text)
                return "id"
            }, cache: cache)
        let (client, _) = graphQL(configuration: configuration) { _ in .json(#"{"data":{"hero":null}}"#) }
        _ = try await name(client)
        #expect(Set(seen.values) == [HeroQuery.document.text])
    }

    @Test("Responses with errors are not stored")
    func errors() async throws {
        let (client, transport) = graphQL(configuration: .init(cache: cache)) { _ in
            .json(#"{"data":{"hero":null},"errors":[{"message":"m"}]}"#)
        }
        for _ in 0..<2 { _ = try await client.result(of: HeroQuery(id: "1")) }
        #expect(transport.requests.count == 2)
    }

    @Test("networkOnly stores, cacheOnly never sends a request, and noStore neither reads nor stores")
    func policies() async throws {
        let cache = cache
        let (client, transport) = server(cache)
        await #expect(throws: GraphQLError.notCached) { try await name(client, .cacheOnly) }
        _ = try await name(client, .noStore)
        #expect(cache.count == 0)
        _ = try await name(client, .networkOnly)
        _ = try await name(client, .networkOnly)
        #expect(transport.requests.count == 3)
        _ = try await name(client, .cacheOnly)
        #expect(transport.requests.count == 3)
    }

    @Test("With cacheAndNetwork, a call returns a stored response of any age and updates the cache in the background")
    func behind() async throws {
        let (client, transport) = server(cache)
        _ = try await name(client)
        time.advance(by: .seconds(100))
        let old = try await client.response(for: HeroQuery(id: "1"), options: .init(cachePolicy: .cacheAndNetwork))
        #expect(old.cacheAge == .seconds(100))
        try await transport.waitForRequests(2)
    }

    @Test("Values are the stored response and then the server's")
    func values() async throws {
        let (client, transport) = server(cache)
        var ages: [Duration?] = []
        for try await response in client.values(HeroQuery(id: "1")) { ages.append(response.cacheAge) }
        #expect(ages == [nil])
        ages = []
        for try await response in client.values(HeroQuery(id: "1")) { ages.append(response.cacheAge) }
        #expect(ages == [.zero, nil])
        #expect(transport.requests.count == 2)
    }

    @Test("The error policy applies to values")
    func valuesPolicy() async throws {
        let (client, _) = graphQL(configuration: .init(cache: cache)) { _ in .json(#"{"data":{"hero":null},"errors":[{"message":"m"}]}"#) }
        var results: [GraphQLResult<HeroData>] = []
        for try await response in client.values(HeroQuery(id: "1"), options: .init(errorPolicy: .ignore)) {
            results.append(response.result)
        }
        #expect(results == [.complete(HeroData(hero: nil))])
    }

    @Test("If the server fails, the stored response is delivered before the error")
    func valuesOffline() async throws {
        let isDown = Locked(false)
        let (client, _) = graphQL(configuration: .init(cache: cache)) { _ in
            isDown.withLock { $0 } ? .status(503) : .json(#"{"data":{"hero":null}}"#)
        }
        _ = try await name(client)
        isDown.withLock { $0 = true }
        var values = client.values(HeroQuery(id: "1")).makeAsyncIterator()
        #expect(try await values.next()?.cacheAge == .zero)
        await #expect(throws: GraphQLError.self) { _ = try await values.next() }
        #expect(try await values.next() == nil)
    }

    @Test("A stored response that does not match the requested type is requested again")
    func otherType() async throws {
        struct Other: Decodable, Sendable { let villain: String? }
        let (client, transport) = graphQL(configuration: .init(cache: cache)) { _ in .json(#"{"data":{"hero":{"name":"a"}}}"#) }
        _ = try await client.execute(HeroQuery(id: "1").operation.decoding(as: Other.self))
        _ = try await name(client)
        #expect(transport.requests.count == 1)
        struct Strict: Decodable, Sendable { let villain: String }
        await #expect(throws: GraphQLError.self) { try await client.execute(HeroQuery(id: "1").operation.decoding(as: Strict.self)) }
        #expect(transport.requests.count == 2)
    }

    @Test("cacheOnly without a cache throws and sends nothing")
    func cacheOnlyWithoutCache() async throws {
        let (client, transport) = graphQL { _ in .json(#"{"data":{"hero":null}}"#) }
        await #expect(throws: GraphQLError.notCached) { try await name(client, .cacheOnly) }
        #expect(transport.requests.isEmpty)
    }

    @Test("A query after a mutation does not share a request sent before it")
    func afterMutation() async throws {
        let gate = Gate()
        let asked = Recorder<String>()
        let (client, _) = graphQL(configuration: .init(deduplicatesQueries: true)) { request in
            let name = request.json?["operationName"]?.stringValue ?? ""
            asked.append(name)
            if name == "Rename" { return .json(#"{"data":{"rename":null}}"#) }
            if asked.values.filter({ $0 == "Hero" }).count == 1 {
                await gate.pass()
                return .json(#"{"data":{"hero":{"name":"old"}}}"#)
            }
            return .json(#"{"data":{"hero":{"name":"new"}}}"#)
        }
        let early = Task { try await client.execute(HeroQuery(id: "1")).hero?.name }
        _ = try await asked.first(1)
        _ = try await client.execute(Rename(name: "new"))
        #expect(try await client.execute(HeroQuery(id: "1")).hero?.name == "new")
        gate.open()
        #expect(try await early.value == "old")
    }

    @Test("A mutation with incremental delivery invalidates the types named in its options")
    func updates() async throws {
        struct Renamed: Decodable, Sendable {}
        let cache = GraphQLDocumentCache()
        let transport = MockTransport { request in
            .json(
                request.text?.contains("mutation") == true
                    ? #"{"data":{"rename":1}}"# : #"{"data":{"hero":{"__typename":"Hero","name":"a"}}}"#)
        }
        let client = Wire.client(transport, configuration: .init(cache: cache))
        _ = try await client.execute(Wire.hero)
        let options = GraphQLCallOptions(cacheTypes: ["Hero"])
        for try await _ in client.updates(GraphQLOperation<Renamed>("mutation { rename }"), options: options) {}
        #expect(cache.count == 0)
    }

    @Test("Without a clock of its own, the cache measures freshness by the clock of the HTTP client")
    func inheritedTime() async throws {
        let transport = MockTransport { _ in .json(#"{"data":{"hero":{"name":"Luke","__typename":"Hero"}}}"#) }
        let http = HTTPClient(baseURL: URL(string: "https://api.example/"), transport: transport, time: time)
        let client = GraphQLClient(http, configuration: .init(cache: GraphQLDocumentCache(timeToLive: .seconds(60))))
        _ = try await name(client)
        time.advance(by: .seconds(59))
        #expect(try await client.response(for: HeroQuery(id: "1")).cacheAge == .seconds(59))
        time.advance(by: .seconds(2))
        _ = try await name(client)
        #expect(transport.requests.count == 2)
    }
}
