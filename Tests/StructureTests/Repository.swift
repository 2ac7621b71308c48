import Foundation
import Testing

/// The Swift files of this repository, by their path within it.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The texts of the Swift files under a folder: `Sources/MartletCore`.
    static func swiftFiles(under folder: String) throws -> [String: String] { try files(under: folder, [".swift"]) }

    /// The texts of the files under a folder whose names end in one of these ways.
    static func files(under folder: String, _ endings: [String]) throws -> [String: String] {
        let start = root.appendingPathComponent(folder)
        let paths = try #require(FileManager.default.enumerator(atPath: start.path)).compactMap { $0 as? String }
        let files = try paths.filter { path in endings.contains { path.hasSuffix($0) } }.map { path in
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
    }
}
