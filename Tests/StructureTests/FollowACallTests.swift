import Foundation
import Testing

@Suite("The page that follows a call", .timeLimit(.minutes(5)))
struct FollowACallTests {
    /// A row of the page: a file, and the line by which the call enters it.
    private struct Step {
        let file: String
        let line: String

        init?(row: String) {
            guard row.hasPrefix("| "), let path = row.firstMatch(of: /\]\(\.\.\/([^)]+)\)/),
                let line = row.firstMatch(of: /\| `([^`]+)` \|/)
            else {
                return nil
            }
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

    @Test("A call passes at most 22 files")
    func count() throws {
        let files = Set(try steps().map(\.file))
        #expect((15...22).contains(files.count), "\(files.count)")
    }
}
