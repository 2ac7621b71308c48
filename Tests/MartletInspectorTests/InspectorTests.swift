import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletInspector

@Suite("Inspector", .timeLimit(.minutes(5)))
struct InspectorTests {
    private struct Bird: Codable, Sendable { var name: String }

    private func get(_ path: String, of inspector: Inspector) async throws -> HTTPResponse<JSONValue> {
        let client = HTTPClient(baseURL: inspector.url, transport: ownTransport())
        return try await client.response(for: Request<JSONValue>.get(Path(raw: path)))
    }

    @Test("A call over a real connection is listed, with its attempt, bodies, outcome and masked secrets")
    func call() async throws {
        let server = try await MockServer.start()
        server.on(.get("/birds/{id}"), .json(#"{"name":"swift","token":"s3cret"}"#))
        let inspector = try await Inspector.start()
        let client = HTTPClient(baseURL: server.url, transport: ownTransport(), observers: [inspector])
        _ = try await client.send(Request<Bird>.get("birds/1?token=s3cret").header(.authorization, "Bearer s3cret"))

        let list = try await get("calls", of: inspector).body
        #expect(list["version"] == 1)
        let call = try #require(list["calls"]?[0])
        #expect(call["state"] == "succeeded")
        #expect(call["status"] == 200)
        #expect(call["method"] == "GET")
        #expect(call["attempts"]?[0]?["response"]?["body"] == nil)
        let id = try #require(call["id"]?.stringValue)
        let full = try await get("calls/\(id)", of: inspector)
        #expect(full.body["attempts"]?[0]?["response"]?["body"]?["text"] == #"{"name":"swift","token":"‹redacted›"}"#)
        #expect(!"\(full.body)".contains("s3cret"))
        #expect(full.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        let har = try await get("har", of: inspector).body
        #expect(har["log"]?["entries"]?[0]?["_call"] == .string(id))
        #expect(har["log"]?["_calls"]?[0]?["id"] == .string(id))
        await inspector.stop()
        await server.stop()
    }

    @Test("A decoding failure is shown with its stage, and cleared calls are gone")
    func failure() async throws {
        let inspector = try await Inspector.start()
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport(.json("[]")), observers: [inspector])
        await #expect(throws: HTTPError.self) { try await client.send(Request<Bird>.get("a")) }
        let call = try #require(try await get("calls", of: inspector).body["calls"]?[0])
        #expect(call["state"] == "failed")
        #expect(call["error"]?["stage"] == "decoding")
        #expect(call["error"]?["case"] == "decodingFailed")
        _ = try await HTTPClient(baseURL: inspector.url, transport: ownTransport()).response(for: Request<Data>.post("clear"))
        #expect(try await get("calls", of: inspector).body["calls"] == [])
        await inspector.stop()
    }

    @Test("Events arrive while calls run")
    func events() async throws {
        let inspector = try await Inspector.start()
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport(.json("{}")), observers: [inspector])
        let response = try await HTTPClient(baseURL: inspector.url, transport: ownTransport()).stream(Request<Data>.get("events"))
        _ = try await client.send(Request<Data>.get("seen"))
        var text = ""
        for try await piece in response.body {
            text += String(decoding: piece, as: UTF8.self)
            if text.contains(#""state":"succeeded""#) { break }
        }
        #expect(text.contains("event: call\ndata: {"))
        #expect(text.contains("https://h/seen"))
        await inspector.stop()
    }

    @Test("The oldest calls are removed beyond the limits")
    func limits() async throws {
        let inspector = try await Inspector.start(maxCalls: 3)
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport { _ in .json("{}") }, observers: [inspector])
        for number in 1...10 { _ = try await client.send(Request<Data>.get("a/\(number)")) }
        let calls = try await get("calls", of: inspector).body["calls"]?.arrayValue ?? []
        #expect(calls.map { $0["url"] } == ["https://h/a/8", "https://h/a/9", "https://h/a/10"])
        await inspector.stop()
    }

    @Test("A recording is shown by its name and returned unchanged, and a missing one is reported")
    func recording() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")
        await #expect(throws: InspectorError.unreadable("\(file.path) does not exist")) { _ = try await Inspector.open(file) }
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"log":{}}"#.utf8).write(to: file)
        let inspector = try await Inspector.open(file)
        #expect(try await get("calls", of: inspector).body["recording"] == .string(file.lastPathComponent))
        #expect(inspector.har() == Data(#"{"log":{}}"#.utf8))
        // As an observer, it ignores calls.
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport { _ in .json("{}") }, observers: [inspector])
        _ = try await client.send(Request<Data>.get("a"))
        inspector.clear()
        #expect(inspector.har() == Data(#"{"log":{}}"#.utf8))
        await inspector.stop()
    }
}
