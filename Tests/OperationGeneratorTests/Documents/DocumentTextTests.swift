import MartletGraphQL
import Testing

@testable import OperationGenerator

@Suite("DocumentText", .timeLimit(.minutes(5)))
struct DocumentTextTests {
    @Test("A fragment without a name in Swift is an error of the generator, and not written with a guessed name")
    func unknownFragment() throws {
        let schema = try schema("type Query { a: Int }")
        let source = try SourceDocuments([OperationDocument(name: "x", text: "query Q { a }")], schema)
        let names = try TopLevelNames(schema, source, OperationOptions())
        let other = try ExecutableDocument.parse("query Q { a ... { ...F } }").operations[0]
        let error = #expect(throws: OperationGeneratorError.self) { try DocumentText(other, name: "Q", typenames: [], names) }
        #expect(error?.description == "error: internal: the fragment \"F\" is unknown")
        let text = try DocumentText(source.joined.operations[0], name: "Q", typenames: [], names)
        #expect(text.literalLines == ["query Q { a }"])
    }
}
