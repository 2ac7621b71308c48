import Foundation
import Testing

@testable import martlet_endpoint

/// Compares the generator's output with the sources in GeneratedEndpointTests and MainActorAppTests, which are compiled and run as tests.
///
/// `UPDATE_GOLDEN=1 swift test --filter GoldenTests` replaces those sources.
@Suite("Golden sources", .timeLimit(.minutes(5)))
struct GoldenTests {
    /// Calls of the generator whose files are in one folder.
    struct Group: Sendable, CustomTestStringConvertible {
        let folder: String
        let calls: [[String]]

        var testDescription: String { folder }
    }

    static let groups = [
        Group(
            folder: "GeneratedEndpointTests/Orders",
            calls: [
                [
                    "GET", "/users/{id:Int}/orders", "--name", "ListOrders", "--query", "page=1&sort=name&tag=a&tag=b c",
                    "--response", "orders.json",
                ],
                [
                    "POST", "/users/{id:UUID}/orders", "--name", "CreateOrder", "--enum", "state", "--response", "order.json", "--body",
                    "new-order.json",
                ],
                ["DELETE", "/users/{id}/orders/{order-id}", "--name", "DeleteOrder"],
            ]),
        Group(
            folder: "GeneratedEndpointTests/Users",
            calls: [
                [
                    "GET", "/api/v1/users/{id}", "--model", "User", "--enum", "role", "--public", "--json-readable", "--response",
                    "user.json",
                    "--response", "user-without-manager.json",
                ],
                ["PATCH", "/api/v1/users/{id}", "--model", "User", "--public", "--body", "user-changes.json"],
            ]),
        Group(
            folder: "GeneratedEndpointTests/Search",
            calls: [
                [
                    "POST", "/search/{index}.json", "--name", "Search", "--repository", "Searching", "--snake-case", "--decimal",
                    "--response", "search.json", "--body", "search-body.json",
                ]
            ]),
        Group(
            folder: "GeneratedEndpointTests/Words",
            calls: [
                ["GET", "/words", "--response", "words.json", "--query", "max=2.5&exact=true&ids[]=7&zip=007", "--no-repository"],
                ["GET", "/words/{id:Int64}/text", "--response", "text.json", "--no-repository"],
                ["HEAD", "/words/{word}", "--no-repository"],
            ]),
        Group(
            folder: "MainActorAppTests/Nests",
            calls: [
                ["GET", "/nests", "--nonisolated", "--response", "nest.json"],
                ["PUT", "/nests", "--nonisolated", "--body", "new-nests.json"],
            ]),
    ]

    private let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test("The generator writes the golden sources, byte for byte", arguments: groups)
    func golden(_ group: Group) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for call in group.calls { _ = try Command(arguments(call, folder)).run() }
        let generated = try texts(in: folder), golden = tests.appendingPathComponent(group.folder)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: golden)
            try FileManager.default.copyItem(at: folder, to: golden)
        }
        let expected = try texts(in: golden)
        #expect(generated.keys.sorted() == expected.keys.sorted())
        for (name, text) in generated { #expect(text == expected[name], "\(group.folder)/\(name)") }
    }

    private func arguments(_ call: [String], _ folder: URL) -> [String] {
        let samples = tests.appendingPathComponent("GeneratedEndpointTests/Samples")
        return call.map { $0.hasSuffix(".json") && !$0.hasPrefix("/") ? samples.appendingPathComponent($0).path : $0 }
            + ["--output", folder.path, "--tests", folder.path]
    }

    private func texts(in folder: URL) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
            })
    }
}
