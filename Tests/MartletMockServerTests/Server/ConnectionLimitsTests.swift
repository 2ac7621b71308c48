import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletMockServer

@Suite("ConnectionLimits", .timeLimit(.minutes(5)))
struct ConnectionLimitsTests {
    private let start = ContinuousClock.now
    private func seconds(_ values: [Double?]) -> [ContinuousClock.Instant?] { values.map { $0.map { start + .seconds($0) } } }

    @Test("A further connection is accepted within the limit, replaces the longest wait beyond it, and is refused without one")
    func admission() {
        let limits = ConnectionLimits(maxConnections: 3, idleTimeout: .seconds(60))
        #expect(limits.admission(besides: seconds([1, nil])) == .accept)
        #expect(limits.admission(besides: seconds([3, nil, 2])) == .replace(2))
        #expect(limits.admission(besides: seconds([nil, nil, nil])) == .refuse)
    }

    @Test("At least one connection is accepted, and a timeout is from one second to a day")
    func bounds() {
        #expect(ConnectionLimits(maxConnections: -1, idleTimeout: .zero).admission(besides: []) == .accept)
        #expect(ConnectionLimits(maxConnections: 0, idleTimeout: .zero).idleTimeout == .seconds(1))
        #expect(ConnectionLimits(maxConnections: 0, idleTimeout: .seconds(Int64.max)).idleTimeout == .seconds(86_400))
    }

    @Test("The timer is set for the longest wait, and anew only after it has fired")
    func timer() {
        let time = ManualTime(autoAdvances: false), fired = Locked(0)
        var clock = IdleClock(ConnectionLimits(maxConnections: 9, idleTimeout: .seconds(10)), time: time) {
            fired.withLock { $0 += 1 }
        }
        let start = time.instant
        #expect(clock.expired([start, nil, start + .seconds(4)]) == [])
        time.advance(by: .seconds(6))
        #expect(clock.expired([time.instant, nil, start + .seconds(4)]) == [])
        #expect(fired.withLock { $0 } == 0)
        time.advance(by: .seconds(4))
        #expect(fired.withLock { $0 } == 1)
        #expect(clock.expired([start + .seconds(6), nil, start + .seconds(4)]) == [])
        time.advance(by: .seconds(4))
        #expect(fired.withLock { $0 } == 2)
        #expect(clock.expired([start + .seconds(6), nil, start + .seconds(4)]) == [2])
    }

    private func server(_ limits: ConnectionLimits, time: ManualTime) async throws -> MockServer {
        var options = MockServer.Options()
        options.limits = limits
        options.time = time
        return try await MockServer.start(options: options) { _ in .text("ok") }
    }

    @Test("A request whose bytes arrive slowly is closed at the timeout, and one whose client is served in time stays")
    func slowRequest() async throws {
        let time = ManualTime(autoAdvances: false)
        let server = try await server(ConnectionLimits(maxConnections: 9, idleTimeout: .seconds(10)), time: time)
        let slow = try RawClient(port: server.port)
        try await slow.send("GET / HTTP/1.1\r\n")
        while server.openConnectionCount < 1 { await Task.yield() }
        time.advance(by: .seconds(6))
        let steady = try RawClient(port: server.port)
        try await slow.send("X-A: 1\r\n")
        try await steady.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await steady.readResponse().hasSuffix("ok"))
        time.advance(by: .seconds(4))
        #expect(try await slow.readToEnd() == "")
        #expect(server.openConnectionCount == 1)
        try await steady.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await steady.readResponse().hasSuffix("ok"))
        await server.stop()
    }

    @Test("A client that does not read its response is closed at the timeout")
    func slowReader() async throws {
        let time = ManualTime(autoAdvances: false)
        var options = MockServer.Options()
        options.limits = ConnectionLimits(maxConnections: 9, idleTimeout: .seconds(10))
        options.time = time
        options.sendBufferBytes = 4_096
        let server = try await MockServer.start(options: options) { _ in .data(Data(count: 50_000_000)) }
        let client = try RawClient(port: server.port, receiveBufferBytes: 4_096)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        try await server.waitForBytesWritten(1)
        while server.openConnectionCount == 1 {
            await Task.yield()
            time.advance(by: .seconds(1))
        }
        await server.stop()
    }
}
