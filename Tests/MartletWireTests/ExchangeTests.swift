import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletWire

@Suite("WireTransport: exchanges out of the ordinary order", .timeLimit(.minutes(5)))
struct ExchangeTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// A server that responds to the head of a request, and then counts the bytes of the body until the client closes the connection.
    private func earlyServer(_ response: String) -> (RawServer, counts: AsyncStream<Int>) {
        let counts = AsyncStream<Int>.makeStream()
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send(response)
            var count = 0
            while count < 20_000_000, let bytes = connection.readSome() { count += bytes.count }
            counts.continuation.yield(count)
        }
        return (server, counts.stream)
    }

    @Test("The whole body is sent although a successful response arrives first, and the connection can be used again")
    func earlySuccess() async throws {
        let (server, counts) = earlyServer(Self.empty)
        let request = HTTPRequest(method: .put, url: server.url(), body: HTTPBody(Data(count: 20_000_000)))
        #expect(try await WireTransport().send(request).status == 200)
        #expect(await counts.first { _ in true } == 20_000_000)
    }

    @Test("The rest of the body is not sent after a refusal, and the connection is closed")
    func earlyRefusal() async throws {
        let (server, counts) = earlyServer("HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n")
        let request = HTTPRequest(method: .put, url: server.url(), body: HTTPBody(Data(count: 20_000_000)))
        #expect(try await WireTransport().send(request).status == 413)
        #expect(await counts.first { _ in true } ?? 0 < 20_000_000)
    }

    @Test("A refusal ends a request whose server reads no more, and does not close the connection")
    func refusalWithoutReading() async throws {
        let goesOn = DispatchSemaphore(value: 0)
        defer { goesOn.signal() }
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.waitUntilQuiet()
            connection.send("HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n")
            goesOn.wait()
        }
        var request = HTTPRequest(method: .put, url: server.url(), body: HTTPBody(Data(count: 20_000_000)))
        request.context.deadline = .now + .seconds(60)
        #expect(try await WireTransport().send(request).status == 413)
    }

    @Test("The whole file is sent although a successful response arrives first")
    func earlySuccessOfFile() async throws {
        let (server, counts) = earlyServer(Self.empty)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("wire-\(UUID().uuidString)")
        try Data(count: 20_000_000).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let request = HTTPRequest(method: .put, url: server.url(), body: try HTTPBody(file: path))
        #expect(try await WireTransport().send(request).status == 200)
        #expect(await counts.first { _ in true } == 20_000_000)
    }

    @Test("A stream whose buffer is full but for a byte is read to its end, whatever framing follows")
    func almostFullBuffer() async throws {
        let first = Data(repeating: 1, count: 0xFFFF), second = Data(repeating: 2, count: 0x2710), hasSent = OneShot<Void>()
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n")
            connection.send(first)
            connection.send("\r\n2710;a=\(String(repeating: "x", count: 9000))\r\n")
            connection.send(second)
            connection.send("\r\n0\r\n\r\n")
            hasSent.set(())
            _ = connection.readRequest()
        }
        var configuration = TransportConfiguration()
        configuration.streamBufferSize = first.count + 1
        var request = HTTPRequest(url: server.url())
        request.context.streamsBody = true
        let response = try await WireTransport(configuration).send(request)
        await hasSent.value()
        #expect(try await response.body.collect() == first + second)
    }

    @Test("A response that arrives before its request, and one without an end of the connection, are read")
    func beforeRequest() async throws {
        for closes in [true, false] {
            let server = RawServer { connection in
                connection.send("HTTP/1.1 503 Busy\r\n\(closes ? "Connection: close\r\n" : "")Content-Length: 4\r\n\r\nbusy")
                _ = connection.readRequest()
            }
            let response = try await WireTransport().send(HTTPRequest(url: server.url()))
            #expect(response.status == 503 && response.body.buffered == Data("busy".utf8))
        }
    }

    @Test("The permission to send a body, and the head of the response, may arrive together")
    func permissionWithHead() async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
            connection.send(connection.read(4) ?? Data())
        }
        var request = HTTPRequest(method: .post, url: server.url(), body: HTTPBody("data"))
        request.context.expectContinue = .seconds(3600)
        #expect(try await WireTransport().send(request).body.buffered == Data("data".utf8))
    }

    @Test("A request without content does not wait for permission to send it (RFC 9110 §10.1.1)")
    func nothingToPermit() async throws {
        let server = RawServer.answering(Self.empty)
        var request = HTTPRequest(method: .post, url: server.url())
        request.context.expectContinue = .seconds(3600)
        #expect(try await WireTransport().send(request).status == 200)
        #expect(server.requests.first?.value("Expect") == nil && server.requests.first?.value("Content-Length") == "0")
    }

    @Test("Ten thousand calls to a server that does not exist fail one after the other")
    func manyFailures() async throws {
        var configuration = TransportConfiguration()
        configuration.unixSocket = "/nowhere/\(UUID().uuidString.prefix(8))"
        configuration.maxConnectionsPerOrigin = 2
        let transport = WireTransport(configuration)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 {
                group.addTask { (try? await transport.send(HTTPRequest(url: URL(string: "http://a.example/")!))) == nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 10_000)
    }

    @Test("A call that is cancelled while it begins ends, whatever thread is faster")
    func cancellations() async throws {
        let server = RawServer.answering(Self.empty), transport = WireTransport()
        for round in 0..<200 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try? await transport.send(HTTPRequest(url: server.url())) } }
                for _ in 0..<round % 8 { await Task.yield() }
                group.cancelAll()
            }
        }
        #expect(try await transport.send(HTTPRequest(url: server.url())).status == 200)
    }

    @Test("The engine's threads sleep while a body is open whose transport has been released")
    func sleepsAfterRelease() async throws {
        let goesOn = DispatchSemaphore(value: 0)
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
            goesOn.wait()
            connection.send("a")
        }
        var transport: WireTransport? = WireTransport()
        var request = HTTPRequest(url: server.url())
        request.context.streamsBody = true
        let response = try await transport?.send(request)
        let team = try #require(transport?.engines.made)
        transport = nil
        // The release has woken all engines. Those without an exchange end, and the other one sleeps again.
        while !team.state.withLock({ $0.asleepUntil.contains { $0 != nil } }) { await Task.yield() }
        goesOn.signal()
        #expect(try await response?.body.collect() == Data("a".utf8))
    }
}
