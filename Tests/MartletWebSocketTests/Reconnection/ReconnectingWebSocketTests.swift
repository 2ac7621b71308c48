import MartletClient
import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol
import TestSupport
import Testing

@testable import MartletWebSocket

@Suite("ReconnectingWebSocket", .timeLimit(.minutes(5)))
struct ReconnectingWebSocketTests {
    private func feed(
        _ bench: SocketBench, _ rules: WebSocketReconnection = WebSocketReconnection(),
        greet: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        bench.client().reconnectingWebSocket(.get("prices"), options: bench.options(), rules: rules, greet: greet)
    }

    /// Reads signals in a task of its own, as lines.
    private func read(_ feed: ReconnectingWebSocket) -> (lines: Recorder<String>, task: Task<Void, any Error>) {
        let lines = Recorder<String>()
        let task = Task {
            do {
                for try await signal in feed.signals { lines.append(line(signal)) }
                lines.append("end")
            } catch {
                lines.append("failed")
                throw error
            }
        }
        return (lines, task)
    }

    private func line(_ signal: WebSocketSignal) -> String {
        switch signal {
        case .connecting(let number): "connecting \(number)"
        case .open: "open"
        case .message(.text(let text)): text
        case .message(.data(let data)): "data \(data.count)"
        case .reconnecting(let wait, _): wait < .milliseconds(1) ? "at once" : "wait \(wait.components.seconds)"
        }
    }

    @Test("A connection that breaks is opened again after a growing wait, each is greeted, and a message ends the growth")
    func backoff() async throws {
        let bench = SocketBench { number, _ in
            (2...3).contains(number) ? .failure(.networkError(NetworkFailure(.connectionRefused))) : .accept()
        }
        let greeted = Recorder<Int>()
        let feed = feed(bench) { socket in
            try await socket.send("subscribe")
            greeted.append(1)
        }
        let (lines, task) = read(feed)
        _ = try await bench.transport.connections.first(1)
        let first = bench.transport.connections.values[0]
        await first.wait(for: "text")
        first.send("a")
        _ = try await lines.first(3)
        first.end()
        for count in 1...3 {
            try await bench.waitForSleep(count)
            bench.time.advance(by: .seconds(30))
        }
        let second = try await bench.transport.connections.first(2)[1]
        await second.wait(for: "text")
        second.send("b")
        second.close(.normalClosure)
        try await task.value
        #expect(greeted.count == 2 && first.received.values == ["text subscribe"] && second.received.values[0] == "text subscribe")
        #expect(
            lines.values.filter { !$0.hasPrefix("wait") } == [
                "connecting 1", "open", "a", "connecting 2", "connecting 3", "connecting 4", "open", "b", "end",
            ])
        // One second after the successful connection and after the first failure, then doubled, and up to half of it more.
        let waits = bench.time.sleeps
        for (wait, base) in zip(waits, [1, 1, 2]) { #expect(wait >= .seconds(base) && wait <= .seconds(base) * 1.5, "\(waits)") }
        #expect(waits.count == 3 && bench.transport.calls?.runningCount == 0)
        #expect(bench.log.ends.count == 2)
    }

