import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("nginx: TLS")
struct NginxTLSTests {
    @Test("An authority given as a file or as bytes is trusted; without it the certificate is refused")
    func trust() async throws {
        let url = try Servers.url("HTTPS", "/version")
        #expect(try await Servers.transport().text(url) == "HTTP/2.0")
        let bytes = try Servers.data("ca.pem")
        #expect(try await Servers.transport { $0.tls.trust = .certificates(bytes) }.text(url) == "HTTP/2.0")
        #expect(await CurlTransport().isRefusedForItsCertificate(url))
        let mistaken = try Servers.transport { $0.tls.trust = .certificates(Data("nothing".utf8)) }
        await #expect {
            try await mistaken.text(url)
        } throws: {
            if case .invalidRequest? = $0 as? HTTPError { true } else { false }
        }
        #expect(try await Servers.transport { $0.tls.trust = .file(try Servers.path("stranger.pem")) }.isRefusedForItsCertificate(url))
    }

    @Test("A certificate that is expired or belongs to another host is refused", arguments: ["ELSEWHERE", "EXPIRED"])
    func refused(server: String) async throws {
        #expect(try await Servers.transport().isRefusedForItsCertificate(Servers.url(server)))
    }

    @Test("The certificate is checked against the requested name, even if that name resolves to another address")
    func names() async throws {
        let transport = try Servers.transport {
            $0.resolve = ["good.invalid": ["127.0.0.1"], "elsewhere.invalid": ["127.0.0.1"], "bad.invalid": ["127.0.0.1"]]
        }
        #expect(try await transport.text(Servers.url("HTTPS", "/version", host: "good.invalid")) == "HTTP/2.0")
        #expect(try await transport.text(Servers.url("ELSEWHERE", host: "elsewhere.invalid")) == "never")
        #expect(try await transport.isRefusedForItsCertificate(Servers.url("HTTPS", host: "bad.invalid")))
    }

    @Test("A pinned key or a backup is accepted, a wrong one is refused, and pins for other hosts are ignored")
    func pins() async throws {
        let url = try Servers.url("HTTPS", "/version")
        let right = try Servers.text("server.pin")
        let wrong = try Servers.text("elsewhere.pin")
        func transport(_ pins: [String], hosts: [String] = []) throws -> CurlTransport {
            try Servers.transport { try $0.tls.pinKeys(sha256: pins, hosts: hosts) }
        }
        #expect(try await transport([right]).failure(url) == nil)
        #expect(try await transport([wrong, right]).failure(url) == nil)
        #expect(try await transport([wrong], hosts: ["api.example"]).failure(url) == nil)
        #expect(try await transport([wrong]).isRefusedForItsCertificate(url))
        #expect(try await transport([wrong], hosts: ["127.0.0.1"]).isRefusedForItsCertificate(url))
        // A matching pin does not make an untrusted certificate acceptable.
        #expect(
            try await Servers.transport {
                $0.tls = TLSSettings()
                try $0.tls.pinKeys(sha256: [right])
            }.isRefusedForItsCertificate(url))
    }

    @Test("A client certificate is sent, as PEM with a plain or encrypted key, or as PKCS #12")
    func clientCertificate() async throws {
        let url = try Servers.url("MUTUAL")
        let host = try #require(url.host)
        let pem = try Servers.data("client.pem")
        let locked = try Servers.data("client-locked.key")
        let certificates: [ClientCertificate] = [
            .pem(certificates: pem, key: try Servers.data("client.key"), password: nil),
            .pem(certificates: pem, key: locked, password: "open"),
            .pkcs12(try Servers.data("client.p12"), password: "open"),
        ]
        for certificate in certificates {
            #expect(try await Servers.transport { try $0.tls.offer(certificate, to: [host]) }.text(url) == "CN=client")
        }
        // No identity, an identity for another host, and an unknown certificate. The server's response names the problem.
        let intruder = ClientCertificate.pem(certificates: try Servers.data("intruder.pem"), key: try Servers.data("intruder.key"))
        for (certificate, owner) in [(nil, host), (certificates[0], "other.example"), (intruder, host)] {
            let transport = try Servers.transport { settings in
                if let certificate { try settings.tls.offer(certificate, to: [owner]) }
            }
            let response = try await transport.send(HTTPRequest(url: url))
            #expect(response.status == .badRequest)
        }
        let wrong = try Servers.transport { try $0.tls.offer(.pem(certificates: pem, key: locked, password: "shut"), to: [host]) }
        #expect(await wrong.isRefusedForItsCertificate(url))
    }

    @Test("A server whose TLS version is below the minimum is refused")
    func minimumVersion() async throws {
        let url = try Servers.url("TLS12")
        #expect(try await Servers.transport().text(url) == "TLSv1.2")
        #expect(try await Servers.transport { $0.tls.minimumVersion = .tls13 }.isRefusedForItsCertificate(url))
    }

    @Test("The first response reports the time of the TLS handshake, the next one on the connection none")
    func timings() async throws {
        let transport = try Servers.transport()
        let url = try Servers.url("HTTPS", "/version")
        let first = try await transport.send(HTTPRequest(url: url)).metadata
        #expect(first.timings?.tls != nil)
        #expect(first.version == .http2)
        #expect(first.remoteAddress == "127.0.0.1")
        let second = try await transport.send(HTTPRequest(url: url)).metadata
        #expect(second.timings?.tls == nil)
        #expect(second.isConnectionReused == true)
    }
}
