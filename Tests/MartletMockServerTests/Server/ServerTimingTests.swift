import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletMockServer

/// Tests the arrival times of the parts of a request.
@Suite(.timeLimit(.minutes(5))) struct ServerTimingTests {
    @Test("First byte, head and body have separate times since the start of the server, by its own clock")
    func parts() async throws {
        let time = ManualTime()
        var options = MockServer.Options()
        options.time = time
        time.advance(by: .seconds(100))
        let server = try await MockServer.start(options: options) { _ in .text("x") }
        let client = try RawClient(port: server.port)

        // The server's responses show what it has received: an interim response after the head, another request's response before it.
        time.advance(by: .seconds(1))
        try await client.send("PUT /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        _ = try await client.read(through: "100 Continue\r\n\r\n")
        time.advance(by: .seconds(2))
        try await client.send("hiGET /b HT")
        _ = try await client.readResponse()
        time.advance(by: .seconds(4))
        try await client.send("TP/1.1\r\nHost: x\r\n\r\n")
        _ = try await client.readResponse()

        #expect(
            server.requests.map { [$0.timing.firstByte, $0.timing.head, $0.timing.body] } == [
                [.seconds(1), .seconds(1), .seconds(3)], [.seconds(3), .seconds(7), .seconds(7)],
            ])
        await server.stop()
    }

    @Test("Bytes that are read later keep the time of their arrival")
    func log() {
        let time = ManualTime()
        var log = ArrivalLog(start: time.instant, time: time)
        log.note(10)
        time.advance(by: .seconds(1))
        log.note(5)
        time.advance(by: .seconds(1))
        log.note(20)

        let first = log.takeHead(of: 12, unread: 23)
        #expect(first == (.zero, .seconds(1)))
        let second = log.takeHead(of: 3, unread: 20)
        #expect(second == (.seconds(1), .seconds(1)))
        #expect(log.lastTaken(unread: 20) == .seconds(1) && log.lastTaken(unread: 19) == .seconds(2))
        #expect(log.lastTaken(unread: 0) == .seconds(2) && log.lastTaken(unread: 0) == .seconds(2))
    }
}
