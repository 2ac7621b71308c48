import Foundation
import Testing

/// The Swift files of this repository, by their path within it.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The texts of the Swift files under a folder: `Sources/MartletCore`.
    static func swiftFiles(under folder: String) throws -> [String: String] { try files(under: folder, [".swift"]) }

    /// The texts of the files under a folder whose names end in one of these ways.
    static func files(under folder: String, _ endings: [String]) throws -> [String: String] {
        try texts.get().filter { path, _ in path.hasPrefix(folder + "/") && endings.contains { path.hasSuffix($0) } }
    }

    /// The code of the Swift files under a folder: each as ``SwiftCode`` gives it.
    static func swiftCode(under folder: String) throws -> [String: String] {
        try code.get().filter { $0.key.hasPrefix(folder + "/") }
    }

    /// What all tests look at, read once.
    private static let texts = Result { try ["Sources", "Tests"].reduce(into: [:]) { $0.merge(try read($1)) { $1 } } }

    private static let code = texts.map { files in
        files.filter { $0.key.hasSuffix(".swift") }.mapValues(SwiftCode.only)
    }

    private static func read(_ folder: String) throws -> [String: String] {
        let start = root.appendingPathComponent(folder)
        let paths = try #require(FileManager.default.enumerator(atPath: start.path)).compactMap { $0 as? String }
        let files = try paths.filter { path in [".swift", ".c", ".h"].contains { path.hasSuffix($0) } }.map { path in
            ("\(folder)/\(path)", try String(contentsOf: start.appendingPathComponent(path), encoding: .utf8))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }
}

@Suite("The repository", .timeLimit(.minutes(5)))
struct RepositoryTests {
    @Test("Its root is found, and its sources are read with their paths")
    func root() throws {
        #expect(FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent("Package.swift").path))
        let files = try Repository.swiftFiles(under: "Sources")
        #expect(files["Sources/MartletCore/Words/Token.swift"]?.contains("enum Token") == true)
        let code = try Repository.swiftCode(under: "Sources")
        #expect(code.count == files.count && code["Sources/MartletCore/Words/Token.swift"]?.contains("///") == false)
    }
}
