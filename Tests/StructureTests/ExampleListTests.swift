import Foundation
import Testing

@Suite("The list of examples", .timeLimit(.minutes(5)))
struct ExampleListTests {
    @Test("Examples/README.md lists every example program, and each program has its server in a separate file")
    func table() throws {
        let readme = try Repository.text(of: "Examples/README.md"), files = try Repository.files(under: "Examples/Sources").keys
        let programs = files.filter { $0.hasSuffix("/main.swift") }.map { $0.split(separator: "/")[2] }
        #expect(programs.count > 10)
        for program in programs {
            #expect(readme.contains("[`\(program)`](Sources/\(program)/main.swift)"), "\(program)")
            #expect(files.contains("Examples/Sources/\(program)/Server.swift"), "\(program)")
        }
        #expect(readme.ranges(of: "/main.swift)").count == programs.count)
    }

    @Test("The code in the pages of the examples is code of the examples")
    func excerpts() throws {
        let code = try Repository.files(under: "Examples/Sources").merging(Repository.files(under: "Examples/Tests")) { $1 }
        let lines = Set(code.values.flatMap { $0.split(separator: "\n").map(withoutAccess) })
        let pages = try Repository.files(under: "Sources/Martlet/Martlet.docc/Examples", [".md"])
        #expect(pages.count > 6)
        for (page, text) in pages {
            for line in linesOfCode(in: text) where !lines.contains(withoutAccess(line)) { Issue.record("\(page): \(line)") }
        }
    }

    /// Returns the lines of the blocks of Swift code in a page.
    private func linesOfCode(in page: String) -> [Substring] {
        page.components(separatedBy: "```swift\n").dropFirst().flatMap { block in
            block.components(separatedBy: "```")[0].split(separator: "\n")
        }
    }

    /// Returns a line without indentation and `package`, which pages leave out.
    private func withoutAccess(_ line: Substring) -> String {
        line.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "package ", with: "")
    }
}
