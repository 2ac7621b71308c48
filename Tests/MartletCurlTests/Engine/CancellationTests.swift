import Foundation
import MartletTesting
import Testing

@testable import MartletCurl

@Suite("CurlTransport: cancellation and lifetime", .timeLimit(.minutes(5)))
struct CancellationTests {
    @Test("A call that is cancelled before it begins sends nothing")
    func before() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = CurlTransport()
        let gate = AsyncStream.makeStream(of: Void.self)
        let call = Task { () -> HTTPError? in
            for await _ in gate.stream {}
            return await transport.failure(of: HTTPRequest(url: server.url()))
        }
        call.cancel()
        gate.continuation.finish()
        #expect(await call.value == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test("A cancellation that overtakes the start of its call prevents sending")
    func overtaking() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let engine = try CurlEngine(try CurlLibrary.shared.get(), .init())
        let transfer = try engine.makeTransfer(HTTPRequest(url: server.url()))
        transfer.cancel()
        await withUnsafeContinuation { waiter in
            transfer.waiter = waiter
            engine.start(transfer)
        }
        guard case .failure(.cancelled)? = transfer.answer else {
            Issue.record("\(String(describing: transfer.answer))")
            return
        }
        #expect(server.connectionCount == 0)
    }

    @Test("A waiting call that is cancelled throws a cancellation error, and its connection is closed")
    func during() async throws {
        let arrived = Gate(), closed = Gate()
        let server = RawServer { connection in
            _ = connection.readRequest()
            arrived.open()
            connection.waitForClose()
            closed.open()
        }
        let transport = CurlTransport()
        let call = Task { await transport.failure(of: HTTPRequest(url: server.url())) }
        await arrived.opened()
        call.cancel()
        #expect(await call.value == .cancelled)
        await closed.opened()
    }

    @Test("A call can be cancelled while its streamed body has no bytes available")
    func duringUpload() async throws {
        let arrived = Gate()
        let server = RawServer { connection in
            _ = connection.readHead()
            arrived.open()
            connection.waitForClose()
        }
        let body = HTTPBody(length: nil) { () async throws -> Data? in
            // This clock never advances: only a cancellation ends the sleep.
            try await ManualTime(autoAdvances: false).sleep(for: .seconds(1))
            return nil
        }
        let call = Task { await CurlTransport().failure(of: HTTPRequest(method: .post, url: server.url(), body: body)) }
        await arrived.opened()
        call.cancel()
        #expect(await call.value == .cancelled)
    }

    @Test("With thousands of calls, a third of them cancelled at any moment, each call ends once", arguments: [1, 3])
    func stress(engines: Int) async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        var configuration = CurlTransport.Configuration()
        configuration.engines = engines
        let transport = CurlTransport(configuration)
        let counts = await withTaskGroup(of: String.self) { group in
            for worker in 0..<50 {
                group.addTask {
                    var outcomes = ""
                    for number in 0..<100 {
                        var request = HTTPRequest(url: server.url())
                        request.context.delivery = number % 2 == 0 ? .buffered : .streamed
                        let call = Task { [request] in await CancellationTests.outcome(transport, request) }
                        if (worker + number) % 3 == 0 {
                            for _ in 0..<(number % 7) { await Task.yield() }
                            call.cancel()
                        }
                        outcomes.append(await call.value)
                    }
                    return outcomes
                }
            }
            return await group.reduce(into: "") { $0 += $1 }
        }
        #expect(counts.count == 5000)
        #expect(counts.allSatisfy { $0 == "v" || $0 == "c" }, "expected only values and cancellations, got \(Set(counts))")
        #expect(counts.count { $0 == "v" } >= 3300)
        _ = try await transport.send(HTTPRequest(url: server.url()))
    }

    @Test("A released transport finishes its running requests, and then its thread ends")
    func lifetime() async throws {
        let gate = Gate()
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
            gate.wait()
            connection.send("world")
        }
        var transport: CurlTransport? = CurlTransport()
        var request = HTTPRequest(url: server.url())
        request.context.delivery = .streamed
        let response = try await transport?.send(request)
        weak let gone = transport
        transport = nil
        #expect(gone == nil)
        gate.open()
        #expect(try await response?.body.collect() == Data("helloworld".utf8))
    }

    @Test("Many transports can be created and released")
    func manyTransports() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        for _ in 0..<100 { _ = try await CurlTransport().send(HTTPRequest(url: server.url())) }
        #expect(server.connectionCount == 100)
    }

    private static func outcome(_ transport: CurlTransport, _ request: HTTPRequest) async -> String {
        do {
            let response = try await transport.send(request)
            return try await response.body.collect() == Data("hello".utf8) ? "v" : "?"
        } catch { return error == .cancelled ? "c" : "!" }
    }
}
