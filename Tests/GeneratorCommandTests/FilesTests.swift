import Foundation
import GeneratorCommand
import Testing

@Suite("Files", .timeLimit(.minutes(5)))
struct FilesTests {
    @Test("Files of a folder are listed by path, without hidden folders and links to folders")
    func list() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["b/x.graphql", "a/y.graphql", ".hidden/z.graphql", "a/n.swift"] {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path)
        let files = Files(directory: folder.path)
        #expect(files.list(under: ".") { $0.hasSuffix(".graphql") }.map(\.lastPathComponent) == ["y.graphql", "x.graphql"])
        #expect(files.isFolder("a") && !files.isFolder("b/x.graphql"))
        #expect(try files.find("n.swift", under: ".") == "x" && files.find("none", under: ".") == nil)
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
