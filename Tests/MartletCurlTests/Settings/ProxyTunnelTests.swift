import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine

@Suite("CurlTransport: tunnels through a proxy", .timeLimit(.minutes(5)))
struct ProxyTunnelTests {
    private static let refusal = """
        HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm="office"\r\nSet-Cookie: a=b\r\nProxy-Authenticate: Negotiate\r\n\
        Content-Length: 4\r\n\r\nwho?
        """

    private func transport(
        _ server: RawServer, _ credentials: String = "", bypass: [String] = [], trust: TLSSettings.Trust = .system
    ) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        let url = try #require(URL(string: "http://\(credentials)127.0.0.1:\(server.port)"))
        configuration.proxy = .explicit(try Proxy(url: url), bypass: bypass)
        configuration.tls.trust = trust
        return CurlTransport(configuration)
    }

    @Test("A proxy that requests credentials causes the same error and challenge over http and https", arguments: ["http", "https"])
    func challenge(scheme: String) async throws {
        let server = RawServer.answering(Self.refusal)
        let transport = try transport(server)
        for isStreamed in [false, true] {
            let client = HTTPClient(transport: transport)
            let url = try #require(URL(string: "\(scheme)://far.invalid/a"))
            let error = await #expect(throws: HTTPError.self) {
                if !isStreamed { return try await client.send(Request<Data>.get(url: url)) }
                return try await client.stream(Request<Data>.get(url: url)).body.collect()
            }
            #expect(error?.status == .proxyAuthenticationRequired)
            #expect(error?.response?.headers.values(for: .proxyAuthenticate) == [#"Basic realm="office""#, "Negotiate"])
            #expect(error?.request?.url == url)
        }
    }

    @Test("A CONNECT request carries no field of the request, and the error omits the proxy's credentials")
    func fields() async throws {
        let server = RawServer.answering(Self.refusal)
        let transport = try transport(server, "me:secret@")
        let request = HTTPRequest(url: URL(string: "https://far.invalid/a")!, headers: ["Authorization": "Bearer t", "X-One": "1"])
        let error = await transport.failure(of: request)
        #expect(error?.status == .proxyAuthenticationRequired)
        // The proxy's other fields do not belong to the server.
        #expect(error?.response?.headers.values(for: .setCookie) == [] && error?.response?.body.isEmpty == true)
        #expect(!"\(String(describing: error))".contains("secret"))
        let received = try #require(server.requests.first)
        #expect(received.line == "CONNECT far.invalid:443 HTTP/1.1")
        #expect(received.value("Authorization") == nil && received.value("X-One") == nil)
        #expect(received.value("Proxy-Authorization") == "Basic " + Data("me:secret".utf8).base64EncodedString())
    }

    @Test("A proxy that refuses for another reason is a proxy failure with the status in its text", arguments: [403, 502, 503])
    func refused(status: Int) async throws {
        let server = RawServer.answering("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")
        let error = try await transport(server).failure(of: HTTPRequest(url: URL(string: "https://far.invalid/")!))
        #expect(error == .networkError(NetworkFailure(.proxyFailed)))
        #expect("\(String(describing: error))".contains("\(status)"))
    }

    @Test("The head of the proxy's response is limited like any head")
    func endless() async throws {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 407 Who\r\n")
            for _ in 0..<100_000 where !connection.send("A: \(String(repeating: "x", count: 1000))\r\n") { return }
        }
        var request = HTTPRequest(url: URL(string: "https://far.invalid/")!)
        request.context.limits.headBytes = 20_000
        let error = try await transport(server).failure(of: request)
        #expect(error == .responseTooLarge(SizeLimitFailure(.head, limit: 20_000)))
    }

    @Test(
        "A proxy that refuses with a body that never ends fails its own request, and other requests complete meanwhile",
        arguments: ["Content-Length: 1000000000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n7FFFFFFF\r\n"])
    func endlessRefusal(framing: String) async throws {
        let proxy = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            // Without Proxy-Authenticate, which would keep libcurl from reading the body.
            connection.send("HTTP/1.1 407 Who\r\n\(framing)")
            let noise = Data(repeating: UInt8(ascii: "x"), count: 64 * 1024)
            while connection.send(noise) {}
        }
        let near = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let transport = try transport(proxy, bypass: ["127.0.0.1"])
        async let refused = transport.failure(of: HTTPRequest(url: URL(string: "https://far.invalid/")!))
        for _ in 0..<20 { #expect(await transport.failure(of: HTTPRequest(url: near.url())) == nil) }
        #expect(await refused?.status == .proxyAuthenticationRequired)
    }

    @Test("A response through a tunnel has no field of the proxy's, on a new connection and on a kept one")
    func tunnelled() async throws {
        var options = MockServer.Options()
        options.tls = .localhost
        let far = try await MockServer.start(options: options) { _ in .text("far", headers: ["X-Far": "1"]) }
        let proxy = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\nSet-Cookie: evil=1\r\n\r\n")
            connection.relay(to: UInt16(far.port))
        }
        let transport = try transport(proxy, trust: .certificates(MockServer.TLS.localhost.certificate))
        for (isReused, isStreamed) in [(false, false), (true, true), (true, false)] {
            var request = HTTPRequest(url: far.url)
            request.context.streamsBody = isStreamed
            let response = try await transport.send(request)
            #expect(response.status == .ok && response.headers["X-Far"] == "1")
            #expect(response.headers["X-Proxy"] == nil && response.headers[.setCookie] == nil)
            #expect(response.metadata.isConnectionReused == isReused)
            #expect(try await response.body.collect() == Data("far".utf8))
        }
        #expect(proxy.requests.map(\.line) == ["CONNECT 127.0.0.1:\(far.port) HTTP/1.1"])
        await far.stop()
    }
}
