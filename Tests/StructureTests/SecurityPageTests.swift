import Foundation
import Testing

@Suite("The page on attacks", .timeLimit(.minutes(5)))
struct SecurityPageTests {
    /// Returns the tests that a page names as `` `Suite.function` ``.
    private func tests(namedIn page: String) -> [String] {
        page.split(separator: "`").map(String.init).filter { $0.wholeMatch(of: /\w+Tests\.\w+/) != nil }
    }

    @Test("Every test that the article on attacks names exists as a function in its suite's file")
    func page() throws {
        let tests = tests(namedIn: try Repository.text(of: "Sources/Martlet/Martlet.docc/AttacksAndDefences.md"))
        let files = try Repository.files(under: "Tests")
        #expect(tests.count > 40)
        for test in tests {
            let parts = test.split(separator: ".")
            #expect(files.contains { $0.key.hasSuffix("/\(parts[0]).swift") && $0.value.contains("func \(parts[1])(") }, "\(test)")
        }
    }
}
