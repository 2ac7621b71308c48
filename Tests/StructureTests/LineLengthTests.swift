import Foundation
import Testing

@Suite("The length of lines", .timeLimit(.minutes(5)))
struct LineLengthTests {
    /// Returns the numbers of the lines of prose that are longer than a limit, outside tables and blocks of code.
    private static func longLines(of text: String, limit: Int, prose: (Substring) -> Substring?) -> [Int] {
        var isInCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard let words = prose(line) else {
                isInCode = false
                return nil
            }
            if words.drop(while: { $0 == " " }).hasPrefix("```"), !words.contains("``` ``") { isInCode.toggle() }
            // A single symbol or address can't be broken, and neither can a directive of DocC or the text of an image.
            let isOneWord = !words.drop { " -".contains($0) }.contains(" ") || words.hasPrefix("@") || words.hasPrefix("![")
            return line.count > limit && !isInCode && !words.hasPrefix("|") && !isOneWord ? index + 1 : nil
        }
    }

    private static func ofDocument(_ text: String) -> [Int] { longLines(of: text, limit: 150) { $0 } }

    private static func ofComments(_ text: String) -> [Int] {
        longLines(of: text, limit: 140) { line in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("//") ? line.drop { $0 == "/" }.drop { $0 == " " } : nil
        }
    }

    @Test("Comments have at most 140 columns")
    func comments() throws {
        for folder in ["Sources", "Tests", "Plugins", "Fuzz", "Examples/Sources", "Examples/Tests", "Tools/Sources", "Tools/Tests"] {
            let long = try Repository.files(under: folder).mapValues(LineLengthTests.ofComments).filter { !$0.value.isEmpty }
            #expect(long == [:], "\(folder)")
        }
    }

    @Test("Documents have at most 150 columns outside tables and code")
    func documents() throws {
        var documents = try Repository.files(under: "Sources", [".md"])
        documents.merge(try Repository.files(under: "Documentation", [".md"])) { one, _ in one }
        for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"] {
            documents[name] = try Repository.text(of: name)
        }
        #expect(documents.count > 150)
        #expect(documents.mapValues(LineLengthTests.ofDocument).filter { !$0.value.isEmpty } == [:])
    }

    @Test("Only prose counts")
    func prose() {
        let long = String(repeating: "word ", count: 40)
        #expect(
            LineLengthTests.ofDocument("\(long)\n| \(long) |\n```\n\(long)\n```\n- ``\(long.replacing(" ", with: ""))``\n\(long)") == [
                1, 7,
            ])
        #expect(
            LineLengthTests.ofComments("// \(long)\nlet a = 1 // \(long)\n    /// ```\n    /// \(long)\n    /// ```\n    /// \(long)") == [
                1, 6,
            ])
    }
}
