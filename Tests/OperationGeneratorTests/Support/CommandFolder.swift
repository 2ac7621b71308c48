import Foundation
import GeneratorCommand

@testable import martlet_graphql

/// A folder with a schema and an operation, which is removed at the end.
final class CommandFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("graphql-\(UUID().uuidString)")

    init() throws {
        try write("schema.graphqls", "type Query { hero: String }")
        try write("ops/hero.graphql", "query Hero { hero }\n")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func text(_ name: String) throws -> String { try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path) }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: url.path + "/" + name, withDestinationPath: target)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url.appendingPathComponent(name)) }

    var swiftFiles: [String] {
        let names = (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String }) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted()
    }

    func run(_ arguments: String..., environment: [String: String] = [:]) async throws(CommandError) -> String {
        try await Command(["--directory", url.path] + arguments, environment: environment).run()
    }

    func generate(_ more: String...) async throws(CommandError) -> String {
        let arguments = ["--schema", "schema.graphqls", "--operations", "ops", "--output", "out"]
        return try await Command(["--directory", url.path] + arguments + more, environment: [:]).run()
    }

    /// Returns the error of generating, or nil without one.
    func error(_ more: String...) async -> CommandError? {
        await error(of: ["--schema", "schema.graphqls", "--operations", "ops", "--output", "out"] + more)
    }

    /// Returns the error of a run, or nil without one.
    func error(of arguments: [String]) async -> CommandError? {
        do throws(CommandError) {
            _ = try await Command(["--directory", url.path] + arguments, environment: [:]).run()
            return nil
        } catch { return error }
    }
}
