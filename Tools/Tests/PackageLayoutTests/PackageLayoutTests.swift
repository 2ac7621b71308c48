import Foundation
import PackageLayout
import Testing

@Suite("Targets of a package", .timeLimit(.minutes(1)))
struct PackageLayoutTests {
    private let dump = Data(
        """
        {"name": "p",
         "products": [
            {"name": "App", "targets": ["App"], "type": {"library": ["automatic"]}},
            {"name": "Curl", "targets": ["Curl"], "type": {"library": ["automatic"]}},
            {"name": "Writer", "targets": ["Writer"], "type": {"plugin": null}}],
         "targets": [
            {"name": "App", "type": "regular", "dependencies": [
                {"byName": ["Base", null]}, {"target": ["Curl", {"platformNames": ["linux"]}]},
                {"target": ["Session", {"platformNames": ["macos", "ios"]}]}]},
            {"name": "Base", "type": "regular", "dependencies": []},
            {"name": "CCurl", "type": "regular", "dependencies": []},
            {"name": "Curl", "type": "regular", "dependencies": [{"byName": ["Base", null]}, {"byName": ["CCurl", null]}]},
            {"name": "Session", "type": "regular", "dependencies": [{"byName": ["Base", null]}]},
            {"name": "demo", "type": "executable", "dependencies": [{"product": ["Other", "other", null, null]}]},
            {"name": "Support", "type": "regular", "path": "Tests/Support", "dependencies": [{"byName": ["App", null]}]},
            {"name": "AppTests", "type": "test", "dependencies": [{"byName": ["App", null]}]}]}
        """.utf8)

    /// Creates a package with the folders of the dump, of which two have a catalog.
    private func package() throws -> URL {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("layout-\(UUID().uuidString)")
        for (name, files) in [
            "App": ["App.swift"], "Base": ["Base.swift"], "CCurl": ["c.c"], "Curl": ["Curl.swift"], "Session": ["Session.swift"],
        ] {
            let folder = root.appendingPathComponent("Sources/\(name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in files { try Data().write(to: folder.appendingPathComponent(file)) }
        }
        for name in ["App", "Base"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent("Sources/\(name)/\(name).docc"), withIntermediateDirectories: true)
        }
        return root
    }

    @Test("Libraries follow those that they depend on; programs, tests and targets outside Sources are left out")
    func order() throws {
        let root = try package()
        defer { try? FileManager.default.removeItem(at: root) }
        let layout = try PackageLayout(dump: dump)
        #expect(layout.targets([], in: root) == ["Base", "CCurl", "Curl", "Session", "App"])
        #expect(layout.targets([.products], in: root) == ["Curl", "App"])
        #expect(layout.targets([.documented], in: root) == ["Base", "App"])
    }

    @Test("Targets in C, and those that others use on Linux only, are not built for Apple's platforms")
    func apple() throws {
        let root = try package()
        defer { try? FileManager.default.removeItem(at: root) }
        let layout = try PackageLayout(dump: dump)
        #expect(layout.targets([.apple], in: root) == ["Base", "Session", "App"])
        #expect(layout.targets([.apple, .products], in: root) == ["App"])
    }
}
