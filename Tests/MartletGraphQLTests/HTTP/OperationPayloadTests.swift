import MartletEssentials
import Testing

@testable import MartletGraphQL

@Suite("The parameters of a request", .timeLimit(.minutes(5)))
struct OperationPayloadTests {
    private struct Variables: Encodable, Sendable {
        var b = "\u{1}\"é", a: Int? = 7
        var list = [1.5]
    }

    private static let text = "query Hero($a: Int) {\n  hero(\n# \"é\"\n name: \"\\\"x\\\"\") { name }\n}"

    private static let operations: [GraphQLOperation<JSONValue>] = [
        GraphQLOperation(GraphQLDocument(text), variablesOf: Variables()), GraphQLOperation(GraphQLDocument(text)),
        GraphQLOperation(GraphQLDocument(text), operationName: "Hero", variablesOf: ["b": 1, "a": 2]),
        GraphQLOperation("{ hero { name } }"), GraphQLOperation(GraphQLDocument(text), variables: ["a": 1]),
        GraphQLOperation(GraphQLDocument(text), operationName: "He\"ro", variablesOf: Variables()),
        GraphQLOperation(GraphQLDocument(text), variablesOf: ["file": GraphQLUpload(data: Data("x".utf8), filename: "f")]),
    ]

    @Test("They have the same bytes as with containers", arguments: operations.indices)
    func bytes(index: Int) throws {
        let payload = OperationPayload(Self.operations[index].erased)
        let sorted = JSONBodyEncoder.OutputFormatting.sortedKeys
        let formattings = [sorted, [], sorted.union(.prettyPrinted), sorted.union(.escapingSlashes)]
        for formatting in formattings {
            var encoder = JSONBodyEncoder()
            encoder.outputFormatting = formatting
            #expect(try payload.encoded(with: encoder).json == encoder.encode(payload))
        }
    }

    @Test("Uploads keep their places, and other values than objects are refused")
    func others() throws {
        let upload = try OperationPayload(Self.operations[6].erased).encoded(with: JSONBodyEncoder()).uploads
        #expect(upload.map(\.steps) == [["variables", "file"]])
        let list = GraphQLOperation<JSONValue>(GraphQLDocument(Self.text), variablesOf: [1, 2])
        let error = #expect(throws: GraphQLError.self) { try OperationPayload(list.erased).encoded(with: JSONBodyEncoder()) }
        #expect(error.map { "\($0)" }?.contains("must be a JSON object") == true)
    }
}
