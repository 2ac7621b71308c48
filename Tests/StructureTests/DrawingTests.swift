import Foundation
import Testing

@Suite("The dependency graph in CONTRIBUTING.md", .timeLimit(.minutes(5)))
struct DrawingTests {
    /// Returns the arrows that the manifest's `library("A", ["B", linux("C")])` calls declare: `A --> B`.
    private func arrows(inManifest text: String) -> Set<String> {
        Set(
            text.components(separatedBy: " library(").dropFirst().filter { !$0.hasPrefix("_") }.flatMap { call -> [String] in
                let names = call.components(separatedBy: "),\n")[0].components(separatedBy: "\"")
                let quoted = stride(from: 1, to: names.count, by: 2).map { names[$0] }
                return quoted.dropFirst().map { "\(quoted[0]) --> \($0)" }
            })
    }

    @Test("CONTRIBUTING.md shows exactly the dependencies that Package.swift declares")
    func contributing() throws {
        let lines = try Repository.text(of: "CONTRIBUTING.md").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let drawn = Set(
            lines.filter { $0.contains(" --> ") }.flatMap { line -> [String] in
                let ends = line.components(separatedBy: " --> ")
                return ends[0].components(separatedBy: " & ").flatMap { from in
                    ends[1].components(separatedBy: " & ").map { "\(from) --> \($0)" }
                }
            })
        let declared = arrows(inManifest: try Repository.text(of: "Package.swift"))
        #expect(declared.count > 20)
        #expect(drawn.symmetricDifference(declared).sorted() == [])
    }
}
