import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession
import Testing

@Suite("URLSessionTransport: lifetime", .timeLimit(.minutes(5)))
struct LifetimeTests {
    @Test("A released transport finishes its running requests")
    func lifetime() async throws {
        let gate = Gate()
        let server = try await MockServer.start { _ in
            .stream {
                let count = Tally()
                return HTTPBody {
                    switch count.next() {
                    case 0: return Data("hello".utf8)
                    case 1:
                        await gate.opened()
                        return Data("world".utf8)
                    default: return nil
                    }
                }
            }
        }
        var transport: URLSessionTransport? = URLSessionTransport()
        let response = try await transport?.send(server.streamed())
        weak let gone = transport
        transport = nil
        #expect(gone == nil)
        gate.open()
        #expect(try await response?.body.collect() == Data("helloworld".utf8))
    }

    @Test("Many transports can be created and released, and their connections are closed")
    func manyTransports() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        for _ in 0..<50 { _ = try await URLSessionTransport().send(server.request()) }
        #expect(server.connectionCount == 50)
        try await server.waitForOpenConnections()
    }
}

/// Returns consecutive numbers from 0.
private final class Tally: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
