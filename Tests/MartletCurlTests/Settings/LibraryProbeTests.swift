import Foundation
import MartletSystem
import Testing

@testable import LibraryProbe

/// Starts a program of its own for each test, because the loader reads the program's folder and its environment once.
@Suite("Libraries beside a program", .timeLimit(.minutes(5)))
struct LibraryProbeTests {
    /// A folder with a program that needs libraries of the system.
    private final class Folder {
        let folder: URL
        var program: URL { folder.appendingPathComponent("LibraryProbe") }

        init() throws {
            let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            folder = built.appendingPathComponent("libraries-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // A link, not a copy: another test's child process could hold the copy open for writing, and it could not be started.
            try FileManager.default.linkItem(at: built.appendingPathComponent("LibraryProbe"), to: program)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func file(_ name: String, _ text: String) throws -> URL {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            return file
        }

        /// Returns the output of the program.
        func run(_ environment: [String: String] = [:]) throws -> String {
            let process = Process(), pipe = Pipe()
            process.executableURL = program
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: output, as: UTF8.self)
        }
    }

    /// Computed with `head -c 4096 /dev/zero | sha256sum`.
    private let digest = "ad7facb2586fc6e966c004d7d1d16b024f5805ff7cb47c7a85dabd8b48892ca7"

    private func expectUsable(_ output: String) {
        #expect(output.lowercased().contains("connect") && !output.contains("Engine unavailable"), "\(output)")
        #expect(output.contains(digest), "\(output)")
    }

    @Test("A damaged file beside the program does not hide the system's library", arguments: ["", "not a library"])
    func damaged(content: String) throws {
        let folder = try Folder()
        for name in ["libcurl.so.4", "libcrypto.so.3", "libz.so.1", "libzstd.so.1"] { _ = try folder.file(name, content) }
        expectUsable(try folder.run())
    }

    @Test("Another library under the name of libcurl beside the program does not hide the system's library")
    func foreign() throws {
        let folder = try Folder()
        let other = try #require(
            LibraryCandidates.systemFolders.map { "\($0)/libm.so.6" }.first { FileManager.default.fileExists(atPath: $0) })
        for name in ["libcurl.so.4", "libcrypto.so.3"] {
            let original = URL(fileURLWithPath: other).resolvingSymlinksInPath()
            try FileManager.default.copyItem(at: original, to: folder.folder.appendingPathComponent(name))
        }
        expectUsable(try folder.run())
    }

    @Test("A damaged libcurl in a folder of LD_LIBRARY_PATH does not hide the system's library")
    func searchPath() throws {
        let folder = try Folder(), other = try Folder()
        _ = try other.file("libcurl.so.4", "not a library")
        expectUsable(try folder.run(["LD_LIBRARY_PATH": other.folder.path]))
    }

    @Test("MARTLET_LIBCURL names the only libcurl to use, as an absolute path")
    func setting() throws {
        let folder = try Folder()
        let system = try #require(
            LibraryCandidates.systemFolders.map { "\($0)/libcurl.so.4" }.first { FileManager.default.fileExists(atPath: $0) })
        expectUsable(try folder.run(["MARTLET_LIBCURL": system]))
        let damaged = try folder.file("other.so", "not a library")
        let output = try folder.run(["MARTLET_LIBCURL": damaged.path])
        #expect(output.contains("no usable libcurl was found, which MARTLET_LIBCURL names: \(damaged.path): file too short"), "\(output)")
        let absent = try folder.run(["MARTLET_LIBCURL": "/nowhere/libcurl.so.4"])
        #expect(absent.contains("libcurl is not installed (tried /nowhere/libcurl.so.4, which MARTLET_LIBCURL names)"), "\(absent)")
        let relative = try folder.run(["MARTLET_LIBCURL": "libcurl.so.4"])
        #expect(relative.contains("MARTLET_LIBCURL must be an absolute path and is “libcurl.so.4”"), "\(relative)")
    }
}
