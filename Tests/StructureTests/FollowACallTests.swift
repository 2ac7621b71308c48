import Foundation
import Testing

@Suite("The page that follows a call", .timeLimit(.minutes(5)))
struct FollowACallTests {
    /// A row of the page: a file, and the line by which the call enters it.
    private struct Step {
        /// The number of the step, or the letter of a file that the step asks.
        let mark: String
        let file: String
        let line: String

        init?(row: String) {
            guard let mark = row.prefixMatch(of: /\| ([0-9]+|[a-z]) \|/), let path = row.firstMatch(of: /\]\(\.\.\/([^)]+)\)/),
                let line = row.firstMatch(of: /\| `([^`]+)` \|/)
            else {
                return nil
            }
            self.mark = String(mark.1)
            file = String(path.1)
            self.line = String(line.1)
        }
    }

    private func steps() throws -> [Step] {
        try Repository.text(of: "Documentation/FollowACall.md").components(separatedBy: "\n").compactMap(Step.init)
    }

    @Test("Each file that a call passes exists and contains the line by which the call enters it")
    func files() throws {
        for step in try steps() {
            let text = try? Repository.text(of: step.file)
            #expect(text?.contains(step.line) == true, "\(step.file): \(step.line)")
        }
    }

    @Test("A call passes at most 22 files, and these ask at most 13 others; the page has both numbers")
    func count() throws {
        let steps = try steps(), page = try Repository.text(of: "Documentation/FollowACall.md")
        let passed = Set(steps.filter { $0.mark.first?.isNumber == true }.map(\.file)), asked = Set(steps.map(\.file)).subtracting(passed)
        #expect(passed.count <= 22 && asked.count <= 13, "\(passed.count), \(asked.count)")
        #expect(page.contains(": \(passed.count) steps") && page.contains("These are \(passed.count + asked.count) files in all"))
    }

    @Test("A file has one number as a step, and a step has one file")
    func numbers() throws {
        let steps = Dictionary(grouping: try steps().filter { $0.mark.first?.isNumber == true }, by: \.mark).mapValues {
            Set($0.map(\.file))
        }
        #expect(steps.filter { $0.value.count > 1 } == [:])
        #expect(Set(steps.values).count == steps.count)
    }

    @Test("The functions that are kept out of the frames of a waiting call are in the files that decision 75 names")
    func frames() throws {
        let sources = try Repository.files(under: "Sources").filter { !$0.key.hasPrefix("Sources/MartletJSON/") }
        let files = sources.filter { $0.value.contains("@inline(never)") }.keys.map { $0.split(separator: "/").last?.dropLast(6) ?? "" }
        let decision = try Repository.text(of: "Documentation/Decisions/0075-a-call-as-a-plan.md")
        let table = decision.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|")[0] }
        #expect(files.map { "`\($0)`" }.sorted() == table.flatMap { $0.matches(of: /`\w+`/).map { String($0.0) } }.sorted())
    }
}
