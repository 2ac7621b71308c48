import MartletEssentials
import MartletGraphQL
import MartletSystem
import MartletTesting
import Testing

@Suite("Persisted queries", .timeLimit(.minutes(5)))
struct PersistedQueriesTests {
    private static let notFound =
        #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
    private static let notSupported = #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#
    /// Computed with `sha256sum`.
    private static let hash = "6cf52146d63139fcdabb0b478893b38a3a27ba09ca4da08847122de7e1216b49"

    private func client(_ transport: MockTransport, _ queries: PersistedQueries, time: any TimeSource = .system) -> GraphQLClient {
        Wire.client(transport, time: time, configuration: .init(persistedQueries: queries))
    }

    private func hash(_ request: HTTPRequest) -> JSONValue? { request.json?["extensions"]?["persistedQuery"]?["sha256Hash"] }

    @Test("The hash is sent alone first, and with the document if the server does not know it")
    func automatic() async throws {
        let transport = MockTransport(.json(Self.notFound), .json(Wire.swift), .json(Wire.swift))
        let client = client(transport, .automatic())
        for _ in 0..<2 {
            let data = try await client.execute(Wire.hero)
            #expect(data.hero?.name == "Swift")
        }
        let requests = transport.requests
        #expect(requests.map { $0.json?["query"] } == [nil, .string(Wire.heroText), nil])
        #expect(requests.map { hash($0) } == Array(repeating: .string(Self.hash), count: 3))
        #expect(requests.allSatisfy { $0.json?["extensions"]?["persistedQuery"]?["version"] == 1 && $0.method == .post })
        #expect(requests.allSatisfy { $0.json?["variables"] == ["id": "1"] && $0.json?["operationName"] == "Hero" })
    }

