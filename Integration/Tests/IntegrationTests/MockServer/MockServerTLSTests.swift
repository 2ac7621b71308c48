import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

/// Tests the mock server's TLS with a certificate of an authority and with clients other than Martlet.
@Suite("MockServer: TLS")
struct MockServerTLSTests {
    func start() async throws -> MockServer {
        var options = MockServer.Options()
        options.tls = try MockServer.TLS(certificateFile: Servers.path("server.pem"), privateKeyFile: Servers.path("server.key"))
        return try await MockServer.start(options: options) { _ in .text("hello") }
    }

    @Test("A certificate and key from files are used, and a client that does not trust their authority refuses them")
    func files() async throws {
        let server = try await start()
        #expect(try await Servers.transport().text(server.url) == "hello")
        let stranger = try Servers.transport { $0.tls.trust = .file(try Servers.path("stranger.pem")) }
        #expect(await stranger.isRefusedForItsCertificate(server.url))
        await server.stop()
    }

    @Test("openssl s_client negotiates TLS 1.2 or 1.3 and, by ALPN, http/1.1")
    func versions() async throws {
        let server = try await start()
        for (version, name) in [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")] {
            let text = try await client(server, version, "-alpn", "h2,http/1.1")
            #expect(text.contains("ALPN protocol: http/1.1") && text.contains(name) && text.contains("Verification: OK"), "\(text)")
        }
        #expect(try await !client(server, "-tls1_3", "-alpn", "h2").contains("ALPN protocol: h2"))
        #expect(try await !client(server, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0").contains("Protocol  : TLSv1.1\n    Cipher    : E"))
        #expect(try await server.waitForFailedHandshakes(2).count == 2)
        await server.stop()
    }

    /// Returns the output of `openssl s_client` after connecting without sending data.
    func client(_ server: MockServer, _ arguments: String...) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile", try Servers.path("ca.pem")] + arguments
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
