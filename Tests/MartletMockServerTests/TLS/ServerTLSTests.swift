import Foundation
import Martlet
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletMockServer

#if os(Linux)
import MartletCurl

/// Tests a server with TLS and clients that check its certificate.
@Suite(.timeLimit(.minutes(5)), .enabled(if: MockServer.TLS.isAvailable, "TLS needs OpenSSL: install libssl3"))
struct ServerTLSTests {
    func start(
        _ change: (inout MockServer.Options) -> Void = { _ in },
        _ handler: @escaping @Sendable (RecordedRequest) async throws -> MockReply = { .text("\($0.method) \($0.path)") }
    ) async throws -> MockServer {
        var options = MockServer.Options()
        options.tls = .localhost
        change(&options)
        return try await MockServer.start(options: options, handler)
    }

    /// Returns a transport that trusts the server's certificate, another one, or those of the system.
    func transport(_ trust: TLSSettings.Trust = .certificates(MockServer.TLS.localhost.certificate)) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = trust
        return CurlTransport(configuration)
    }

    func text(_ transport: CurlTransport, _ server: MockServer, _ path: String = "x", host: String = "127.0.0.1") async throws -> String {
        let url = try #require(URL(string: "https://\(host):\(server.port)/\(path)"))
        return String(decoding: try await transport.send(HTTPRequest(url: url)).body.collect(), as: UTF8.self)
    }

    @Test("Requests are served over https, and connections are kept alive")
    func exchange() async throws {
        let server = try await start()
        let transport = transport()

        #expect(server.url.absoluteString == "https://127.0.0.1:\(server.port)/")
        for turn in 0..<5 { #expect(try await text(transport, server, "\(turn)") == "GET /\(turn)") }
        #expect(try await text(transport, server, "named", host: "localhost") == "GET /named")

        #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1, 2] && server.failedHandshakes.isEmpty)
        #expect(server.requests.last?.headers[.host] == "localhost:\(server.port)")
        await server.stop()
        #expect(server.openConnectionCount == 0)
    }

    @Test("The certificate is valid for ::1")
    func ipv6() async throws {
        let server: MockServer
        do { server = try await start { $0.usesIPv6 = true } } catch { return }  // A machine without it.
        let response = try await transport().send(HTTPRequest(url: server.url))
        #expect(server.url.absoluteString.hasPrefix("https://[::1]:") && response.status == 200)
        await server.stop()
    }

    @Test("Five megabytes are sent and received completely, in memory and as a stream", arguments: [false, true])
    func large(isMade: Bool) async throws {
        let server = try await start {
            $0.sendBufferBytes = 32 * 1024
        } _: { request in
            let body = request.body
            guard isMade else { return .data(body) }
            let rest = Locked(body[...])
            return .stream {
                HTTPBody {
                    rest.withLock { rest in
                        defer { rest = rest.dropFirst(70_000) }
                        return rest.isEmpty ? nil : Data(rest.prefix(70_000))
                    }
                }
            }
        }
        var content = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        for _ in 1..<100 { content += content.prefix(50_000) }
        let transport = transport()
        for _ in 0..<2 {
            let request = HTTPRequest(method: .put, url: server.url, body: HTTPBody(content))
            #expect(try await transport.send(request).body.collect() == content)
        }
        #expect(server.requests.map(\.body.count) == [5_000_000, 5_000_000])
        try await server.waitForBytesWritten(10_000_000)
        await server.stop()
    }

    @Test("A client that does not trust the certificate refuses it, and the server records the failed handshake")
    func wrongAuthority() async throws {
        let server = try await start()
        for trust in [TLSSettings.Trust.system, .certificates(Data(UntrustedCertificate.certificate.utf8))] {
            let error = await #expect(throws: HTTPError.self) { try await transport(trust).send(HTTPRequest(url: server.url)) }
            guard case .invalidSSLCertificate = error else { Issue.record("\(String(describing: error))"); continue }
        }
        let failed = try await server.waitForFailedHandshakes(2)
        #expect(failed.map(\.connection) == [1, 2] && failed.allSatisfy { $0.reason.contains("unknown ca") }, "\(failed)")
        #expect(server.requests.isEmpty)
        #expect(try await text(transport(), server) == "GET /x")
        await server.stop()
    }

    @Test("Data that is not TLS fails only its own connection")
    func plain() async throws {
        let server = try await start()
        let transport = transport()
        #expect(try await text(transport, server) == "GET /x")
        let plain = try RawClient(port: server.port)
        try await plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await !plain.readToEnd().hasPrefix("HTTP"))
        let gone = try RawClient(port: server.port)
        await gone.endSending()
        _ = try await gone.readToEnd()

        #expect(try await text(transport, server) == "GET /x")
        let failed = try await server.waitForFailedHandshakes(2)
        #expect(failed.map(\.connection) == [2, 3])
        #expect(
            failed[0].reason.contains("http request") && failed[1].reason == "the client disconnected before the handshake was complete",
            "\(failed)")
        #expect(server.requests.map(\.connection) == [1, 1])
        await server.stop()
    }

    @Test("A server stops while a handshake is stuck")
    func stop() async throws {
        let server = try await start()
        let client = try RawClient(port: server.port)
        // The start of a record, without the rest.
        try await client.send([22, 3, 1, 2])
        #expect(try await text(transport(), server) == "GET /x")
        await server.stop()
        #expect(try await client.readToEnd().isEmpty)
        #expect(server.failedHandshakes.isEmpty && server.openConnectionCount == 0)
    }

    @Test("Faults, early ends and delays are the same over TLS")
    func faults() async throws {
        let server = try await start()
        server.enqueue(
            .text("abcdef").with(.drop(atByte: 3)), .text("abc").with(.reset), .text("abc").with(.slowLoris(every: .microseconds(1))),
            .stream("a", "b").delimitedByClose(), .text("x").closingConnection(), .stream("a", "b", "c"))
        let transport = transport()
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) { _ = try await text(transport, server) }
            if case .invalidSSLCertificate = error { Issue.record("\(String(describing: error))") }
        }
        for expected in ["abc", "ab", "x", "abc"] { #expect(try await text(transport, server) == expected) }
        await server.stop()
    }

    @Test("Many concurrent clients are served on their own connections")
    func many() async throws {
        let server = try await start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    let transport = transport()
                    for turn in 0..<3 {
                        let answer = try await text(transport, server, "\(index)/\(turn)")
                        #expect(answer == "GET /\(index)/\(turn)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 60 && server.failedHandshakes.isEmpty)
        await server.stop()
    }

    @Test("An unusable certificate or key fails at the start, and an unreadable file immediately")
    func unusable() async throws {
        let good = MockServer.TLS.localhost
        let key = Data(UntrustedCertificate.key.utf8)
        let unusable: [(MockServer.TLS, String)] = [
            (.init(certificate: Data("nothing".utf8), privateKey: key), "the certificate is not PEM"),
            (.init(certificate: Data(), privateKey: Data()), "the certificate is not PEM"),
            (.init(certificate: good.certificate, privateKey: Data("nothing".utf8)), "the private key is not PEM"),
            (
                .init(certificate: Data(UntrustedCertificate.certificate.utf8), privateKey: Data(UntrustedCertificate.lockedKey.utf8)),
                "is locked by a password"
            ),
            (.init(certificate: good.certificate, privateKey: key), "can't be used with the certificate"),
        ]
        for (tls, words) in unusable {
            let error = await #expect(throws: HTTPError.self) { _ = try await start { $0.tls = tls } }
            guard case .invalidSSLCertificate(let explanation) = error else { Issue.record("\(String(describing: error))"); continue }
            #expect(explanation.text.contains(words), "\(explanation.text)")
        }
        let error = #expect(throws: HTTPError.self) { try MockServer.TLS(certificateFile: "/nowhere.pem", privateKeyFile: "/nowhere.key") }
        guard case .invalidSSLCertificate = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test("The key appears in no description of the settings")
    func redacted() {
        var dumped = ""
        dump(MockServer.TLS.localhost, to: &dumped)
        #expect(!dumped.contains("PRIVATE") && !"\(MockServer.TLS.localhost)".contains("PRIVATE"))
    }
}
#endif
