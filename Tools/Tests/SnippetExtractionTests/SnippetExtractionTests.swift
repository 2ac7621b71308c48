import Testing

@testable import SnippetExtraction

@Suite("Extraction of code blocks", .timeLimit(.minutes(5)))
struct SnippetExtractionTests {
    private func blocks(_ text: String) throws -> [CodeBlock] {
        try Document(path: "a.md", text: text).groups.flatMap { $0 }
    }

    @Test("A fenced block of Swift is found with its line, and other languages are left out")
    func fences() throws {
        let found = try blocks("text\n```swift\nlet a = 1\n```\n```json\n{}\n```\n")
        #expect(found == [CodeBlock(lines: ["let a = 1"], firstLine: 3)])
    }

    @Test("A hidden comment is set before the next block")
    func setup() throws {
        let found = try blocks("<!-- snippet:\nlet a = 1\n-->\n```swift\nprint(a)\n```\n")
        #expect(found.first?.setup == ["let a = 1"] && found.first?.setupLine == 2)
    }

    @Test("An excluded block needs a reason and stands directly before the block")
    func exclusion() throws {
        #expect(try blocks("<!-- not compiled: another library -->\n```swift\nAF.request()\n```\n").isEmpty)
        #expect(throws: DocumentError.self) { try blocks("<!-- not compiled: -->\n```swift\nx\n```\n") }
        #expect(throws: DocumentError.self) { try blocks("<!-- not compiled: another library -->\ntext\n```swift\nx\n```\n") }
    }

    @Test("An exclusion without a block, and another spelling of Swift, are errors")
    func overlooked() {
        #expect(throws: DocumentError.self) { try blocks("text\n<!-- not compiled: another library -->\n") }
        #expect(throws: DocumentError.self) { try blocks("```Swift\nlet a = 1\n```\n") }
        #expect(throws: DocumentError.self) { try blocks("```swift title\nlet a = 1\n```\n") }
    }

    @Test("A block without an end is an error")
    func end() { #expect(throws: DocumentError(line: 1, text: "the end “```” is missing")) { try blocks("```swift\nlet a = 1\n") } }

    @Test("Each doc comment of a source file is a group of its own")
    func comments() throws {
        let text = "/// A.\n///\n/// ```swift\n/// a()\n/// ```\nlet a = 1\n    /// ```swift\n    /// b()\n    /// ```\n"
        let document = try Document(path: "Sources/Module/A.swift", text: text)
        #expect(document.groups.map { $0.map(\.lines) } == [[["a()"]], [["b()"]]])
        #expect(document.module == "Module")
    }

    @Test(
        "Imports, declarations and statements are told apart",
        arguments: [
            ("import Martlet", Piece.Kind.importing("Martlet")), ("struct A: B {\n}", .declaration("A")),
            ("@MainActor @Observable\npublic final class A {\n}", .declaration("A")), ("extension A where B == C {\n}", .declaration(nil)),
            ("func a(\n    b: Int\n) {\n}", .declaration(nil)), ("typealias A = B", .declaration("A")), ("let a = \"{\"", .statement),
            ("do {\n    a()\n} catch {\n}", .statement), ("#if canImport(SwiftUI)\nstruct A {}\n#endif", .declaration(nil)),
            ("let a = \"\"\"\n    struct A {\n    \"\"\"", .statement), ("// a comment\nstruct A {}", .declaration("A")),
            ("let a = \"\\(b[\"{\"])\"", .statement), (##"let a = #"{"a": "\#(b)"}"#"##, .statement),
        ])
    func pieces(_ code: String, _ kind: Piece.Kind) {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            Splitting.pieces(of: lines + ["a()"], firstLine: 1) == [
                Piece(kind: kind, lines: lines, firstLine: 1), Piece(kind: .statement, lines: ["a()"], firstLine: lines.count + 1),
            ])
    }

    @Test("Statements of a later block are nested, and a type that is declared again begins another file")
    func files() throws {
        let document = try Document(
            path: "a.md", text: "```swift\nstruct A {}\nlet a = 1\n```\n```swift\nprint(a)\n```\n```swift\nstruct A {}\n```\n")
        let files = document.files()
        #expect(files.map(\.name) == ["a-md-1.swift", "a-md-2.swift"])
        #expect(files.first?.text.contains("let a = 1\ndo {\n#sourceLocation(file: \"a.md\", line: 6)\nprint(a)\n") == true)
    }

    @Test("The code in doc comments can use the given modules, and that in Markdown imports them itself")
    func modules() throws {
        let code = try Document(path: "Sources/A/A.swift", text: "/// ```swift\n/// print(1)\n/// ```\nlet a = 1\n")
        #expect(code.files(importing: ["B"]).first?.text.contains("#if canImport(B)\nimport B\n#endif") == true)
        let page = try Document(path: "a.md", text: "```swift\nprint(1)\n```\n")
        #expect(page.files(importing: ["B"]).first?.text.contains("import B") == false)
    }
}
