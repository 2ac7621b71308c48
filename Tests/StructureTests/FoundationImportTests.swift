import Testing

private enum FoundationImports {
    /// What an app links: with FoundationEssentials alone its binary is far smaller and starts sooner.
    static let targets: Set = [
        "MartletJSON", "MartletCore", "MartletCurl", "MartletKeychain", "MartletSQLite", "MartletRedis", "MartletGraphQL", "Martlet",
    ]

    /// Each file that imports Foundation elsewhere than where FoundationEssentials is missing.
    static func violations(in code: [String: String]) -> [String] {
        code.sorted { $0.key < $1.key }.compactMap { path, code in
            guard targets.contains(String(path.split(separator: "/").dropFirst().first ?? "")) else { return nil }
            let isFine = conditionsOfFoundation(in: code).allSatisfy { $0.contains("not canImport(FoundationEssentials)") }
            return isFine ? nil : "\(path) imports Foundation without a condition"
        }
    }

    /// Each file that adds to `Data` without importing the module it is of: the standard library's way is then taken, byte by byte, a
    /// hundred times slower, and no test would notice.
    static func slowAppends(in code: [String: String]) -> [String] {
        code.sorted { $0.key < $1.key }.compactMap { path, code in
            let appends = ["body", "data", "content", "chunk"].contains {
                code.has("\($0).append(contentsOf:") || code.has("\($0) += ")
            }
            return appends && !code.has("import Foundation") ? "\(path) adds to Data and does not import its module" : nil
        }
    }

    /// The conditions under which each import of Foundation stands.
    static func conditionsOfFoundation(in code: String) -> [[String]] {
        var stack: [(first: String, current: String)] = [], found: [[String]] = []
        for line in code.filledLines where line.has("#") || line.has("import") {
            let words = line.split(separator: " ").map(String.init)
            let condition = words.dropFirst().joined(separator: " ")
            switch words.first {
            case "#if": stack.append((condition, condition))
            case "#elseif": if !stack.isEmpty { stack[stack.count - 1].current = condition }
            case "#else": if !stack.isEmpty { stack[stack.count - 1].current = "not " + stack[stack.count - 1].first }
            case "#endif": _ = stack.popLast()
            default: if words.contains("import"), words.last == "Foundation" { found.append(stack.map(\.current)) }
            }
        }
        return found
    }
}

@Suite("Imports of Foundation", .timeLimit(.minutes(5)))
struct FoundationImportTests {
    @Test("What apps link imports FoundationEssentials wherever it exists")
    func package() throws {
        #expect(FoundationImports.violations(in: try Repository.swiftCode(under: "Sources")) == [])
    }

    @Test("What adds to Data imports the module that does it at once")
    func appends() throws {
        #expect(FoundationImports.slowAppends(in: try Repository.swiftCode(under: "Sources")) == [])
        let slow = ["A.swift": "internal import MartletCore\nfunc f() { body.append(contentsOf: bytes) }", "B.swift": "x.data += y"]
        #expect(FoundationImports.slowAppends(in: slow).count == 2)
        #expect(FoundationImports.slowAppends(in: slow.mapValues { "import FoundationEssentials\n" + $0 }).isEmpty)
    }

    @Test(
        "An import without the condition is found",
        arguments: [
            "import Foundation", "public import Foundation", "#if os(Linux)\nimport Foundation\n#endif",
            "#if canImport(FoundationEssentials)\nimport Foundation\n#endif", "#if TSAN\nimport Foundation\n#endif",
            "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif\nimport Foundation",
            "#if os(Linux)\n#else\nimport Foundation\n#endif",
        ])
    func finding(text: String) {
        let path = "Sources/MartletCore/Words/A.swift"
        #expect(FoundationImports.violations(in: [path: SwiftCode.only(text)]) == ["\(path) imports Foundation without a condition"])
    }

    @Test(
        "The condition, comments and other targets are fine",
        arguments: [
            (
                "Sources/MartletCore/Words/A.swift",
                "#if canImport(FoundationEssentials)\npublic import FoundationEssentials\n#else\npublic import Foundation\n#endif"
            ),
            ("Sources/MartletCore/Words/A.swift", "// import Foundation"), ("Sources/MartletTesting/A.swift", "import Foundation"),
            ("Sources/MartletCurl/A.swift", "import FoundationEssentials"),
        ])
    func notFinding(path: String, text: String) {
        #expect(FoundationImports.violations(in: [path: SwiftCode.only(text)]) == [])
    }
}
