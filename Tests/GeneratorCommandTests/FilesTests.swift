import Foundation
import GeneratorCommand
import Testing

@Suite("Files", .timeLimit(.minutes(5)))
struct FilesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
    }

    /// Returns the error of listing the folder.
    private func listError() -> CommandError? {
        #expect(throws: CommandError.self) { try Files(directory: folder.path).list(under: ".") { $0.hasSuffix(".graphql") } }
    }

    @Test("Files of a folder are listed by path, without hidden folders, and each folder once")
    func list() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["b/x.graphql", "a/y.graphql", ".hidden/z.graphql", "a/n.swift"] {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        try link("link", to: folder.path)
        try link("a/b", to: "../b")
        let files = Files(directory: folder.path)
        #expect(try files.list(under: ".") { $0.hasSuffix(".graphql") }.map(\.lastPathComponent) == ["y.graphql", "x.graphql"])
        #expect(files.isFolder("a") && !files.isFolder("b/x.graphql"))
        #expect(try files.find("n.swift", under: ".") == "x" && files.find("none", under: ".") == nil)
    }

    @Test("A linked folder outside is followed")
    func linkedFolder() throws {
        let outside = folder.path + "-outside"
        defer { for path in [folder.path, outside] { try? FileManager.default.removeItem(atPath: path) } }
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: outside + "/x.graphql"))
        try link("more", to: outside)
        let found = try Files(directory: folder.path).list(under: ".") { $0.hasSuffix(".graphql") }
        #expect(found.map { $0.pathComponents.suffix(2).joined(separator: "/") } == ["more/x.graphql"])
    }

    @Test("A link that leads nowhere or to itself is an error", arguments: [("x.graphql", "none"), ("folder", "none"), ("x", "x")])
    func badLinks(name: String, target: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try link(name, to: target)
        let error = listError()
        #expect(error?.status == 66 && error?.description.contains("/\(name) can't be read: ") == true, "\(String(describing: error))")
    }

    @Test("A wanted name that is not one of a file is an error")
    func notAFile() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try link("x.graphql", to: "/dev/null")
        #expect(listError()?.description.hasSuffix("/x.graphql can't be read: it is not a file") == true)
    }

    @Test("A folder that can't be read is an error", .enabled(if: getuid() != 0))
    func unreadable() throws {
        let inner = folder.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for mode in [0o000, 0o400] {
            try Data().write(to: inner.appendingPathComponent("x.graphql"))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: inner.path)
            #expect(listError()?.status == 66)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: inner.path)
        }
    }

    @Test("Files are removed, and one that does not exist is no error")
    func remove() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
        try Data().write(to: file)
        try Files(directory: nil).remove([file, file])
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(throws: CommandError.self) { try Files(directory: nil).remove([URL(fileURLWithPath: "/proc/self")]) }
    }
}