    @Test("What arrived on a connection that ended before its greeting is read, and then its end is followed")
    func lateGreeting() async throws {
        let bench = SocketBench()
        // Sends until the connection has ended.
        let feed = feed(bench) { socket in while true { try await socket.send("subscribe") } }
        let (lines, task) = read(feed)
        let first = try await bench.transport.connections.first(1)[0]
        first.send("a")
        first.end()
        try await bench.waitForSleep()
        bench.time.advance(by: .seconds(2))
        let second = try await bench.transport.connections.first(2)[1]
        second.send("b")
        second.close(.normalClosure)
        try await task.value
        #expect(
            lines.values.filter { !$0.hasPrefix("wait") } == ["connecting 1", "open", "a", "connecting 2", "open", "b", "end"])
    }

    @Test("The close codes of the rules open another connection, and the others end the messages")
    func closeCodes() async throws {
        for (code, isEnd) in [(1001, false), (1012, false), (1008, true), (4000, true)] as [(WebSocketCloseCode, Bool)] {
            let bench = SocketBench()
            let (lines, task) = read(feed(bench))
            try await bench.transport.connections.first(1)[0].close(code)
            if isEnd {
                await #expect(throws: WebSocketError.closed(WebSocketClosure(code: code, side: .server))) { try await task.value }
                #expect(bench.transport.requests.count == 1)
            } else {
                _ = try await lines.first(3)
                task.cancel()
                _ = await task.result
                #expect(lines.values[2] == "wait 1" || lines.values[2] == "wait 2")
            }
        }
    }

    @Test("A refused handshake is tried again for the statuses of the rules, after Retry-After, and not for others")
    func statuses() async throws {
        let bench = SocketBench { number, _ in number == 1 ? .status(503, [.retryAfter: "20"]) : .status(403) }
        let (lines, task) = read(feed(bench))
        try await bench.waitForSleep()
        #expect(lines.values == ["connecting 1", "wait 20"])
        bench.time.advance(by: .seconds(20))
        let error = await #expect(throws: WebSocketError.self) { try await task.value }
        guard case .failed(.statusCode(let response)) = error else { throw Unexpected() }
        #expect(response.status == 403 && bench.transport.requests.count == 2)
    }

    @Test("After the maximum number of failures, the last one is thrown")
    func maxFailures() async throws {
        let bench = SocketBench { _, _ in .failure(.networkError(NetworkFailure(.connectionRefused))) }
        let (_, task) = read(feed(bench, WebSocketReconnection(maxFailures: 2)))
        try await bench.waitForSleep()
        bench.time.advance(by: .seconds(2))
        await #expect(throws: WebSocketError.failed(.networkError(NetworkFailure(.connectionRefused)))) { try await task.value }
        #expect(bench.transport.requests.count == 2)
    }

    @Test("A connection of the maximum age is closed normally and replaced at once")
    func maxAge() async throws {
        let bench = SocketBench()
        let (lines, task) = read(feed(bench, WebSocketReconnection(maxAge: .seconds(60))))
        let first = try await bench.transport.connections.first(1)[0]
        _ = try await lines.first(2)
        try await bench.time.waitForTimers()
        bench.time.advance(by: .seconds(60))
        _ = try await bench.transport.connections.first(2)
        #expect(first.received.values == ["close 1000 "])
        _ = try await lines.first(5)
        #expect(lines.values == ["connecting 1", "open", "at once", "connecting 2", "open"])
        task.cancel()
        _ = await task.result
    }

    @Test("An age that has passed already, as of an expired token, does not open connections without a pause")
    func passedAge() async throws {
        let bench = SocketBench()
        let (lines, task) = read(feed(bench, WebSocketReconnection(delay: .seconds(3), maxAge: .seconds(-5))))
        _ = try await lines.first(2)
        try await bench.time.waitForTimers()
        bench.time.advance(by: .milliseconds(2999))
        await settle()
        #expect(lines.count == 2)
        bench.time.advance(by: .milliseconds(1))
        _ = try await bench.transport.connections.first(2)
        task.cancel()
        _ = await task.result
        #expect(WebSocketReconnection(delay: .zero, maxAge: .zero).effectiveAge == .milliseconds(100))
        #expect(WebSocketReconnection(maxAge: .seconds(60)).effectiveAge == .seconds(60))
        #expect(WebSocketReconnection().effectiveAge == nil)
    }

    @Test("An error of the connection while it is greeted counts as its failure; another error ends the messages")
    func greetError() async throws {
        let bench = SocketBench()
        let (lines, task) = read(
            feed(bench) { socket in
                if bench.transport.requests.count == 1 { throw HTTPError.timeout }
                throw Unexpected()
            })
        try await bench.waitForSleep()
        #expect(lines.count == 2)
        bench.time.advance(by: .seconds(2))
        let error = await #expect(throws: WebSocketError.self) { try await task.value }
        guard case .failed(.interceptorFailed(let what)) = error else { throw Unexpected() }
        #expect(what.context.underlying is Unexpected)
        for server in bench.transport.connections.values {
            await server.closed.value()
            #expect(server.received.values == ["close 1001 "])
        }
    }

    @Test("Each watcher gets the state now and then the changes, and sending without a connection fails")
    func states() async throws {
        let bench = SocketBench()
        let feed = feed(bench)
        var early = feed.states.makeAsyncIterator()
        #expect(await early.next() == .closed)
        await #expect(throws: WebSocketError.failed(.networkError(NetworkFailure(.connectionLost)))) { try await feed.send("x") }
        let (lines, task) = read(feed)
        _ = try await lines.first(2)
        var late = feed.states.makeAsyncIterator()
        #expect(await late.next() == .open)
        #expect(await early.next() == .open)
        try await feed.send("x")
        let server = bench.transport.connections.values[0]
        #expect(server.received.values == ["text x"])
        server.end()
        _ = try await lines.first(3)
        guard case .waiting(_, because: .failed(.networkError)) = await early.next() else { throw Unexpected() }
        await #expect(throws: WebSocketError.self) { try await feed.send("y") }
        try await bench.waitForSleep()
        bench.time.advance(by: .seconds(2))
        _ = try await lines.first(5)
        try await feed.send("z")
        await feed.close(code: .goingAway)
        try await task.value
        #expect(await late.next() == .closed)
        #expect(await early.next() == .closed)
        #expect(bench.transport.connections.values[1].received.values == ["text z", "close 1001 "])
    }

    @Test("Leaving the loop closes the connection and its state, also if the app keeps the socket of a signal")
    func left() async throws {
        let bench = SocketBench()
        let feed = feed(bench)
        let kept = try await openAndLeave(feed)
        let server = bench.transport.connections.values[0]
        #expect(await server.wait(for: "close") == "close 1001 ")
        await server.closed.value()
        var states = feed.states.makeAsyncIterator()
        #expect(await states.next() == .closed)
        await #expect(throws: WebSocketError.failed(.cancelled)) { try await kept.send("x") }
        await #expect(throws: WebSocketError.failed(.networkError(NetworkFailure(.connectionLost)))) { try await feed.send("x") }
        #expect(bench.transport.calls?.runningCount == 0)
        // The messages can be read again.
        let (lines, task) = read(feed)
        _ = try await lines.first(2)
        await feed.close()
        try await task.value
    }

    private func openAndLeave(_ feed: ReconnectingWebSocket) async throws -> WebSocket {
        for try await signal in feed.signals { if case .open(let socket) = signal { return socket } }
        throw Unexpected()
    }

    @Test("Closing ends the messages also during the wait for a connection and while it is being opened")
    func closedBetween() async throws {
        let waiting = SocketBench { _, _ in .failure(.networkError(NetworkFailure(.connectionRefused))) }
        let first = feed(waiting), reading = read(first)
        try await waiting.waitForSleep()
        await first.close()
        try await reading.task.value
        #expect(waiting.transport.requests.count == 1 && reading.lines.values.last == "end")

        let opening = SocketBench { _, _ in .silence }
        let second = feed(opening), other = read(second)
        _ = try await opening.transport.requests.first(1)
        await second.close()
        try await other.task.value
        #expect(other.lines.values == ["connecting 1", "end"] && opening.transport.calls?.runningCount == 0)
    }

    @Test("Cancelling the task that reads closes the connection, and cancelAll ends the messages")
    func cancelled() async throws {
        for isCall in [false, true] {
            let bench = SocketBench()
            let (lines, task) = read(feed(bench))
            _ = try await lines.first(2)
            if isCall { bench.transport.calls?.cancelAll() } else { task.cancel() }
            await #expect(throws: WebSocketError.failed(.cancelled)) { try await task.value }
            #expect(await bench.transport.connections.values[0].wait(for: "close") == "close 1001 ")
        }
    }
}
