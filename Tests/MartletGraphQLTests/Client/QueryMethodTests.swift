import MartletEssentials
import MartletGraphQL
import MartletTesting
import Testing

@Suite("Queries by GET", .timeLimit(.minutes(5)))
struct QueryMethodTests {
    private func get(_ maxGETBytes: Int = 8_000) -> GraphQLClient.Configuration { .init(sendsQueriesByGET: true, maxGETBytes: maxGETBytes) }

    @Test("A query's parameters are strictly escaped query items, and objects are JSON text (GraphQL over HTTP §5.3)")
    func items() async throws {
        let transport = MockTransport { _ in .json(Wire.swift) }
        let client = Wire.client(transport, configuration: get())
        let operation = Wire.hero.setting("id", to: "a+b &=#é\"{}")
        _ = try await client.execute(operation, options: GraphQLCallOptions(extensions: ["a": [1, "x"]]))
        let request = try #require(transport.requests.first)
        #expect(request.method == .get && request.body == nil && request.headers[.contentType] == nil)
        #expect(request.headers["Apollo-Require-Preflight"] == "true")
        #expect(request.headers[.accept] == "application/graphql-response+json, application/json;q=0.9")
        #expect(
            request.items == [
                "query": Wire.heroText, "operationName": "Hero", "variables": #"{"id":"a+b &=#é\"{}"}"#, "extensions": #"{"a":[1,"x"]}"#,
            ])
        let query = try #require(request.url.query(percentEncoded: true))
        #expect(query.contains("a%2Bb%20%26%3D%23%C3%A9%5C%22%7B%7D") && query.contains("query=query%20Hero%28%24id%3A%20ID%21%29"))
    }

    @Test("Empty parameters are left out")
    func empty() async throws {
        let transport = MockTransport { _ in .json(#"{"data":{"hero":null}}"#) }
        _ = try await Wire.client(transport, configuration: get()).execute(GraphQLOperation<Wire.HeroData>("{ hero { name } }"))
        struct HeroQuery: GraphQLQuery {
            typealias Data = Wire.HeroData
            static let document: GraphQLDocument = "{ hero { name } }"
        }
        _ = try await Wire.client(transport, configuration: get()).execute(HeroQuery())
        #expect(transport.requests.map(\.items) == [["query": "{ hero { name } }"], ["query": "{ hero { name } }"]])
    }

    @Test("A call's own method overrides the client's")
    func perCall() async throws {
        let transport = MockTransport { _ in .json(Wire.swift) }
        _ = try await Wire.client(transport).execute(Wire.hero, options: GraphQLCallOptions(sendsQueriesByGET: true))
        _ = try await Wire.client(transport, configuration: get()).execute(Wire.hero, options: GraphQLCallOptions(sendsQueriesByGET: false))
        #expect(transport.requests.map(\.method) == [.get, .post])
        #expect(transport.requests[1].headers["Apollo-Require-Preflight"] == nil)
    }

    @Test("Mutations use POST, and a mutation by GET is not sent")
    func mutations() async throws {
        let transport = MockTransport { _ in .json(#"{"data":{"rename":"A"}}"#) }
        let client = Wire.client(transport, configuration: get())
        _ = try await client.execute(Wire.rename)
        let error = await #expect(throws: GraphQLError.self) {
            try await client.execute(Wire.rename, options: GraphQLCallOptions(sendsQueriesByGET: true))
        }
        guard case .invalidOperation? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requests.map(\.method) == [.post])
    }

    @Test("A URL at the limit uses GET, and a longer one uses POST")
    func limit() async throws {
        let transport = MockTransport { _ in .json(Wire.swift) }
        _ = try await Wire.client(transport, configuration: get()).execute(Wire.hero)
        let length = try #require(transport.requests.first).url.absoluteString.utf8.count
        _ = try await Wire.client(transport, configuration: get(length)).execute(Wire.hero)
        _ = try await Wire.client(transport, configuration: get(length - 1)).execute(Wire.hero)
        let long = Wire.hero.setting("id", to: .string(String(repeating: "x", count: 8_000)))
        _ = try await Wire.client(transport, configuration: get()).execute(long)
        #expect(transport.requests.map(\.method) == [.get, .get, .post, .post])
        #expect(transport.requests[2].headers["Apollo-Require-Preflight"] == nil && transport.requests[2].json?["variables"] == ["id": "1"])
    }

    @Test("An absolute URL keeps its own query")
    func fullURL() async throws {
        let transport = MockTransport { _ in .json(Wire.swift) }
        let url = try #require(URL(string: "https://other.example/g?key=1"))
        _ = try await GraphQLClient(Wire.http(transport), url: url, configuration: get()).execute(Wire.hero)
        #expect(transport.requests.first?.items["key"] == "1" && transport.requests.first?.items["operationName"] == "Hero")
    }
}

@Suite("Queries are retried, mutations are not", .timeLimit(.minutes(5)))
struct GraphQLIdempotencyTests {
    private func retry(_ time: ManualTime) -> RetryInterceptor { RetryInterceptor(.standard, time: time) }

    @Test("A query by POST is retried after a 503, and a mutation is not")
    func retries() async throws {
        let time = ManualTime()
        let transport = MockTransport(.status(503), .json(Wire.swift), .status(503), time: time)
        let client = Wire.client(transport, [retry(time)], time: time)
        let data = try await client.execute(Wire.hero)
        #expect(data.hero != nil && transport.requests.map(\.method) == [.post, .post])
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(Wire.rename) }
        #expect(error?.response?.status == 503 && transport.requests.count == 3)
    }

    @Test("A query by POST is retried after a lost connection, and a mutation is not")
    func connections() async throws {
        let time = ManualTime()
        let transport = MockTransport(.disconnect, .json(Wire.swift), .disconnect, time: time)
        let client = Wire.client(transport, [retry(time)], time: time)
        _ = try await client.execute(Wire.hero)
        await #expect(throws: GraphQLError.self) { try await client.execute(Wire.rename) }
        #expect(transport.requests.count == 3)
    }

    @Test("A mutation with an Idempotency-Key is retried")
    func idempotencyKey() async throws {
        let time = ManualTime()
        let transport = MockTransport(.status(503), .json(#"{"data":{"rename":"A"}}"#), time: time)
        let options = GraphQLCallOptions(headers: ["Idempotency-Key": "1"])
        _ = try await Wire.client(transport, [retry(time)], time: time).execute(Wire.rename, options: options)
        #expect(transport.requests.count == 2)
    }

    @Test("A query and a mutation follow a 307 and a 308 with method and body", arguments: [307, 308] as [HTTPStatus])
    func redirects(status: HTTPStatus) async throws {
        for operation in [Wire.hero.erased, Wire.rename.erased] {
            let transport = MockTransport(
                .status(status, headers: [.location: "/elsewhere"]), .json(#"{"data":{"hero":{"name":"Swift"},"rename":"A"}}"#))
            let client = Wire.client(transport)
            if operation.kind == .query { _ = try await client.execute(Wire.hero) } else { _ = try await client.execute(Wire.rename) }
            #expect(transport.requests.map(\.method) == [.post, .post] && transport.requests[0].text == transport.requests[1].text)
            #expect(transport.requests[1].url.path == "/elsewhere")
        }
    }
}
