import Testing

private enum TimeLimits {
    /// Each suite without a time limit, and each file whose tests are in none.
    static func violations(in code: [String: String]) -> [String] {
        code.sorted { $0.key < $1.key }.flatMap { path, code in
            // From one attribute up to the type that it is of.
            let suites = code.components(separatedBy: "@Suite").dropFirst().map { suite in
                suite.prefix(upTo: suite.firstRange(of: /\b(struct|class|actor|enum|extension)\b/)?.lowerBound ?? suite.endIndex)
            }
            let unlimited = suites.count { !$0.contains(".timeLimit(.minutes(") }
            var found: [String] = []
            if unlimited > 0 { found.append("\(path): \(unlimited) without a time limit") }
            if suites.isEmpty, code.has("@Test") { found.append("\(path): tests without a suite") }
            return found
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = [], rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

@Suite("Time limits", .timeLimit(.minutes(5)))
struct TimeLimitTests {
    @Test("Every suite has a time limit, so that a hanging test fails under its name")
    func suites() throws {
        #expect(TimeLimits.violations(in: try Repository.swiftCode(under: "Tests")) == [])
    }

    @Test("A suite without a time limit is found, whatever its other traits")
    func finding() {
        let limit = ".timeLimit(.minutes(5))"
        let files = [
            "a": "@Suite(\(limit)) struct A { @Test func a() {} }", "b": "@Suite(\"B\", .serialized,\n\(limit)\n)\nactor B {}",
            "c": "@Suite struct C { @Test(\(limit)) func c() {} }", "d": "@Suite(\"\(limit)\") final class D {}",
            "e": "struct E { @Test func e() {} }", "f": "struct F {} // @Test",
            "g": "@Suite(\(limit)) struct G { @Suite struct Inner {} }",
        ]
        #expect(
            TimeLimits.violations(in: files.mapValues(SwiftCode.only)) == [
                "c: 1 without a time limit", "d: 1 without a time limit", "e: tests without a suite", "g: 1 without a time limit",
            ])
    }
}
