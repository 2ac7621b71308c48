import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLOperationTests {
    private let reply = MockReply.json(#"{"data":{"hero":null}}"#)

    @Test("The name is read from the document, and the kind too")
    func nameAndKind() {
        let operation = GraphQLOperation<HeroData>("mutation Rename { rename { name } }")
        #expect(operation.operationName == "Rename")
        #expect(operation.kind == .mutation)
        #expect(GraphQLOperation<HeroData>("{ hero { name } }").operationName == nil)
        #expect("\(GraphQLOperation<HeroData>("query A($p: String) { b }", variables: ["p": "s3cret"]))" == "query A")
    }

    @Test("Of several operations in a document, the one that is named is sent")
    func chosen() async throws {
        let document: GraphQLDocument = "query A { hero { name } } mutation B { hero { name } }"
        let (client, transport) = graphQL { _ in reply }
        let operation = GraphQLOperation<HeroData>(document, operationName: "B")
        #expect(operation.kind == .mutation)
        _ = try await client.execute(operation)
        #expect(transport.requests.first?.json?["operationName"] == "B")
    }

    @Test("A document with several operations and no name for one is an error of the document")
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

    @Test("The properties of a query's struct are its variables; an Optional that is nil is left out")
    func structQuery() async throws {
        let (client, transport) = graphQL { _ in reply }
        _ = try await client.execute(HeroQuery(id: "7"))
        _ = try await client.execute(HeroQuery(id: "8", episode: "JEDI"))
        #expect(transport.requests.map { $0.json?["variables"] } == [["id": "7"], ["id": "8", "episode": "JEDI"]])
        #expect(HeroQuery(id: "7").operation.variables == ["id": "7"])
    }

    @Test("Another value for a variable goes before the one of the struct")
    func setting() async throws {
        let (client, transport) = graphQL { _ in reply }
        let operation = HeroQuery(id: "7", episode: "JEDI").operation.setting("id", to: "9").setting("more", to: [1])
        #expect(operation.variables == ["id": "9", "episode": "JEDI", "more": [1]])
        _ = try await client.execute(operation)
        #expect(transport.requests.first?.json?["variables"] == ["id": "9", "episode": "JEDI", "more": [1]])
    }

    @Test("A variable is set to any Swift value, and nil is null")
    func settingSwiftValues() {
        let id: GraphQLID = "9", cursor: String? = nil, tags = ["a", "b"]
        let operation = GraphQLOperation<HeroData>("query Q($a: ID) { hero { name } }", variables: ["f": ["tags": .init(tags)]])
            .setting("a", to: id).setting("b", to: cursor).setting("c", to: nil)
        #expect(operation.variables["a"] == GraphQLVariable(id) && operation.variables["b"] == .null && operation.variables["c"] == .null)
        #expect(operation.variables["f"] == .object(["tags": GraphQLVariable(tags)]))
    }

    @Test("A struct that promises a query and has a mutation's document is not sent")
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

    @Test("A subscription can't be asked for one answer")
    func subscription() async {
        let (client, transport) = graphQL { _ in reply }
        let error = await #expect(throws: GraphQLError.self) {
            try await client.execute(GraphQLOperation<HeroData>("subscription { hero { name } }"))
        }
        guard case .invalidOperation = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    @Test("The members of one value are the variables, by their names; one that is nil is left out")
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

    @Test("Variables of one value that has no members are an error, also when one is set besides", arguments: [false, true])
    func noMembers(isSet: Bool) async {
        let (client, transport) = graphQL { _ in reply }
        var operation = GraphQLOperation<HeroData>("{ hero { name } }", variablesOf: Date(timeIntervalSince1970: 0))
        if isSet { operation = operation.setting("a", to: 1) }
        let asked = operation
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(asked) }
        guard case .http(.encodingFailed) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    @Test("A number that JSON has not, in a value that the variables are members of, is named by its place")
    func unwritableNumber() async {
        struct Input: Encodable, Sendable { let size: [String: Double] }
        let (client, _) = graphQL { _ in reply }
        let operation = GraphQLOperation<HeroData>("{ hero { name } }", variablesOf: Input(size: ["width": .nan]))
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(operation) }
        #expect("\(String(describing: error))".contains("size.width"))
    }

    @Test("Keys of variables stay as they are, whatever the client's coders do to keys")
    func verbatimKeys() async throws {
        struct Filter: Codable, Sendable { let nameStart: String }
        let transport = MockTransport { _ in .json(#"{"data":{"hero":null}}"#) }
        let http = HTTPClient(
            baseURL: URL(string: "https://api.example/"), transport: transport, encoder: .snakeCase, decoder: .snakeCase)
        let operation = GraphQLOperation<HeroData>("query($f: F) { hero(f: $f) { name } }", variables: ["f": Filter(nameStart: "L")])
        _ = try await GraphQLClient(http).execute(operation)
        #expect(transport.requests.first?.json?["variables"] == ["f": ["nameStart": "L"]])
    }

    @Test("Equal operations are sent as equal bytes")
    func equalBytes() async throws {
        let (client, transport) = graphQL { _ in reply }
        let names = (0..<20).map { "member\($0)" }
        for order in [names, names.reversed(), names.sorted()] {
            // Members that were added in another order, and room for more, give a dictionary another order.
            var members = [String: GraphQLVariable](minimumCapacity: order == names ? 20 : 500)
            for name in order { members[name] = .string(name) }
            _ = try await client.execute(
                GraphQLOperation<HeroData>("query Q($a: X) { hero { name } }", variables: ["a": .object(members)]))
        }
        #expect(Set(transport.requests.map { $0.body?.buffered }).count == 1)
    }
}
