import Foundation
import MartletGraphQLSchema
import OperationGenerator
import Testing

/// Compares the generator's output with the sources in GeneratedOperationTests and MainActorAppTests, which are compiled and run as tests.
///
/// `UPDATE_GOLDEN=1 swift test --filter OperationGeneratorTests.GoldenTests` replaces those sources.
@Suite("Golden operations", .timeLimit(.minutes(5)))
struct GoldenTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private func generated(_ documents: [String], isPublic: Bool, isReadable: Bool) throws -> [String: String] {
        let folder = Self.tests.appendingPathComponent("GeneratedOperationTests/Documents")
        func read(_ name: String) throws -> String { try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) }
        var options = OperationOptions()
        options.isPublic = isPublic
        options.isNonisolated = isPublic
        options.isJSONReadable = isReadable
        options.scalars = ["Date": "String", "Money": "GraphQLScalarText<Decimal>"]
        options.manifests = isPublic || isReadable ? [] : ManifestFormat.allCases
        let files = try OperationGenerator.files(
            schema: GraphQLSchema(sdl: try read("schema.graphql")),
            documents: try documents.map { OperationDocument(name: $0, text: try read($0)) }, options: options)
        return Dictionary(files.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    struct Golden {
        var folder: String, documents: [String], isPublic = false, isReadable = false
    }

    @Test(
        "The generator writes the golden sources, byte for byte",
        arguments: [
            Golden(folder: "GeneratedOperationTests/Movies", documents: ["movies.graphql", "reviews.graphql"]),
            Golden(folder: "GeneratedOperationTests/Readable", documents: ["readable.graphql"], isReadable: true),
            Golden(folder: "MainActorAppTests/Catalog", documents: ["public.graphql"], isPublic: true),
        ])
    func golden(_ test: Golden) throws {
        let generated = try generated(test.documents, isPublic: test.isPublic, isReadable: test.isReadable), folder = test.folder
        let golden = Self.tests.appendingPathComponent(folder)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: golden)
            try FileManager.default.createDirectory(at: golden, withIntermediateDirectories: true)
            for (name, text) in generated { try Data(text.utf8).write(to: golden.appendingPathComponent(name)) }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: golden.path)
        #expect(generated.keys.sorted() == names.sorted())
        for (name, text) in generated {
            #expect(text == (try? String(contentsOf: golden.appendingPathComponent(name), encoding: .utf8)), "\(folder)/\(name)")
        }
    }

    @Test("The generated files of the example graphql-reviews are those of its documents")
    func example() throws {
        let examples = Self.tests.deletingLastPathComponent().appendingPathComponent("Examples")
        func read(_ path: String) throws -> String { try String(contentsOf: examples.appendingPathComponent(path), encoding: .utf8) }
        let document = OperationDocument(name: "GraphQL/reviews.graphql", text: try read("GraphQL/reviews.graphql"))
        let files = try OperationGenerator.files(schema: GraphQLSchema(sdl: try read("GraphQL/schema.graphqls")), documents: [document])
        let folder = "Sources/graphql-reviews/GraphQL"
        let names = try FileManager.default.contentsOfDirectory(atPath: examples.appendingPathComponent(folder).path)
        #expect(files.map(\.name).sorted() == names.sorted())
        for file in files { #expect(try file.text == read("\(folder)/\(file.name)"), "\(file.name)") }
    }
}
