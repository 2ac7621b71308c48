import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("Test doubles share no state", .timeLimit(.minutes(5)))
struct ParallelTests {
    struct Item: Codable, Sendable, Equatable { let number: Int }
    struct GetItem: Endpoint {
        typealias Response = Item
        let number: Int
        var path: Path { "items/\(number)" }
    }

    @Test("A hundred concurrent tests have their own server, transport, client, time and recording", arguments: 0..<100)
    func alone(number: Int) async throws {
        let server = try await MockServer.start()
        server.on(.get("/items/{id}")) { _, path in .json(#"{"number":\#(path["id", default: ""])}"#) }
        let transport = MockTransport(.status(503), .json(#"{"number":\#(number)}"#))
        let mock = HTTPClientMock()
        mock.on(GetItem.self) { Item(number: $0.number) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = RecordingTransport(wrapping: PlatformTransport(), to: file)
        let time = ManualTime()

        #expect(try await HTTPClient(baseURL: server.url, transport: recorder).send(GetItem(number: number)).number == number)
        try await recorder.save()
        let replay = try ReplayTransport(contentsOf: file)
        #expect(try await HTTPClient(baseURL: server.url, transport: replay).send(GetItem(number: number)).number == number)
        let client = HTTPClient(baseURL: server.url, transport: transport)
        await #expect(throws: HTTPError.self) { try await client.send(GetItem(number: number)) }
        #expect(try await client.send(GetItem(number: number)).number == number)
        #expect(try await mock.send(GetItem(number: number)).number == number)
        try await time.sleep(for: .seconds(number))

        #expect(server.requests.map(\.path) == ["/items/\(number)"] && transport.requests.count == 2)
        #expect(mock.requested(GetItem.self).map(\.number) == [number] && time.sleeps == [.seconds(number)])
        try server.verify()
        try transport.verify()
        try mock.verify()
        try replay.verify()
        await server.stop()
    }
}
