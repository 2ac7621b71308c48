import Testing

/// The arrows between targets, as the design draws them.
private enum TargetArrows {
    /// What each target may import of this package.
    static let allowed: [String: Set<String>] = [
        "CMartletCurl": [], "CMartletKeychain": [], "CMartletTesting": [], "MartletJSON": [], "MartletCore": ["MartletJSON"],
        "MartletCurl": ["MartletCore", "CMartletCurl"],
        "MartletURLSession": ["MartletCore"],
        "MartletSQLite": ["MartletCore"], "MartletRedis": ["MartletCore"], "MartletKeychain": ["MartletCore", "CMartletKeychain"],
        "MartletGraphQL": ["MartletCore"],
        "Martlet": ["MartletCore", "MartletCurl", "MartletURLSession"],
        "MartletTesting": ["Martlet", "MartletCore", "MartletGraphQL", "CMartletTesting"],
        "tour": ["Martlet", "MartletGraphQL", "MartletTesting"],
    ]

    /// On Linux a program links FoundationNetworking only when it asks for URLSession.
    static let mayLinkFoundationNetworking: Set = ["MartletURLSession"]

    static func violations(in code: [String: String]) -> [String] {
        code.sorted { $0.key < $1.key }.flatMap { path, code -> [String] in
            let parts = path.split(separator: "/")
            guard parts.count > 2, let targets = allowed[String(parts[1])] else { return ["\(path) is in no target of the list"] }
            let target = String(parts[1])
            return imports(of: code).compactMap { module in
                let isOurs = allowed[module] != nil || module.hasPrefix("Martlet")
                if isOurs && module != target && !targets.contains(module) { return "\(path) imports \(module)" }
                if module == "FoundationNetworking" && !mayLinkFoundationNetworking.contains(target) { return "\(path) imports \(module)" }
                return nil
            }
        }
    }

    /// The modules that code imports, `@testable import struct A.B` and `canImport` counted.
    static func imports(of code: String) -> [String] {
        code.filledLines.filter { $0.has("import") }.compactMap { line in
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            guard let place = words.firstIndex(of: "import"), line.split(separator: " ").contains("import") else { return nil }
            let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
            return words[(place + 1)...].first { !kinds.contains($0) }
        }
    }
}

@Suite("Dependencies between targets", .timeLimit(.minutes(5)))
struct TargetArrowTests {
    @Test("Each target imports only what the design allows, and nobody FoundationNetworking by the way")
    func package() throws {
        #expect(TargetArrows.violations(in: try Repository.swiftCode(under: "Sources")) == [])
    }

    @Test(
        "An import against the arrows is found, however it is written",
        arguments: [
            ("Sources/MartletCore/A/A.swift", "import Martlet", "Martlet"),
            ("Sources/MartletCore/A/A.swift", "#if DEBUG\n  @testable import MartletCurl\n#endif", "MartletCurl"),
            ("Sources/MartletCurl/A.swift", "public import struct Martlet.Client", "Martlet"),
            ("Sources/Martlet/A.swift", "internal import MartletTesting", "MartletTesting"),
            ("Sources/MartletCore/A.swift", "import MartletNew", "MartletNew"),
            ("Sources/MartletCore/A.swift", "import CMartletCurl", "CMartletCurl"),
            ("Sources/MartletTesting/A.swift", "import FoundationNetworking", "FoundationNetworking"),
            ("Sources/tour/main.swift", "@preconcurrency import FoundationNetworking", "FoundationNetworking"),
        ])
    func finding(path: String, text: String, module: String) {
        #expect(TargetArrows.violations(in: [path: SwiftCode.only(text)]) == ["\(path) imports \(module)"])
    }

    @Test(
        "Imports along the arrows, of the system, and in comments and strings are none",
        arguments: [
            ("Sources/MartletCurl/A.swift", "internal import CMartletCurl\npublic import MartletCore\nimport Foundation"),
            ("Sources/tour/main.swift", "import Martlet\nimport MartletTesting"),
            ("Sources/MartletURLSession/A.swift", "#if canImport(FoundationNetworking)\npublic import FoundationNetworking\n#endif"),
            ("Sources/MartletCore/A/A.swift", "// import Martlet\nlet text = \"import Martlet\"\nlet `import` = 1"),
        ])
    func notFinding(path: String, text: String) {
        #expect(TargetArrows.violations(in: [path: SwiftCode.only(text)]) == [])
    }

    @Test("A target that is not in the list is found")
    func unknown() {
        #expect(TargetArrows.violations(in: ["Sources/Extra/A.swift": ""]) == ["Sources/Extra/A.swift is in no target of the list"])
    }
}
