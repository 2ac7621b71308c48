import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("tinyproxy: requests through a proxy")
struct TinyproxyTests {
    private func transport(_ credentials: String = "me:s3cret@") throws -> CurlTransport {
        let url = try #require(URL(string: "http://\(credentials)127.0.0.1:\(try Servers.port("PROXY"))"))
        return try Servers.transport { $0.proxy = .explicit(try Proxy(url: url)) }
    }

    @Test("http uses the proxy, and https uses a tunnel with the usual certificate checks")
    func both() async throws {
        let transport = try transport()
        #expect(try await transport.text(Servers.url("HTTP", "/version", scheme: "http")) == "HTTP/1.1")
        #expect(try await transport.text(Servers.url("HTTPS", "/version")) == "HTTP/2.0")
        let pinned = try Servers.transport {
            let url = try #require(URL(string: "http://me:s3cret@127.0.0.1:\(try Servers.port("PROXY"))"))
            $0.proxy = .explicit(try Proxy(url: url))
            try $0.tls.pinKeys(sha256: [try Servers.text("elsewhere.pin")])
        }
        #expect(try await pinned.isRefusedForItsCertificate(Servers.url("HTTPS")))
    }

    @Test("Wrong credentials cause a 401 or 407 for http, and proxyFailed for https")
    func credentials() async throws {
        let transport = try transport("me:wrong@")
        let response = try await transport.send(HTTPRequest(url: Servers.url("HTTP", scheme: "http")))
        #expect([401, 407].contains(response.status.rawValue))
        let error = await transport.failure(try Servers.url("HTTPS"))
        #expect(error == .networkError(NetworkFailure(.proxyFailed, "")))
        #expect(!"\(String(describing: error))".contains("wrong"))
    }

    @Test("A port that the proxy refuses to connect to causes proxyFailed")
    func refusedPort() async throws {
        let error = await (try transport()).failure(try Servers.url("MUTUAL"))
        #expect(error == .networkError(NetworkFailure(.proxyFailed, "")))
    }
}
