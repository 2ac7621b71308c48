import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("nginx: HTTP/2")
struct NginxHTTP2Tests {
    /// Sends concurrent requests and returns the connection of each.
    private func connections(_ count: Int, _ transport: CurlTransport) async throws -> [String] {
        let url = try Servers.url("HTTPS", "/connection")
        return try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { try await transport.text(url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("A request with trailers is sent over HTTP/1.1, and other requests to the same server over HTTP/2")
    func trailers() async throws {
        let transport = try Servers.transport(), url = try Servers.url("HTTPS", "/version")
        let client = HTTPClient(transport: transport)
        for _ in 0..<2 {
            #expect(try await transport.text(url) == "HTTP/2.0")
            let body: RequestBody = .stream(HTTPBody("the content").trailers { ["X-Sum": "1"] })
            let version = try await client.send(Request<Data>.post(url: url, body: body))
            #expect(String(decoding: version, as: UTF8.self) == "HTTP/1.1")
        }
    }

    @Test("A hundred concurrent requests to a known server share one connection", arguments: [1, 2, 3])
    func oneConnection(engines: Int) async throws {
        let transport = try Servers.transport { $0.engines = engines }
        let first = try await connections(1, transport)
        for _ in 0..<3 {
            let connections = try await connections(100, transport)
            #expect(connections.count == 100)
            #expect(Set(connections) == Set(first))
        }
    }

    @Test("The first requests of all use at most one connection of each engine", arguments: [1, 2, 3])
    func firstRequests(engines: Int) async throws {
        let transport = try Servers.transport { $0.engines = engines }
        let connections = try await connections(100, transport)
        #expect(connections.count == 100)
        #expect(Set(connections).count <= engines)
    }

    @Test("Requests beyond a connection's stream limit wait or use another one, and none is lost", arguments: [1, 2, 3])
    func thousand(engines: Int) async throws {
        let transport = try Servers.transport { ($0.maxConnectionsPerOrigin, $0.engines) = (2, engines) }
        let connections = try await connections(1000, transport)
        #expect(connections.count == 1000)
        #expect(Set(connections).count <= 2)
    }

    @Test("The caller can restrict the HTTP version")
    func versions() async throws {
        let path = "/version"
        #expect(try await Servers.transport { $0.allowsHTTP2 = false }.text(Servers.url("HTTPS", path)) == "HTTP/1.1")
        #expect(try await Servers.transport().text(Servers.url("HTTP", path, scheme: "http")) == "HTTP/1.1")
    }

    @Test("An unread stream does not block other streams on its connection")
    func slowReader() async throws {
        let transport = try Servers.transport { $0.maxConnectionsPerOrigin = 1 }
        var request = HTTPRequest(url: try Servers.url("HTTPS", "/50m"))
        request.context.streamsBody = true
        let response = try await transport.send(request)
        for _ in 0..<50 { #expect(try await transport.text(Servers.url("HTTPS", "/version")) == "HTTP/2.0") }
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        #expect(count == 52_428_800)
    }

    @Test("Cancelling requests keeps the connection usable")
    func cancellation() async throws {
        let transport = try Servers.transport()
        let url = try Servers.url("HTTPS", "/connection")
        let before = try await transport.text(url)
        let slow = try Servers.url("HTTPS", "/slow")
        for _ in 0..<20 {
            let call = Task { await transport.failure(slow) }
            await Task.yield()
            call.cancel()
            #expect(await call.value == .cancelled)
        }
        #expect(try await transport.text(url) == before)
    }
}
