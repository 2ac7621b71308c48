import Foundation
import GeneratorCommand
import Testing

@testable import martlet_endpoint

@Suite("The program martlet-endpoint", .timeLimit(.minutes(5)))
struct CommandTests {
    /// A folder that is removed at the end.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("endpoint-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }

        func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: url.appendingPathComponent(name)) }

        func text(_ name: String) throws -> String { try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8) }

        var names: [String] { ((FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String }) ?? []).sorted() }

        func run(_ arguments: String...) throws(CommandError) -> String { try Command(["--directory", url.path] + arguments).run() }
    }

    private func status(_ arguments: String..., in folder: Folder? = nil) -> Int32? {
        let start = folder.map { ["--directory", $0.url.path] } ?? []
        do throws(CommandError) {
            _ = try Command(start + arguments).run()
            return nil
        } catch { return error.status }
    }

    @Test("The files are written into the folders, which are created, and the module is that of the sources")
    func writes() throws {
        let folder = try Folder()
        try folder.write("user.json", #"{"id":1}"#)
        let output = try folder.run(
            "GET", "/users/{id}", "--response=user.json", "--output", "Sources/My-App/API", "--tests", "Tests/AppTests")
        #expect(try folder.text("Sources/My-App/API/GetUser.swift").contains("struct GetUser: Endpoint {"))
        #expect(try folder.text("Tests/AppTests/GetUserTests.swift").contains("@testable import My_App\n"))
        #expect(folder.names.filter { $0.hasSuffix(".swift") }.count == 3 && !folder.names.contains { $0.contains("draft") })
        #expect(output.contains("Sources/My-App/API/UsersRepository.swift") && output.contains("[ ] Errors:"))
    }

    @Test("If one file exists, nothing is written, and --force replaces it but never the repository")
    func existing() throws {
        let folder = try Folder()
        try folder.write("GetUserTests.swift", "mine")
        let error = #expect(throws: CommandError.self) { try folder.run("GET", "/users/{id}", "--tests", ".") }
        #expect(error?.status == 73 && error?.description.contains("GetUserTests.swift") == true)
        #expect(try folder.names == ["GetUserTests.swift"] && folder.text("GetUserTests.swift") == "mine")

        _ = try folder.run("GET", "/users/{id}", "--tests", ".", "--force")
        #expect(try folder.text("GetUserTests.swift") != "mine")
        let repository = try folder.text("UsersRepository.swift") + "// mine\n"
        try folder.write("UsersRepository.swift", repository)
        _ = try folder.run("GET", "/users/{id}", "--tests", ".", "--force")
        #expect(try folder.text("UsersRepository.swift") == repository)
        #expect(folder.names == ["GetUser.swift", "GetUserTests.swift", "UsersRepository.swift"])
    }

    @Test("The error names every file that exists")
    func allExisting() throws {
        let folder = try Folder()
        for name in ["GetUser.swift", "GetUserTests.swift"] { try folder.write(name, "mine") }
        let error = #expect(throws: CommandError.self) { try folder.run("GET", "/users/{id}", "--tests", ".") }
        let names = error?.description.split(separator: "\n").dropFirst().compactMap { $0.split(separator: "/").last }
        #expect(names == ["GetUser.swift", "GetUserTests.swift"])
    }

    @Test("A link that leads nowhere counts as a file")
    func links() throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(atPath: folder.url.path + "/GetUser.swift", withDestinationPath: "/nowhere/x")
        #expect(status("GET", "/users/{id}", in: folder) == 73)
        #expect(folder.names == ["GetUser.swift"])
    }

    @Test("A folder in the place of a file is an error, and no file is replaced", arguments: [["--force"], []])
    func folderAsFile(_ options: [String]) throws {
        let folder = try Folder()
        try folder.write("GetUser.swift", "mine")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("GetUserTests.swift"), withIntermediateDirectories: false)
        let arguments = ["--directory", folder.url.path, "GET", "/users/{id}", "--no-repository", "--tests", "."]
        #expect(throws: CommandError.self) { try Command(arguments + options).run() }
        #expect(try folder.text("GetUser.swift") == "mine" && folder.names == ["GetUser.swift", "GetUserTests.swift"])
    }

    @Test("A named pipe without a writer is an empty sample, and one in the place of the repository is not read")
    func pipes() throws {
        let folder = try Folder()
        for name in ["pipe", "UsersRepository.swift"] { #expect(mkfifo(folder.url.appendingPathComponent(name).path, 0o600) == 0) }
        #expect(status("GET", "/users/{id}", "--response", "pipe", in: folder) == 65)
        #expect(status("GET", "/users/{id}", in: folder) == 73)
    }

    @Test("A folder that can't be written leaves nothing behind, also no folders that were created")
    func unwritable() throws {
        let folder = try Folder()
        try folder.write("Tests", "a file, not a folder")
        let error = #expect(throws: CommandError.self) {
            try folder.run("GET", "/users/{id}", "--output", "Sources/A", "--tests", "Tests/T")
        }
        #expect(error?.status == 73 && error?.description.contains("is not a folder") == true)
        #expect(folder.names == ["Tests"])
    }

    @Test("--dry-run prints the files and writes none")
    func dryRun() throws {
        let folder = try Folder()
        let output = try folder.run("GET", "/users/{id}", "--dry-run", "--tests", ".")
        #expect(output.contains("struct GetUser: Endpoint {") && output.contains("GetUserTests.swift") && output.contains("[ ] "))
        #expect(folder.names == [])
    }

    @Test("--help shows every option")
    func help() throws {
        let text = try Command(["--help"]).run()
        for option in Arguments.valueOptions.subtracting(["--directory"]) { #expect(text.contains(option + " "), "\(option)") }
        #expect(try Command(["GET", "-h"]).run() == text)
    }

    @Test("Invalid arguments exit with 64")
    func usage() throws {
        for arguments in [
            [], ["GET"], ["GET", "/a", "b"], ["GET", "/a", "--unknown"], ["GET", "/a", "--name"], ["GET", "/a", "--force=1"],
            ["GET", "/a", "--max-size", "x"], ["GET", "/a", "--max-depth", "0"], ["GET", "/a", "--response", "-", "--body", "-"],
            ["FETCH", "/a"], ["GET", "/{}"], ["GET", "/a", "--name", "a/b"], ["GET", "/a", "--snake-case", "--json-readable"],
            ["GET", "/a", "--name", "A", "--name=B"], ["GET", "/a", "--tests", ".", "--module", "A; import B"],
        ] {
            let error = #expect(throws: CommandError.self) { try Command(arguments).run() }
            #expect(error?.status == 64, "\(arguments)")
        }
    }

    @Test("A sample that is missing, too large, too deep or invalid has a status of its own, and nothing is written")
    func samples() throws {
        let folder = try Folder()
        for (name, text) in [("a.json", "{"), ("b.json", "[[[1]]]"), ("c.json", "")] { try folder.write(name, text) }
        #expect(status("GET", "/a", "--response", "none.json", in: folder) == 66)
        #expect(status("GET", "/a", "--response", ".", in: folder) == 66)
        #expect(status("GET", "/a", "--response", "a.json", in: folder) == 65)
        #expect(status("GET", "/a", "--response", "b.json", "--max-depth", "2", in: folder) == 65)
        #expect(status("GET", "/a", "--response", "b.json", "--max-size", "6", in: folder) == 65)
        #expect(status("GET", "/a", "--response", "c.json", in: folder) == 65)
        #expect(folder.names == ["a.json", "b.json", "c.json"])
        #expect(status("GET", "/a", "--response", "b.json", "--max-size", "7", in: folder) == nil)
    }
}
