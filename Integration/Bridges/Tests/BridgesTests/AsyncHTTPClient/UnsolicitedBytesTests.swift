#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import MartletTesting
import NIOSSL
import Testing

@testable import MartletBridges

/// The conformance case `connections.unsolicited` covers late responses without TLS.
@Suite("AsyncHTTPClientTransport: unsolicited bytes", .timeLimit(.minutes(5)))
struct UnsolicitedBytesTests {
    /// A response that is longer than all heads, so that the number of bytes written tells when it was sent.
    private static let foreign = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "f", count: 2000)

    private enum Arrival: CaseIterable { case late, withTheBody }

    private static func server(_ arrival: Arrival, isSecure: Bool) async throws -> MockServer {
        var options = MockServer.Options()
        if isSecure { options.tls = .localhost }
        let first: MockReply =
            switch arrival {
            case .late: .text("/first").with(.unsolicited(foreign, after: .milliseconds(20)))
            case .withTheBody: .stream("/first" + foreign).with(.contentLength(offBy: -foreign.utf8.count))
            }
        return try await MockServer.start(options: options) { $0.path == "/first" ? first : .text($0.path) }
    }

    @Test(
        "A response that no request asked for is not the response to the next request, and its connection is closed (RFC 9112 §9.2)",
        arguments: Arrival.allCases, [HTTPMethod.get, .put, .post])
    private func plain(_ arrival: Arrival, method: HTTPMethod) async throws {
        try await check(arrival, method, isSecure: false)
    }

    @Test("So it is over TLS", .enabled(if: MockServer.TLS.isAvailable), arguments: Arrival.allCases, [HTTPMethod.get, .post])
    private func secure(_ arrival: Arrival, method: HTTPMethod) async throws { try await check(arrival, method, isSecure: true) }

    private func check(_ arrival: Arrival, _ method: HTTPMethod, isSecure: Bool) async throws {
        let server = try await Self.server(arrival, isSecure: isSecure)
        var tls = TLSConfiguration.makeClientConfiguration()
        // The server's certificate is its own, which BoringSSL does not accept as an authority's.
        tls.certificateVerification = .none
        let client = AsyncHTTPClient::HTTPClient(configuration: .init(tlsConfiguration: tls, redirectConfiguration: .disallow))
        let transport = AsyncHTTPClientTransport(client)
        await #expect(throws: Never.self) {
            for path in ["first", "second", "third"] {
                let body = path == "first" || method == .get ? nil : HTTPBody("x")
                let request = HTTPRequest(method: path == "first" ? .get : method, url: server.url.appending(path: path), body: body)
                #expect(String(decoding: try await transport.send(request).body.collect(), as: UTF8.self) == "/\(path)")
                if path == "first" { try await server.waitForBytesWritten(Self.foreign.utf8.count) }
            }
        }
        #expect(server.requests.map(\.path) == ["/first", "/second", "/third"])
        #expect(server.connectionCount == 2)
        try await client.shutdown()
        await server.stop()
    }
}
#endif
