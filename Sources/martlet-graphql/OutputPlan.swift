import GeneratorCommand
import MartletEssentials
import MartletGraphQLSchema
import MartletJSON

/// The files to write and to delete, after a comparison with the existing files.
struct OutputPlan {
    private let files: Files
    private var changed: [(file: URL, text: String, isNew: Bool)] = []
    private var stale: [URL] = []
    private var unchanged = 0
    private var paths: Set<String> = []

    init(_ files: Files) { self.files = files }

    /// Adds a file, which is written if it differs. A link is not replaced.
    private mutating func add(_ file: URL, _ text: String, replacing existing: Data?) throws(CommandError) {
        guard paths.insert(file.standardizedFileURL.path).inserted else { throw .usage("\(file.path) is the output of two options") }
        if existing == Data(text.utf8) { return unchanged += 1 }
        if Files.isLink(file.path) { throw .exists([file.path], advice: "it is a link: remove it, or choose another name") }
        changed.append((file, text, existing == nil))
    }

    /// Adds a schema, which replaces a schema or an empty file but no other file.
    mutating func addSchema(_ file: URL, _ text: String) throws(CommandError) {
        let existing = try existing(file)
        if let existing, !OutputPlan.isSchema(existing) {
            throw .exists([file.path], advice: "it is not a schema: move it, or choose another name")
        }
        try add(file, text, replacing: existing)
    }

    /// Adds a manifest, which replaces a manifest but no other file.
    mutating func addManifest(_ file: URL, _ text: String) throws(CommandError) {
        let existing = try existing(file)
        if let existing, !OutputPlan.isManifest(existing) {
            throw .exists([file.path], advice: "it is not a manifest: move it, or choose another name")
        }
        try add(file, text, replacing: existing)
    }

    /// Adds the generated files of a folder. Other generated files in it are deleted if their operations no longer exist.
    ///
    /// Several runs, each with operations of its own, may have the same folder. An operation no longer exists if its source belongs to
    /// this run or is no longer there, and a type of the schema if no other file uses it.
    mutating func addGenerated(
        _ generated: [(name: String, text: String)], from operations: SourceFiles, in folder: String
    ) throws(CommandError) {
        let folder = files.url(folder), names = Set(generated.map(\.name))
        var foreign: [String] = [], others: [String] = []
        for (name, text) in generated {
            let file = folder.appendingPathComponent(name), existing = try existing(file), source = existing.flatMap(OutputPlan.source)
            if Files.isLink(file.path) || existing != nil && source == nil {
                foreign.append(file.path)
            } else if let source, operations.exists(source), !operations.contain(source) {
                others.append("\(file.path), from \(source)")
            } else {
                try add(file, text, replacing: existing)
            }
        }
        if !foreign.isEmpty {
            throw .exists(foreign, advice: "martlet-graphql did not write them: move them, or choose another --output")
        }
        if !others.isEmpty {
            throw .exists(others, advice: "their operations are not in --operations: rename one of each, or choose another --output")
        }
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var kept: [Data] = [], types: [String: (file: URL, data: Data)] = [:]
        for name in entries.sorted() where !names.contains(name) {
            let file = folder.appendingPathComponent(name)
            guard name.hasSuffix(".swift") || Files.isAbandonedDraft(name), !Files.isLink(file.path) else { continue }
            guard let data = try? existing(file), let source = OutputPlan.source(of: data) else { continue }
            if !name.hasSuffix(".swift") || operations.contain(source) || operations.isGone(source) {
                stale.append(file)
            } else if source == "the schema" {
                types[String(name.dropLast(".swift".count))] = (file, data)
            } else {
                kept.append(data)
            }
        }
        while let data = kept.popLast(), !types.isEmpty {
            // Each file that is kept may use types, and these may use more.
            for word in OutputPlan.words(in: data) { if let type = types.removeValue(forKey: word) { kept.append(type.data) } }
        }
        stale = (stale + types.values.map(\.file)).sorted { $0.path < $1.path }
    }

    /// Returns a text if no file would be written or deleted, and otherwise throws the list of them.
    func check() throws(CommandError) -> String {
        let lines =
            changed.map { "\($0.file.path): error: \($0.isNew ? "the file is missing" : "the file differs")" }
            + stale.map { "\($0.path): error: the file belongs to nothing" }
        guard lines.isEmpty else { throw .mistakes(lines + ["error: run martlet-graphql without --check"], status: 1) }
        return "\(OutputPlan.count(unchanged)) up to date"
    }

    /// Writes and deletes the files. Returns a summary to print.
    func write() throws(CommandError) -> String {
        // On a file system that ignores case, the new file can have the name of an old one.
        let names = Set(changed.map { $0.file.path.lowercased() })
        let first = stale.filter { names.contains($0.path.lowercased()) }
        try files.remove(first)
        try files.write(changed.map { ($0.file, $0.text) }, replaces: true, advice: "")
        try files.remove(stale.filter { !names.contains($0.path.lowercased()) })
        let lines = changed.map { "  \($0.file.path)\n" }, deleted = stale.map { "  \($0.path)\n" }
        return (lines.isEmpty ? "" : "Wrote \(OutputPlan.count(lines.count)):\n" + lines.joined())
            + (deleted.isEmpty ? "" : "Deleted \(OutputPlan.count(deleted.count)):\n" + deleted.joined())
            + "\(OutputPlan.count(unchanged)) unchanged"
    }

    private func existing(_ file: URL) throws(CommandError) -> Data? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try files.read(file.path, limit: 200_000_000)
    }

    /// Returns the source that the first line of a generated Swift file names, or nil. Other files are not replaced or deleted.
    private static func source(of data: Data) -> String? {
        let line = data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let start = Array("// Generated by martlet-graphql from ".utf8), end = Array(". Do not edit.".utf8)
        guard line.count >= start.count + end.count, line.starts(with: start), line.suffix(end.count).elementsEqual(end) else { return nil }
        return String(decoding: line.dropFirst(start.count).dropLast(end.count), as: UTF8.self)
    }

    /// Returns the identifiers in a generated file. The names of types are ASCII.
    private static func words(in data: Data) -> Set<String> {
        Set(data.split { !isWord($0) }.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether a file is empty or a schema, which may have mistakes.
    private static func isSchema(_ data: Data) -> Bool {
        if let json = try? JSONValue(parsing: data) {
            if case .object = (json["data"] ?? json)["__schema"] { return true }
            return false
        }
        let text = String(decoding: data, as: UTF8.self)
        return text.allSatisfy(\.isWhitespace) || GraphQLSchema.isSDL(text)
    }

    /// Whether a file is a manifest in one of the forms that are written.
    private static func isManifest(_ data: Data) -> Bool {
        guard case .object(let members) = try? JSONValue(parsing: data) else { return false }
        if members["format"] == "apollo-persisted-query-manifest" { return true }
        return members.allSatisfy { key, value in key.hasPrefix("sha256:") && value.stringValue != nil }
    }

    private static func count(_ files: Int) -> String { files == 1 ? "1 file" : "\(files) files" }
}
