import Foundation
import MartletTesting
import MartletWebSocketProtocol
import TestSupport
import Testing

@testable import MartletMockServer

/// Tests the connection in memory by its bytes. The tests of the mocks use it through a client.
@Suite(.timeLimit(.minutes(5))) struct ScriptedConnectionTests {
    private func open(
        _ steps: WebSocketStep..., cut: MockReply.Disconnect? = nil
    ) throws -> (client: ScriptedConnection, server: ServerWebSocket) {
        var request = HTTPRequest(url: try #require(URL(string: "http://h/chat?room=1")))
        request.headers = WebSocketHandshake().fields
        let reply = WebSocketScript(steps: steps, protocols: nil, compression: nil)
            .accepting(.webSocket(), method: .get, headers: request.headers)
        guard case .webSocket(let script) = reply.kind else { throw CancellationError() }
        return ScriptedConnection.open(script, cut: cut, for: request, number: 3, time: ManualTime())
    }

    @Test("The server's side has the request, as a server would have recorded it")
    func request() throws {
        let request = try open(.echo).server.request
        #expect(request.target == "/chat?room=1" && request.query["room"] == "1" && request.connection == 3)
        #expect(String(decoding: request.receivedHead, as: UTF8.self).hasPrefix("GET /chat?room=1 HTTP/1.1\r\nUpgrade: websocket\r\n"))
    }

    @Test("While the script reads nothing, the second large write waits; closing ends it and the connection")
    func waitingWrite() async throws {
        let (client, server) = try open(.stopReading, .send("stopped"))
        #expect(try await client.read() == Data([0x81, 7]) + Data("stopped".utf8))
        let large = Data(count: 100_000), ends = Recorder<HTTPError?>()
        try await client.write(large)
        #expect(!client.write(large) { ends.append($0) })
        #expect(ends.count == 0)
        client.close()
        #expect(try await ends.first(1) == [.cancelled])
        #expect(try await server.waitForEnd() == .abnormalClosure)
        await #expect(throws: HTTPError.cancelled) { try await client.write(Data([1])) }
        await #expect(throws: HTTPError.cancelled) { _ = try await client.read() }
    }

    @Test("A cancelled read throws .cancelled, and what arrives later can still be read")
    func cancelledRead() async throws {
        let (client, server) = try open()
        let reading = Task { try await client.read() }
        reading.cancel()
        await #expect(throws: HTTPError.cancelled) { _ = try await reading.value }
        server.play(.send("x"), .drop())
        #expect(try await client.read() == Data([0x81, 1, 0x78]))
        #expect(try await client.read() == nil)
        await #expect(throws: HTTPError.connectionLost) { try await client.write(Data([1])) }
    }

    @Test("After a reset, reading throws; steps that are added after the end are ignored")
    func reset() async throws {
        let (client, server) = try open(.send("x"), .drop(reset: true))
        try await server.waitForEnd()
        #expect(try await client.read() == Data([0x81, 1, 0x78]))
        await #expect(throws: HTTPError.connectionLost) { _ = try await client.read() }
        server.play(.send("y"))
        await #expect(throws: HTTPError.connectionLost) { _ = try await client.read() }
    }

    @Test("A cut ends the connection after so many bytes")
    func cut() async throws {
        let (client, server) = try open(.send("12345"), cut: MockReply.Disconnect(moment: .withinBody(after: 3), isReset: false))
        #expect(try await client.read() == Data([0x81, 5, 0x31]))
        #expect(try await client.read() == nil)
        #expect(try await server.waitForEnd() == .abnormalClosure)
    }
}