    @Test("If configured, a query's hash is sent by GET; documents and mutations use POST")
    func byGET() async throws {
        let transport = MockTransport(.json(Self.notFound), .json(Wire.swift), .json(#"{"data":{"rename":"A"}}"#))
        let client = client(transport, .automatic(getsHashes: true))
        _ = try await client.execute(Wire.hero)
        _ = try await client.execute(Wire.rename)
        #expect(transport.requests.map(\.method) == [.get, .post, .post])
        let items = transport.requests[0].items
        #expect(Set(items.keys) == ["extensions", "variables", "operationName"] && items["variables"] == #"{"id":"1"}"#)
        #expect(items["extensions"] == #"{"persistedQuery":{"sha256Hash":"\#(Self.hash)","version":1}}"#)
        #expect(transport.requests[2].json?["query"] == nil)
    }

    @Test("An unknown hash is recognised by message or code, with status 200 or 4xx, in either media type")
    func signs() async throws {
        for body in [
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            #"{"data":null,"errors":[{"message":"unknown","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#,
        ] {
            for media in ["application/json", "application/graphql-response+json"] {
                for status in [200, 400, 404] as [HTTPStatus] {
                    let transport = MockTransport(.data(Data(body.utf8), contentType: media, status: status), .json(Wire.swift))
                    let data = try await client(transport, .automatic()).execute(Wire.hero)
                    #expect(data.hero != nil && transport.requests.count == 2)
                }
            }
        }
    }

    @Test("Data that mention persisted queries are treated as data")
    func speaking() async throws {
        let transport = MockTransport(.json(#"{"data":{"hero":{"name":"PersistedQueryNotFound"}}}"#))
        let data = try await client(transport, .automatic()).execute(Wire.hero)
        #expect(data.hero?.name == "PersistedQueryNotFound")
    }

    @Test("A document that is still unknown with its hash is not sent a third time")
    func noLoop() async throws {
        let transport = MockTransport(.json(Self.notFound), .json(Self.notFound))
        let error = await #expect(throws: GraphQLError.self) { try await client(transport, .automatic()).execute(Wire.hero) }
        #expect(error?.errors.first?.code == "PERSISTED_QUERY_NOT_FOUND" && transport.requests.count == 2)
    }

    @Test("After a server reports no support for hashes, all copies of the client send texts for an hour")
    func unsupported() async throws {
        let time = ManualTime()
        let transport = MockTransport(
            .json(Self.notSupported), .json(Wire.swift), .json(Wire.swift), .json(Wire.swift), time: time)
        let client = client(transport, .automatic(), time: time)
        let copy = client
        _ = try await client.execute(Wire.hero)
        _ = try await copy.execute(Wire.hero)
        #expect(transport.requests.map { hash($0) != nil } == [true, false, false])
        #expect(transport.requests.map { $0.json?["query"] != nil } == [false, true, true])
        time.advance(by: .seconds(3_601))
        _ = try await client.execute(Wire.hero)
        #expect(transport.requests.last.map { hash($0) != nil } == true)
    }

    @Test("A mutation with an unknown hash is sent again with its document")
    func mutation() async throws {
        let transport = MockTransport(.json(Self.notFound), .json(#"{"data":{"rename":"A"}}"#))
        let data = try await client(transport, .automatic(getsHashes: true)).execute(Wire.rename)
        #expect(data.rename == "A" && transport.requests.map(\.isIdempotent) == [false, false])
    }

    @Test("The second request has only the time that the first one left")
    func deadline() async throws {
        let time = ManualTime()
        let transport = MockTransport(time: time) { request in
            if request.json?["query"] != nil { return .json(Wire.swift) }
            time.advance(by: .seconds(7))
            return .json(Self.notFound)
        }
        let client = client(transport, .automatic(), time: time)
        let start = time.instant
        _ = try await client.execute(Wire.hero, options: GraphQLCallOptions(timeout: .seconds(10)))
        #expect(transport.requests.map { $0.context.deadline } == [start + .seconds(10), start + .seconds(10)])
        let error = await #expect(throws: GraphQLError.self) {
            try await client.execute(Wire.hero, options: GraphQLCallOptions(timeout: .seconds(5)))
        }
        #expect(error == .http(.timeout))
    }

    @Test("Operations with uploads are sent with their text immediately")
    func uploads() async throws {
        struct Read: Decodable, Sendable { var ok: Bool }
        let transport = MockTransport(.json(#"{"data":{"ok":true}}"#))
        let upload = GraphQLUpload(data: Data("x".utf8), filename: "x")
        let operation = GraphQLOperation<Read>("mutation ($f: Upload!) { ok(f: $f) }", variables: ["f": .upload(upload)])
        _ = try await client(transport, .automatic()).execute(operation)
        #expect(transport.requests.count == 1 && transport.requests.first?.text?.contains("mutation ($f") == true)
    }

    @Test("A safelisted operation is sent by its ID, as documentId or Apollo's extension, and never by its text")
    func safelisted() async throws {
        let transport = MockTransport(.json(Wire.swift), .json(Wire.swift), .json("[\(Wire.swift)]"), .json(Wire.swift))
        let ids: @Sendable (AnyGraphQLOperation) -> String? = { $0.operationName == "Hero" ? "hero-1" : nil }
        _ = try await client(transport, .safelisted(id: ids)).execute(Wire.hero)
        _ = try await client(transport, .safelisted(usesApolloExtension: true, id: ids)).execute(Wire.hero)
        _ = try await client(transport, .safelisted { _ in "x" }).batch([Wire.hero])
        let options = GraphQLCallOptions(sendsQueriesByGET: true)
        _ = try await client(transport, .safelisted(id: ids)).execute(Wire.hero, options: options)
        let requests = transport.requests
        #expect(requests[0].json?["documentId"] == "hero-1" && requests[0].json?["variables"] == ["id": "1"])
        #expect(hash(requests[1]) == "hero-1" && requests[1].json?["documentId"] == nil)
        #expect(requests[2].json?[0]?["documentId"] == "x")
        #expect(requests[3].items == ["documentId": "hero-1", "operationName": "Hero", "variables": #"{"id":"1"}"#])
        #expect(requests.allSatisfy { $0.text?.contains("query") == false && $0.json?["query"] == nil })
        let error = await #expect(throws: GraphQLError.self) { try await client(transport, .safelisted(id: ids)).execute(Wire.rename) }
        guard case .invalidOperation? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(requests.count == transport.requests.count)
    }

    private static let renamed = #"{"data":{"rename":"A"}}"#
    private static let request = #"{"errors":[{"message":"Must provide query string."}]}"#

    private let time = ManualTime()

    /// Creates a client whose server responds to hashes with `refusal` and to texts with data.
    private func stage(
        pause: Duration? = nil, data: MockReply? = nil, refusal: @escaping @Sendable () -> MockReply
    ) -> (client: GraphQLClient, transport: MockTransport) {
        let transport = MockTransport(time: time) { request in
            if request.json?["query"] == nil { return refusal() }
            return data ?? .json(request.text?.contains("mutation") == true ? Self.renamed : Wire.swift)
        }
        let queries = pause.map { PersistedQueries.automatic(pause: $0) } ?? .automatic()
        return (Wire.client(transport, time: time, configuration: .init(persistedQueries: queries)), transport)
    }

    private func sendsText(_ transport: MockTransport) -> [Bool] { transport.requests.map { $0.json?["query"] != nil } }

    @Test("After a 400, texts are sent for an hour; then a query tries the hash again")
    func remembered() async throws {
        let (client, transport) = stage { .data(Data("The query must be a string.".utf8), contentType: "text/plain", status: 400) }
        for _ in 0..<3 { #expect(try await client.execute(Wire.hero).hero?.name == "Swift") }
        #expect(sendsText(transport) == [false, true, true, true])
        time.advance(by: .seconds(3_599))
        _ = try await client.execute(Wire.hero)
        time.advance(by: .seconds(1))
        // A mutation does not try the hash.
        _ = try await client.execute(Wire.rename)
        _ = try await client.execute(Wire.hero)
        #expect(sendsText(transport) == [false, true, true, true, true, true, false, true])
    }

    @Test("The time for which texts are sent can be configured")
    func pause() async throws {
        let (client, transport) = stage(pause: .seconds(10)) { .json(Self.request) }
        _ = try await client.execute(Wire.hero)
        time.advance(by: .seconds(10))
        _ = try await client.execute(Wire.hero)
        #expect(sendsText(transport) == [false, true, false, true])
    }

    @Test("If the text fails too, the caller receives the error, and support for hashes stays unknown")
    func failing() async throws {
        let (client, transport) = stage(data: .json(Self.request, status: 400)) { .json(Self.request, status: 400) }
        for _ in 0..<2 { await #expect(throws: GraphQLError.self) { try await client.execute(Wire.hero) } }
        #expect(sendsText(transport) == [false, true, false, true])
    }

    @Test("A mutation refused with 400 is sent once by its text")
    func rejectedMutation() async throws {
        let (client, transport) = stage { .json(Self.request, status: 400) }
        for _ in 0..<2 { #expect(try await client.execute(Wire.rename).rename == "A") }
        #expect(sendsText(transport) == [false, true, true])
    }

    @Test("A mutation that may have been executed is not sent again, and the next one is sent by its text")
    func executed() async throws {
        for body in [Self.request, #"{"data":null,"errors":[{"message":"m"}]}"#] {
            let (client, transport) = stage { .json(body) }
            await #expect(throws: GraphQLError.self) { try await client.execute(Wire.rename) }
            #expect(sendsText(transport) == [false])
            #expect(try await client.execute(Wire.rename).rename == "A")
            #expect(sendsText(transport) == [false, true])
        }
    }

    @Test("After a server has shown support for hashes, its errors are the operation's")
    func confirmed() async throws {
        let isFailing = Locked(false)
        let (client, transport) = stage { .json(isFailing.withLock { $0 } ? Self.request : Wire.swift) }
        _ = try await client.execute(Wire.hero)
        isFailing.withLock { $0 = true }
        await #expect(throws: GraphQLError.self) { try await client.execute(Wire.hero) }
        #expect(sendsText(transport) == [false, false])
    }
}
