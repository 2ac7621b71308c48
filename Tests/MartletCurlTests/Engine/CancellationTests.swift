import Foundation
import MartletEngine
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: cancellation and lifetime", .timeLimit(.minutes(5)))
struct CancellationTests {
    @Test("A cancellation that overtakes the start of its call prevents sending")
    func overtaking() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let engine = try CurlEngine(try CurlLibrary.shared.get(), .init())
        let transfer = try engine.makeTransfer(HTTPRequest(url: server.url()))
        transfer.cancel()
        await withUnsafeContinuation { waiter in
            transfer.caller.waiter = waiter
            engine.start(transfer)
        }
        guard case .failure(.cancelled)? = transfer.caller.answer else {
            Issue.record("\(String(describing: transfer.caller.answer))")
            return
        }
        #expect(server.connectionCount == 0)
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
        request.context.streamsBody = true
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
}
