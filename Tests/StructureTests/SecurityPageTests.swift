import Foundation
import Testing

private enum SecurityPage {
    /// Returns the tests that a page names as `` `Suite.function` ``.
    static func tests(namedIn page: String) -> [String] {
        page.split(separator: "`").map(String.init).filter { word in
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].hasSuffix("Tests") && parts.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber } }
        }
    }

    /// Returns the named tests that do not exist in any file.
    static func missing(_ tests: [String], in files: [String: String]) -> [String] {
        tests.filter { test in
            let parts = test.split(separator: ".")
            let suites = files.filter { $0.key.hasSuffix("/\(parts[0]).swift") }
            return !suites.values.contains { $0.contains("func \(parts[1])(") }
        }
    }
}

@Suite("The security page", .timeLimit(.minutes(5)))
struct SecurityPageTests {
    @Test("Every test that Documentation/Security.md names exists")
    func page() throws {
        let page = try String(contentsOf: Repository.root.appendingPathComponent("Documentation/Security.md"), encoding: .utf8)
        let tests = SecurityPage.tests(namedIn: page)
        #expect(tests.count > 40)
        #expect(SecurityPage.missing(tests, in: try Repository.swiftFiles(under: "Tests")) == [])
    }

    @Test("A test's name is a suite's file and a function in it; other code in backticks is not a test")
    func finding() {
        #expect(
            SecurityPage.tests(namedIn: "`ATests.one` and `BTests.two`, `URL.path`, `ATests`, `ATests.one.two`") == [
                "ATests.one", "BTests.two",
            ])
        let files = ["Tests/X/ATests.swift": "func one() {}", "Tests/X/BTests.swift": "func three() {}"]
        #expect(SecurityPage.missing(["ATests.one", "BTests.two", "CTests.one"], in: files) == ["BTests.two", "CTests.one"])
    }
}
