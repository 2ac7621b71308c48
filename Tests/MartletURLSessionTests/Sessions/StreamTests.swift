import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession
import Testing

@Suite("URLSessionTransport: streamed responses", .timeLimit(.minutes(5)))
struct StreamTests {
    private let transport = URLSessionTransport()

    /// A server that sends the first piece, and the second one when the gate opens.
    private func server(_ first: String, _ second: String, gate: Gate) async throws -> MockServer {
        try await MockServer.start { _ in
            .stream {
                let left = Locked([first, second][...])
                return HTTPBody {
                    let piece = left.withLock { $0.popFirst() }
                    if piece == second { await gate.opened() }
                    return piece.map { Data($0.utf8) }
                }
            }
        }
    }

    @Test("A large body arrives complete")
    func large() async throws {
        let total = 20_000_000
        let server = try await MockServer.start { _ in .data(Data(repeating: 7, count: total)) }
        let response = try await transport.send(server.streamed())
        #expect(response.body.length == Int64(total))
        var count = 0
        for try await chunk in response.body {
            #expect(chunk.allSatisfy { $0 == 7 })
            count += chunk.count
        }
        #expect(count == total)
    }

    #if os(Linux)
    @Test("If too many bytes wait for their reader, the body ends with an error and the connection is closed")
    func unreadLimit() async throws {
        let server = try await MockServer.start()
        server.enqueue(.data(Data(count: 8_000_000)).chunked(4_000_000).piecesDelayed(by: .seconds(3600)))
        let transport = URLSessionTransport(maxUnreadBytes: 1_000_000)
        let response = try await transport.send(server.streamed())
        try await server.waitForOpenConnections()
        var chunks = response.body.makeAsyncIterator()
        await #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.body, limit: 1_000_000))) { try await chunks.next() }
    }
    #endif

    @Test("The reader's error matches what cancelled the body")
    func cancelledByOthers() async throws {
        let gate = Gate()
        let server = try await server("hello", "never", gate: gate)
        let body = try await transport.send(server.streamed()).body
        guard case .stream(let stream) = body.storage else {
            Issue.record("not a stream")
            return
        }
        let reader = stream.releaseReader()
        #expect(try await reader.next() == Data("hello".utf8))
        let waiting = Task { () -> HTTPError? in
            do {
                _ = try await reader.next()
                return nil
            } catch { return error as? HTTPError }
        }
        reader.cancel(.timeout)
        #expect(await waiting.value == .timeout)
        await #expect(throws: HTTPError.timeout) { try await reader.next() }
        gate.open()
    }
}
