import Foundation

/// The text files of this repository.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the text of one file.
    static func text(of path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

    /// Returns the texts of the source files under a folder by their paths: `Sources/MartletHTTP/Fields/Token.swift`.
    static func files(under folder: String, _ endings: [String] = [".swift"]) throws -> [String: String] {
        let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap { $0 as? String } ?? []
        let names = paths.filter { path in endings.contains { path.hasSuffix($0) } }.map { "\(folder)/\($0)" }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try text(of: $0)) })
    }

    /// Returns the number of lines of a Swift file that are neither empty nor only a comment.
    static func codeLines(_ text: String) -> Int {
        text.split(separator: "\n").count { line in
            let line = line.drop { $0 == " " }
            return !line.isEmpty && !line.hasPrefix("//")
        }
    }

    /// Returns the folders of a target's sources or tests, as paths within it.
    static func folders(of target: String) -> Set<String> {
        let start = root.appendingPathComponent(target)
        let paths = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
        return Set(
            paths.filter { $0.hasSuffix(".swift") && $0.contains("/") }.map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) })
    }

    /// Returns the names of the folders directly in a target, with and without sources.
    static func topFolders(of target: String) throws -> Set<String> {
        let folder = root.appendingPathComponent(target)
        return Set(
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey]).filter {
                try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            }.map(\.lastPathComponent))
    }

    /// Returns the names of the folders in `Sources` or `Tests` that have a Swift file.
    static func targets(in folder: String) throws -> Set<String> {
        Set(try files(under: folder).keys.map { String($0.split(separator: "/")[1]) })
    }
}
