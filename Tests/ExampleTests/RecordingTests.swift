import Foundation
import Martlet
import MartletTesting
import Testing

/// Replays a recording of a real server's responses.
@Suite("Example: a recorded server, tested with ReplayTransport", .timeLimit(.minutes(5)))
struct RecordingTests {
    static let recording = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Recordings/birds.har")

    @Test("The birds of a recording are decoded, and an unrecorded request fails")
    func replay() async throws {
        let replay = try ReplayTransport(contentsOf: Self.recording, matching: .methodAndPath)
        let repository = BirdRepository(http: HTTPClient(baseURL: URL(string: "https://api.example/v1"), transport: replay))

        #expect(try await repository.all().map(\.name) == ["Wren", "Martlet"])
        #expect(try await repository.add("Swift").id == 3)
        await #expect(throws: HTTPError.self) { try await repository.add("Dodo") }  // not recorded

        try replay.verify()
    }

    @Test("Recording a server leaves out secrets, and the replay returns the same birds")
    func record() async throws {
        let server = try await MockServer.start()
        server.on(.get("/birds"), .json(#"[{"id":1,"name":"Wren"}]"#, headers: ["Set-Cookie": "session=s3cret"]))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }

        let recorder = RecordingTransport(wrapping: PlatformTransport(), to: file)
        let live = try await BirdRepository(http: HTTPClient(baseURL: server.url, transport: recorder)).all()
        try await recorder.save()
        await server.stop()

        let replay = try ReplayTransport(contentsOf: file)
        #expect(try await BirdRepository(http: HTTPClient(baseURL: server.url, transport: replay)).all() == live)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("s3cret"))
    }
}
