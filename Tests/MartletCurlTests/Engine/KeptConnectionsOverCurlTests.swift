import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine

@Suite("CurlTransport: kept connections and requests that are not idempotent", .timeLimit(.minutes(5)))
struct ConnectionReuseOverSocketsTests {
    private func connections(
        keepAlive: String? = nil, limit: Duration = .seconds(4), _ requests: [(HTTPMethod, HTTPFields)]
    ) async throws -> Int {
        let line = keepAlive.map { "Keep-Alive: \($0)\r\n" } ?? ""
        let server = RawServer.answering("HTTP/1.1 200 OK\r\n\(line)Content-Length: 0\r\n\r\n")
        var configuration = CurlTransport.Configuration()
        configuration.maxIdleTimeWhenNotIdempotent = limit
        let transport = CurlTransport(configuration)
        for (method, headers) in requests {
            let body = method == .get ? nil : HTTPBody("data")
            _ = try await transport.send(HTTPRequest(method: method, url: server.url(), headers: headers, body: body))
        }
        return server.connectionCount
    }

    @Test("A POST reuses a connection that was just used")
    func soon() async throws { #expect(try await connections([(.post, [:]), (.get, [:]), (.post, [:])]) == 1) }

    @Test("With a limit of zero a POST uses a new connection, but a GET, a PUT and a POST with a key do not")
    func zero() async throws {
        let requests: [(HTTPMethod, HTTPFields)] = [(.get, [:]), (.get, [:]), (.put, [:]), (.post, ["Idempotency-Key": "1"])]
        #expect(try await connections(limit: .zero, requests) == 1)
        #expect(try await connections(limit: .zero, requests + [(.post, [:])]) == 2)
        #expect(try await connections(limit: .zero, [(.post, [:]), (.post, [:])]) == 2)
    }

    @Test("A POST uses a new connection if the server announces a timeout of one second")
    func announced() async throws {
        #expect(try await connections(keepAlive: "timeout=1, max=100", [(.get, [:]), (.get, [:])]) == 1)
        #expect(try await connections(keepAlive: "timeout=1, max=100", [(.get, [:]), (.post, [:])]) == 2)
    }

    @Test("A POST reuses a connection whose announced timeout exceeds the default")
    func announcedLong() async throws {
        #expect(try await connections(keepAlive: "timeout=30", limit: .zero, [(.get, [:]), (.post, [:])]) == 1)
    }
}
