import Foundation
import Martlet
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletWire

@Suite("WireTransport: kept connections and delivery", .timeLimit(.minutes(5)))
struct DeliveryTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// A server that responds to the first request of its first connection, reads the next one, and closes the connection.
    private func dyingServer() -> RawServer {
        RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(DeliveryTests.empty)
            guard connection.number > 1 else {
                _ = connection.readRequest()
                return
            }
            while connection.readRequest() != nil { connection.send(DeliveryTests.empty) }
        }
    }

    private func failure(_ request: HTTPRequest, over transport: WireTransport) async -> HTTPError? {
        await #expect(throws: HTTPError.self) { try await transport.send(request).body.collect() }
    }

    @Test("A request that may be repeated is sent again on a new connection if a kept one ends before the response")
    func repeats() async throws {
        let requests: [(HTTPMethod, HTTPFields)] = [(.get, [:]), (.put, [:]), (.post, ["Idempotency-Key": "1"])]
        for (method, headers) in requests {
            let server = dyingServer(), transport = WireTransport()
            _ = try await transport.send(HTTPRequest(url: server.url()))
            let body = method == .get ? nil : HTTPBody("data")
            let response = try await transport.send(HTTPRequest(method: method, url: server.url(), headers: headers, body: body))
            #expect(response.status == 200 && response.metadata.isConnectionReused == false)
            #expect(server.requests.count == 3 && server.connectionCount == 2)
            #expect(server.requests.last?.body == server.requests[1].body)
        }
    }

    @Test("A POST that a kept connection has taken is never sent again, nor is a PUT of a stream")
    func deliversOnce() async throws {
        for method in [HTTPMethod.post, .put] {
            let server = dyingServer(), transport = WireTransport()
            _ = try await transport.send(HTTPRequest(url: server.url()))
            let chunks = AsyncStream<Data> { stream in
                stream.yield(Data("data".utf8))
                stream.finish()
            }
            let body = method == .post ? HTTPBody("data") : HTTPBody(chunks, length: 4)
            let error = await failure(HTTPRequest(method: method, url: server.url(), body: body), over: transport)
            #expect(error == .networkError(NetworkFailure(.connectionLost)) && error?.stage == .exchange)
            #expect(server.requests.count == 2 && server.connectionCount == 1)
        }
    }

    @Test("A request on a new connection that ends before the response fails and is not repeated")
    func newConnection() async {
        let server = RawServer { connection in _ = connection.readRequest() }
        let error = await failure(HTTPRequest(url: server.url()), over: WireTransport())
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(server.requests.count == 1)
    }

    @Test("With a limit of zero a POST uses a new connection, and so it does if the server announces a timeout of one second")
    func idleLimits() async throws {
        func connections(_ keepAlive: String, _ limit: Duration, _ methods: HTTPMethod...) async throws -> Int {
            let server = RawServer.answering("HTTP/1.1 200 OK\r\n\(keepAlive)Content-Length: 0\r\n\r\n")
            var configuration = TransportConfiguration()
            configuration.maxIdleTimeWhenNotIdempotent = limit
            let transport = WireTransport(configuration)
            for method in methods {
                _ = try await transport.send(HTTPRequest(method: method, url: server.url(), body: method == .get ? nil : HTTPBody("data")))
            }
            return server.connectionCount
        }
        #expect(try await connections("", .seconds(4), .post, .get, .post) == 1)
        #expect(try await connections("", .zero, .get, .put, .get) == 1)
        #expect(try await connections("", .zero, .post, .post) == 2)
        #expect(try await connections("Keep-Alive: timeout=1\r\n", .seconds(4), .get, .get) == 1)
        #expect(try await connections("Keep-Alive: timeout=1\r\n", .seconds(4), .get, .post) == 2)
        #expect(try await connections("Keep-Alive: timeout=30\r\n", .zero, .get, .post) == 1)
    }

    @Test("A connection is closed, and not used again, after bytes that no request asked for, and when either side wants to close it")
    func closes() async throws {
        let responses = [
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
            "HTTP/1.1 200 OK\r\nConnection: keep-alive, Close\r\nContent-Length: 1\r\n\r\na",
            "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n1\r\na\r\n0\r\n\r\n",
        ]
        for response in responses {
            let server = RawServer.answering(response), transport = WireTransport()
            for _ in 0..<2 {
                #expect(try await transport.send(HTTPRequest(url: server.url())).body.buffered == Data("a".utf8), "\(response)")
            }
            #expect(server.connectionCount == 2, "\(response)")
        }
        let server = RawServer.answering(Self.empty), transport = WireTransport()
        for _ in 0..<2 { _ = try await transport.send(HTTPRequest(url: server.url(), headers: ["Connection": "close"])) }
        #expect(server.connectionCount == 2)
        let old = RawServer.answering("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")
        for _ in 0..<2 { _ = try await transport.send(HTTPRequest(url: old.url())) }
        #expect(old.connectionCount == 1)
    }

    @Test("Bytes that arrive on an idle connection are not the response to the next request")
    func unsolicited() async throws {
        let isRead = DispatchSemaphore(value: 0), isSent = DispatchSemaphore(value: 0)
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright")
            if connection.number == 1 {
                // Waits until the client has the response.
                isRead.wait()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
                isSent.signal()
            }
            _ = connection.readRequest()
        }
        let transport = WireTransport()
        #expect(try await transport.send(HTTPRequest(url: server.url())).body.buffered == Data("right".utf8))
        isRead.signal()
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                isSent.wait()
                done.resume()
            }
        }
        #expect(try await transport.send(HTTPRequest(url: server.url())).body.buffered == Data("right".utf8))
        #expect(server.connectionCount == 2)
    }
}
