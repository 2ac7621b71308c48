import Foundation
import Testing

@Suite("File layout", .timeLimit(.minutes(5)))
struct LayoutTests {
    @Test("Source files have at most 400 code lines, test files at most 500; tables written by a script may be longer")
    func sizes() throws {
        let sources = try Repository.files(under: "Sources", [".swift", ".c", ".h"]).filter { !$0.key.contains("/Generated/") }
        #expect(sources.count > 400)
        #expect(sources.filter { Repository.codeLines($0.value) > 400 }.keys.sorted() == [])
        #expect(try Repository.files(under: "Tests").filter { Repository.codeLines($0.value) > 500 }.keys.sorted() == [])
        #expect(Repository.codeLines("import A\n\n    // A reason.\nlet a = 1 // one\n") == 2)
    }

    @Test("Decision records have at most 55 lines")
    func decisions() throws {
        let records = try Repository.files(under: "Documentation/Decisions", [".md"]).filter { !$0.key.hasSuffix("/README.md") }
        #expect(records.count > 50)
        #expect(records.filter { $0.value.split(separator: "\n", omittingEmptySubsequences: false).count > 56 }.keys.sorted() == [])
    }

    @Test("A target has at most eight folders, and a file that describes it")
    func folders() throws {
        for target in try Repository.targets(in: "Sources") where target.hasPrefix("Martlet") {
            let top = Set(Repository.folders(of: "Sources/\(target)").compactMap { $0.split(separator: "/").first })
            #expect(top.count <= 8, "\(target) has \(top.sorted())")
            let description = try? Repository.text(of: "Sources/\(target)/\(target).swift")
            #expect(description?.hasPrefix("// \(target): ") == true, "\(target) needs \(target).swift, which begins with “// \(target): ”")
        }
    }

    @Test("A target has tests, and a catalog if users can name it")
    func companions() throws {
        let manifest = try Repository.text(of: "Package.swift")
        for target in try Repository.targets(in: "Sources") where manifest.contains("library(\"\(target)\"") {
            // The bridges need other packages, and so have a package of tests of their own.
            let tests = target == "MartletBridges" ? "Integration/Bridges/Tests" : "Tests/\(target)Tests"
            let isTested = target == "MartletBridges" || manifest.contains("tests(\"\(target)\"")
            #expect(try isTested && !Repository.files(under: tests).isEmpty, "\(target)")
            let unnamed = [
                "MartletEssentials", "MartletSystem", "MartletOpenSSL", "MartletCodings", "MartletEngine", "MartletWebSocketProtocol",
                "EndpointGenerator", "GeneratorCommand", "OperationGenerator",
            ]
            guard !unnamed.contains(target) else { continue }
            let hasCatalog = (try? Repository.text(of: "Sources/\(target)/\(target).docc/\(target).md")) != nil
            #expect(hasCatalog, "\(target)")
        }
    }

    @Test("The description of a target names its folders, and no others; in backticks it names the files beside them and their types")
    func descriptions() throws {
        for target in try Repository.targets(in: "Sources") where target.hasPrefix("Martlet") {
            let files = try Repository.files(under: "Sources/\(target)")
            let folders = try Repository.topFolders(of: "Sources/\(target)").filter { !$0.hasSuffix(".docc") }
            let lines = try Repository.text(of: "Sources/\(target)/\(target).swift").split(separator: "\n").compactMap {
                $0.hasPrefix("// - ") ? $0.dropFirst(5).prefix { $0 != ":" }.components(separatedBy: ", ") : nil
            }
            let names = lines.flatMap(\.self).filter { !$0.hasPrefix("`") }
            #expect(Set(names) == folders && names.count == folders.count, "\(target): \(names), \(folders.sorted())")
            let beside = files.filter { $0.key.split(separator: "/").count == 3 }
            for name in lines.flatMap(\.self) where name.hasPrefix("`") && name.dropFirst().allSatisfy({ $0.isLetter || $0 == "`" }) {
                let name = name.replacing("`", with: "")
                let isBeside = beside.contains { $0.key.hasSuffix("/\(name).swift") || SwiftNames($0.value).declared.contains(name) }
                #expect(isBeside, "\(target) has no \(name) beside its folders")
            }
        }
    }

    @Test("The test folders of a target mirror its source folders")
    func mirror() throws {
        let sources = try Repository.targets(in: "Sources")
        for tests in try Repository.targets(in: "Tests") where tests.hasSuffix("Tests") && sources.contains(String(tests.dropLast(5))) {
            let others = Repository.folders(of: "Tests/\(tests)").subtracting(Repository.folders(of: "Sources/\(tests.dropLast(5))"))
            #expect(others.subtracting(["Support"]) == [], "\(tests)")
        }
    }

    @Test("Every test file has a suite with a time limit, so that a hanging test fails under its own name")
    func timeLimits() throws {
        for (path, text) in try Repository.files(under: "Tests") where !path.hasSuffix("/LayoutTests.swift") {
            let suites = text.ranges(of: "@Suite").count, limits = text.ranges(of: ".timeLimit(.minutes(").count
            #expect(suites <= limits, "\(path)")
            #expect(suites > 0 || !text.contains(" @Test"), "\(path) has tests without a suite")
        }
    }
}
