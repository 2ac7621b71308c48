import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLOperationTests {
    private let reply = MockReply.json(#"{"data":{"hero":null}}"#)

    @Test("Name and kind are read from the document")
    func nameAndKind() {
        let operation = GraphQLOperation<HeroData>("mutation Rename { rename { name } }")
        #expect(operation.operationName == "Rename")
        #expect(operation.kind == .mutation)
        #expect(GraphQLOperation<HeroData>("{ hero { name } }").operationName == nil)
        #expect("\(GraphQLOperation<HeroData>("query A($p: String) { b }", variables: ["p": "s3cret"]))" == "query A")
    }

    @Test("The named operation of a document with several is sent")
    func chosen() async throws {
        let document: GraphQLDocument = "query A { hero { name } } mutation B { hero { name } }"
        let (client, transport) = graphQL { _ in reply }
        let operation = GraphQLOperation<HeroData>(document, operationName: "B")
        #expect(operation.kind == .mutation)
        _ = try await client.execute(operation)
        #expect(transport.requests.first?.json?["operationName"] == "B")
    }

    private struct Chosen: GraphQLQuery {
        struct Data: Decodable, Sendable {}
        static let document: GraphQLDocument = "query A { hero { name } } query B { hero { name } }"
        static let operationName = "B"
    }

    @Test("A type can declare the name of its operation without a question mark")
    func chosenByType() async throws {
        let (client, transport) = graphQL { _ in .json(#"{"data":{}}"#) }
        _ = try await client.execute(Chosen())
        #expect(transport.requests.first?.json?["operationName"] == "B")
    }

    @Test("A document with several operations and no selected name is an invalid document")
    func unchosen() async {
        let (client, transport) = graphQL { _ in reply }
        let operation = GraphQLOperation<HeroData>("query A { hero { name } } query B { hero { name } }")
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(operation) }
        guard case .invalidDocument = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    @Test("A document that does not parse is an error with line and column, and nothing is sent")
    func unparsable() async {
        let (client, transport) = graphQL { _ in reply }
        let error = await #expect(throws: GraphQLError.self) {
            try await client.execute(GraphQLOperation<HeroData>("query Hero {\n  hero(id: ) { name }\n}"))
        }
        guard case .invalidDocument(let syntax) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(syntax.line == 2)
        #expect(syntax.column == 12)
        #expect(transport.requests.isEmpty)
    }

    @Test("The properties of a query type are its variables, and nil is left out")
    func structQuery() async throws {
        let (client, transport) = graphQL { _ in reply }
        _ = try await client.execute(HeroQuery(id: "7"))
        _ = try await client.execute(HeroQuery(id: "8", episode: "JEDI"))
        #expect(transport.requests.map { $0.json?["variables"] } == [["id": "7"], ["id": "8", "episode": "JEDI"]])
        #expect(HeroQuery(id: "7").operation.variables == ["id": "7"])
    }

    @Test("A variable set individually replaces the property")
    func setting() async throws {
        let (client, transport) = graphQL { _ in reply }
        let operation = HeroQuery(id: "7", episode: "JEDI").operation.setting("id", to: "9").setting("more", to: [1])
        #expect(operation.variables == ["id": "9", "episode": "JEDI", "more": [1]])
        _ = try await client.execute(operation)
        #expect(transport.requests.first?.json?["variables"] == ["id": "9", "episode": "JEDI", "more": [1]])
    }

    @Test("A variable can be set to any Swift value, and nil is null")
    func settingSwiftValues() {
        let id: GraphQLID = "9", cursor: String? = nil, tags = ["a", "b"]
        let operation = GraphQLOperation<HeroData>("query Q($a: ID) { hero { name } }", variables: ["f": ["tags": .init(tags)]])
            .setting("a", to: id).setting("b", to: cursor).setting("c", to: nil)
        #expect(operation.variables["a"] == GraphQLVariable(id) && operation.variables["b"] == .null && operation.variables["c"] == .null)
        #expect(operation.variables["f"] == .object(["tags": GraphQLVariable(tags)]))
    }

    @Test("A query type whose document is a mutation is not sent")
    func promise() async {
        struct Wrong: GraphQLQuery {
            typealias Data = HeroData
            static let document: GraphQLDocument = "mutation { hero { name } }"
        }
        let (client, transport) = graphQL { _ in reply }
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(Wrong()) }
        guard case .invalidOperation = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    @Test("A subscription cannot be sent by a call with a single response")
    func subscription() async {
        let (client, transport) = graphQL { _ in reply }
        let error = await #expect(throws: GraphQLError.self) {
            try await client.execute(GraphQLOperation<HeroData>("subscription { hero { name } }"))
        }
        guard case .invalidOperation = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    @Test("The properties of a value are the variables by name, and nil is left out")
    func members() async throws {
        struct Search: Encodable, Sendable { let text: String, limit: Int, after: String? }
        let (client, transport) = graphQL { _ in reply }
        let document: GraphQLDocument = "query Q($text: String!, $limit: Int, $after: ID) { hero { name } }"
        let operation = GraphQLOperation<HeroData>(document, variablesOf: Search(text: "a", limit: 3, after: nil))
        _ = try await client.execute(operation)
        _ = try await client.execute(GraphQLOperation<HeroData>(document, variablesOf: ["text": "b"]))
        #expect(transport.requests.map { $0.json?["variables"] } == [["text": "a", "limit": 3], ["text": "b"]])
        #expect(operation.variables == ["text": "a", "limit": 3])
    }

    @Test(
        "A value without named properties is an error with each encoder, even if a variable is set individually", arguments: [false, true],
        [false, true])
    func noMembers(isSet: Bool, isFoundations: Bool) async {
        let (client, transport) = graphQL { _ in reply }
        let asking = isFoundations ? client.with { $0.encoder = JSONEncoder() } : client
        let values: [any Encodable & Sendable] = [Date(timeIntervalSince1970: 0), [1], "text", 1, Int?.none]
        for value in values {
            var operation = GraphQLOperation<HeroData>("{ hero { name } }", variablesOf: value)
            if isSet { operation = operation.setting("a", to: 1) }
            let asked = operation
            let error = await #expect(throws: GraphQLError.self) { try await asking.execute(asked) }
            guard case .http(.encodingFailed(let explanation)) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect("\(explanation)".contains("must be a JSON object"))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A number that JSON cannot represent is reported with its path")
    func unwritableNumber() async {
        struct Input: Encodable, Sendable { let size: [String: Double] }
        let (client, _) = graphQL { _ in reply }
        let operation = GraphQLOperation<HeroData>("{ hero { name } }", variablesOf: Input(size: ["width": .nan]))
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(operation) }
        #expect("\(String(describing: error))".contains("size.width"))
    }

    @Test("Variable names are unchanged by the key strategies of the client's coders")
    func verbatimKeys() async throws {
        struct Filter: Codable, Sendable { let nameStart: String }
        let transport = MockTransport { _ in .json(#"{"data":{"hero":null}}"#) }
        let http = HTTPClient(
            baseURL: URL(string: "https://api.example/"), transport: transport, encoder: .snakeCase, decoder: .snakeCase)
        let operation = GraphQLOperation<HeroData>("query($f: F) { hero(f: $f) { name } }", variables: ["f": Filter(nameStart: "L")])
        _ = try await GraphQLClient(http).execute(operation)
        #expect(transport.requests.first?.json?["variables"] == ["f": ["nameStart": "L"]])
    }

    @Test("Equal operations are encoded to equal bytes")
    func equalBytes() async throws {
        let (client, transport) = graphQL { _ in reply }
        let names = (0..<20).map { "member\($0)" }
        for order in [names, names.reversed(), names.sorted()] {
            // Another insertion order and capacity give a dictionary another iteration order.
            var members = [String: GraphQLVariable](minimumCapacity: order == names ? 20 : 500)
            for name in order { members[name] = .string(name) }
            _ = try await client.execute(
                GraphQLOperation<HeroData>("query Q($a: X) { hero { name } }", variables: ["a": .object(members)]))
        }
        #expect(Set(transport.requests.map { $0.body?.buffered }).count == 1)
    }
}
