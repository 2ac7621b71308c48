import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("One connection of GraphQL over WebSocket", .timeLimit(.minutes(5)))
struct GraphQLSocketConnectionTests {
    private let time = ManualTime()
    private let socket = FakeGraphQLSocket()

    private func open(
        _ socket: FakeGraphQLSocket? = nil, payload: Data? = nil, _ change: (inout GraphQLSocketSettings) -> Void = { _ in }
    ) async throws(GraphQLError) -> GraphQLSocketConnection {
        var settings = GraphQLSocketSettings()
        change(&settings)
        return try await .open(socket ?? self.socket, settings, payload: payload, response: nil, time: time) { _ in }
    }

    private func start(_ connection: GraphQLSocketConnection, maxBytes: Int = 1 << 20) throws -> GraphQLSocketOperation {
        try #require(connection.start(payload: Data("{}".utf8), maxBytes: maxBytes))
    }

    @Test("A silent connection is pinged, and any message is a reply")
    func ping() async throws {
        let connection = try await open()
        let operation = try start(connection)
        for (round, reply) in [#"{"type":"pong"}"#, #"{"type":"ping"}"#].enumerated() {
            _ = await socket.waitForTexts(2 + round * 2)
            time.advance(by: .seconds(29))
            #expect(socket.sent.count == 2 + round * 2 - round)
            time.advance(by: .seconds(1))
            #expect(await socket.waitForTexts(3 + round * 2 - round).contains("ping"))
            socket.push(reply)
            #expect(try await operation.next() == .heartbeat)
            time.advance(by: .seconds(10))
            if round == 1 { #expect(await socket.waitForTexts(5).last == "pong") } else { break }
        }
        #expect(connection.isOpen)
    }

    @Test("Without a reply to a ping, the connection is lost")
    func silence() async throws {
        let connection = try await open { $0.keepAlive = .seconds(5) }
        let operation = try start(connection)
        let reading = Task { try await operation.next() }
        time.advance(by: .seconds(5))
        #expect(await socket.waitForTexts(3).last == "ping")
        time.advance(by: .seconds(10))
        await #expect(throws: GraphQLError.http(.timeout)) { try await reading.value }
        #expect(!connection.isOpen && connection.start(payload: Data(), maxBytes: 1) == nil)
    }

    @Test("Without a keep-alive time, and with the older protocol, nothing is pinged")
    func noPings() async throws {
        let old = FakeGraphQLSocket(.graphQLWS)
        let connections = [try await open { $0.keepAlive = nil }, try await open(old)]
        let operations = try connections.map { try start($0) }
        time.advance(by: .seconds(3600))
        #expect(socket.types.allSatisfy { $0 != "ping" } && old.types.allSatisfy { $0 != "ping" })
        #expect(connections.allSatisfy(\.isOpen) && operations.count == 2)
    }

    @Test("A single slow reader slows the server down, and is not taken for a silent connection")
    func slowReader() async throws {
        let connection = try await open { $0.keepAlive = .seconds(5) }
        let operation = try start(connection)
        _ = await socket.waitForTexts(2)
        for count in 1...100 { socket.next(count) }
        // The acknowledgement, and as many results as are kept.
        while socket.receivedCount < 17 { await Task.yield() }
        for _ in 1...100 { await Task.yield() }
        #expect(socket.receivedCount == 17 && !socket.isAwaited)
        time.advance(by: .seconds(60))
        #expect(connection.isOpen && socket.sent.count == 2)
        for count in 1...100 {
            #expect(try await operation.next() == .next(Data(#"{"data":{"count":\#(count)}}"#.utf8)))
        }
    }

    @Test("A server that sends large pings and does not read the replies is not read, also before it has acknowledged")
    func unreadReplies() async throws {
        let payload = String(repeating: "x", count: 30_000)
        for isAcknowledged in [false, true] {
            let socket = FakeGraphQLSocket { isAcknowledged ? FakeGraphQLSocket.acknowledging($0) : [] }
            if !isAcknowledged { socket.stopReading() }
            let opening = Task { try await open(socket) }
            if isAcknowledged {
                _ = try await opening.value
                socket.stopReading()
            }
            let before = socket.receivedCount
            for _ in 1...50 { socket.push(#"{"type":"ping","payload":{"x":"\#(payload)"}}"#) }
            while socket.receivedCount < before + 3 { await Task.yield() }
            for _ in 1...200 { await Task.yield() }
            // One reply is being sent, and the waiting ones together have at least 64 KiB.
            #expect(socket.receivedCount <= before + 5, "\(isAcknowledged)")
            socket.resumeReading()
            while socket.receivedCount < before + 50 { await Task.yield() }
            socket.push(#"{"type":"connection_ack"}"#)
            let connection = try await opening.value
            #expect(connection.isOpen)
        }
    }

    @Test("A reader that waits gets its messages past those of a slow one, whose operation fails at the limit")
    func overtaking() async throws {
        let connection = try await open()
        let slow = try start(connection, maxBytes: 1000), quick = try start(connection)
        _ = await socket.waitForTexts(3)
        for count in 10...59 { socket.next(count, id: "1") }
        socket.next(1, id: "2")
        #expect(try await quick.next() == .next(Data(#"{"data":{"count":1}}"#.utf8)))
        #expect(await socket.waitForTexts(4).last == "complete 1")
        var count = 0
        await #expect(throws: GraphQLError.http(.responseTooLarge(SizeLimitFailure(limit: 1000)))) {
            while try await slow.next() != nil { count += 1 }
        }
        #expect(count == 1000 / 21)
    }

    @Test("The payload of connection_init is sent as it is, and the response belongs to the operations")
    func payload() async throws {
        let connection = try await open(payload: Data(#"{"a":1}"#.utf8))
        let operation = try start(connection)
        #expect(socket.sent.first == #"{"type":"connection_init","payload":{"a":1}}"# && operation.response == nil)
    }

    @Test("A connection that nothing holds is closed, and so is one whose socket cannot send")
    func released() async throws {
        do { _ = try await open() }
        await socket.isClosed.value()
        #expect(socket.closes.first == 1000)
        let broken = FakeGraphQLSocket()
        let connection = try await open(broken)
        let operation = try start(connection)
        broken.end(nil)
        await #expect(throws: GraphQLError.http(.connectionLost)) { try await operation.next() }
        await broken.isClosed.value()
    }

    @Test("Unless the server selects a protocol, the first that was offered applies")
    func unselected() async throws {
        for (selected, offered, start) in [
            (nil, [.graphQLWS, .graphQLTransportWS], "start 1"), (nil, [], "subscribe 1"),
            (GraphQLSocketProtocol.graphQLTransportWS, [.graphQLWS], "subscribe 1"),
        ] as [(GraphQLSocketProtocol?, [GraphQLSocketProtocol], String)] {
            let socket = FakeGraphQLSocket(selected)
            let connection = try await open(socket) { $0.protocols = offered }
            let operation = try self.start(connection)
            #expect(await socket.waitForTexts(2).last == start)
            operation.close()
        }
    }

    @Test("If a message can't be sent, no operation begins any more, and the others still learn why the server has closed the connection")
    func brokenSend() async throws {
        let connection = try await open()
        let operation = try start(connection)
        _ = await socket.waitForTexts(2)
        let reading = Task { try await operation.next() }
        socket.breakSends(.connectionLost)
        let late = try start(connection)
        while connection.isOpen { await Task.yield() }
        socket.end(4403, "no")
        let end = GraphQLError.closed(GraphQLSocketClosure(code: 4403, reason: "no"))
        await #expect(throws: end) { try await reading.value }
        await #expect(throws: end) { try await late.next() }
    }
}
