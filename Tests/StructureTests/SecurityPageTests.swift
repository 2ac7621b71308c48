import Foundation
import Testing

@Suite("The page on attacks", .timeLimit(.minutes(5)))
struct SecurityPageTests {
    /// Returns the tests that a page names as `` `Suite.function` ``.
    private func tests(namedIn page: String) -> [String] {
        page.split(separator: "`").map(String.init).filter { $0.wholeMatch(of: /\w+Tests\.\w+/) != nil }
    }

    @Test("Every test that the article on attacks names exists as a function in a file that declares its suite")
    func page() throws {
        let tests = tests(namedIn: try Repository.text(of: "Sources/Martlet/Martlet.docc/AttacksAndDefences.md"))
        let files = try Repository.files(under: "Tests")
        #expect(tests.count > 40)
        for test in tests {
            let parts = test.split(separator: ".")
            #expect(files.values.contains { $0.contains("struct \(parts[0]) {") && $0.contains("func \(parts[1])(") }, "\(test)")
        }
    }
}
