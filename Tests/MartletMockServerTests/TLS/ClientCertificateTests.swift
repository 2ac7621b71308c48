import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletMockServer

#if os(Linux)
import MartletCurl

/// Tests over real TLS handshakes which servers receive a client certificate.
@Suite(.timeLimit(.minutes(5)), .enabled(if: MockServer.TLS.isAvailable, "TLS needs OpenSSL: install libssl3"))
struct ClientCertificateTests {
    private static let certificate = Data(UntrustedCertificate.certificate.utf8)

    private static var der: Data? {
        let lines = UntrustedCertificate.certificate.split(separator: "\n").filter { !$0.hasPrefix("-") }
        return Data(base64Encoded: lines.joined())
    }

    private func start(_ handler: @escaping @Sendable (RecordedRequest) -> MockReply = { _ in .text("ok") }) async throws -> MockServer {
        var options = MockServer.Options()
        options.tls = .localhost
        options.tls?.asksForClientCertificate = true
        return try await MockServer.start(options: options, handler)
    }

    private func transport(_ hosts: String...) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .certificates(MockServer.TLS.localhost.certificate)
        configuration.tls.clientIdentities = [
            try ClientIdentity(.pem(certificates: Self.certificate, key: Data(UntrustedCertificate.key.utf8)), hosts: hosts)
        ]
        return CurlTransport(configuration)
    }

    private func url(_ host: String, _ server: MockServer) throws -> URL { try #require(URL(string: "https://\(host):\(server.port)/")) }

    @Test("A named host gets the certificate and another host does not, on the same handle in turn")
    func named() async throws {
        let server = try await start()
        let transport = try transport("localhost")
        for host in ["localhost", "127.0.0.1", "localhost", "127.0.0.1", "LOCALHOST"] {
            _ = try await transport.send(HTTPRequest(url: try url(host, server)))
        }
        let der = try #require(Self.der)
        #expect(server.requests.map(\.clientCertificate) == [der, nil, der, nil, der])
        // Connections with the identity are used only for its host.
        #expect(Set(server.requests.filter { $0.clientCertificate == nil }.map(\.connection)) == [2])
        await server.stop()
    }

    @Test("A redirect from a named host to another host sends no certificate there")
    func redirected() async throws {
        let evil = try await start()
        let port = evil.port
        let server = try await start { _ in .status(302, headers: [.location: "https://127.0.0.1:\(port)/"]) }
        let client = HTTPClient(baseURL: try url("localhost", server), transport: try transport("localhost"))
        #expect(try await client.send(Request<String>.get("")) == "ok")
        #expect(server.requests.map { $0.clientCertificate != nil } == [true])
        #expect(evil.requests.map { $0.clientCertificate != nil } == [false])
        await server.stop()
        await evil.stop()
    }

    @Test("An identity for every host is offered to every host that asks")
    func everyHost() async throws {
        let server = try await start()
        let transport = try transport("*")
        for host in ["localhost", "127.0.0.1"] { _ = try await transport.send(HTTPRequest(url: try url(host, server))) }
        #expect(server.requests.allSatisfy { $0.clientCertificate == Self.der })
        await server.stop()
    }

    @Test("A server that does not request a certificate gets none")
    func notAsked() async throws {
        var options = MockServer.Options()
        options.tls = .localhost
        let server = try await MockServer.start(options: options) { _ in .text("ok") }
        _ = try await transport("*").send(HTTPRequest(url: server.url))
        #expect(server.requests.map(\.clientCertificate) == [nil])
        await server.stop()
    }
}
#endif
