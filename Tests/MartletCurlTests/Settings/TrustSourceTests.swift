import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletMockServer

@Suite("TrustSource", .timeLimit(.minutes(5)))
struct TrustSourceTests {
    private static let localhost = MockServer.TLS.localhost.certificate
    private static let untrusted = Data(UntrustedCertificate.certificate.utf8)

    private func withFile<Result>(_ content: Data, _ body: (String) async throws -> Result) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString).pem")
        try content.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        return try await body(path.path)
    }

    /// Returns the error of a request to a server with the certificate of `MockServer.TLS.localhost`.
    private func failure(_ trust: TLSSettings.Trust, system: String?) async throws -> HTTPError? {
        var options = MockServer.Options()
        options.tls = .localhost
        let server = try await MockServer.start(options: options) { _ in .text("ok") }
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = trust
        let transport = CurlTransport(CurlLibrary.shared, configuration, certificates: system)
        let error = await transport.failure(of: HTTPRequest(url: server.url))
        await server.stop()
        return error
    }

    @Test("The system's certificates and additional ones are trusted together", arguments: [true, false])
    func joined(systemIsLocalhost: Bool) async throws {
        let (system, mine) = systemIsLocalhost ? (Self.localhost, Self.untrusted) : (Self.untrusted, Self.localhost)
        try await withFile(system) { system in
            let bytes = try await failure(.systemAndCertificates(mine), system: system)
            let file = try await withFile(mine) { path in try await failure(.systemAndFile(path), system: system) }
            #expect(bytes == nil && file == nil)
        }
    }

    @Test("A server is not trusted if neither source contains its certificate")
    func neither() async throws {
        try await withFile(Self.untrusted) { system in
            guard case .invalidSSLCertificate? = try await failure(.systemAndCertificates(Self.untrusted), system: system) else {
                Issue.record("trusted")
                return
            }
        }
    }

    @Test("The joined file contains both sources with complete lines")
    func content() async throws {
        try await withFile(Data("system".utf8)) { system in
            guard
                case .memory(let file) = try TrustSource(.systemAndCertificates(Self.untrusted), version: .oldestSupported, system: system)
            else { Issue.record("no file in memory"); return }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == Data("system\n".utf8) + Self.untrusted)
        }
    }

    @Test("Unreadable certificates are a configuration error that names the file")
    func unreadable() async throws {
        try await withFile(Data("not PEM".utf8)) { text in
            for path in ["/nothing/here.pem", text] {
                for trust in [TLSSettings.Trust.file(path), .systemAndFile(path)] {
                    let error = try await failure(trust, system: CertificateBundle.system ?? text)
                    guard case .invalidRequest(let what)? = error else { Issue.record("\(String(describing: error))"); continue }
                    #expect(what.text.contains(path))
                }
            }
        }
        for trust in [TLSSettings.Trust.certificates(Data("not PEM".utf8)), .systemAndCertificates(Data("not PEM".utf8))] {
            guard case .invalidRequest? = try await failure(trust, system: CertificateBundle.system) else {
                Issue.record("\(trust)"); continue
            }
        }
    }

    @Test("A truncated certificate is an error in the configuration, not a missing system package")
    func damaged() async throws {
        let lines = String(decoding: Self.untrusted, as: UTF8.self).split(separator: "\n")
        let damaged = Data((lines.prefix(4) + lines.suffix(1)).joined(separator: "\n").utf8)
        try await withFile(damaged) { path in
            for trust in [TLSSettings.Trust.file(path), .systemAndFile(path), .certificates(damaged), .systemAndCertificates(damaged)] {
                let error = try await failure(trust, system: CertificateBundle.system)
                guard case .invalidRequest(let what)? = error else {
                    Issue.record("\(trust): \(String(describing: error))")
                    continue
                }
                #expect(what.text.contains("certificates to trust"))
            }
        }
    }

    @Test("On a system without certificates the error says to install them")
    func noSystem() async throws {
        for system in [nil, "/nothing/here.pem"] {
            guard case .engineUnavailable(let what)? = try await failure(.systemAndCertificates(Self.localhost), system: system) else {
                Issue.record("\(String(describing: system))")
                continue
            }
            #expect(what.text.contains("ca-certificates"))
        }
    }
}

@Suite("CertificateBundle", .timeLimit(.minutes(5)))
struct CertificateBundleTests {
    @Test("The first readable file is used")
    func first() {
        #expect(CertificateBundle.first(of: ["/nothing/here.pem", "/etc/hostname", "/etc/passwd"]) == "/etc/hostname")
        #expect(CertificateBundle.first(of: ["/nothing/here.pem"]) == nil)
    }
}
