import Foundation
import Martlet
import MartletCurl
import MartletWebSocket
import Testing

/// Opens WebSockets through nginx, which ends TLS, and through tinyproxy.
@Suite("websockets: behind nginx and tinyproxy", .timeLimit(.minutes(1)), .enabled(if: ProcessInfo.processInfo.environment["MARTLET_CERTIFICATES"] != nil))
struct WebSocketRouteTests {
    private static let hasTinyproxy = ProcessInfo.processInfo.environment["MARTLET_SERVERS"]?.contains("tinyproxy") == true

    private func echo(_ transport: CurlTransport, _ url: URL, count: Int = 3) async throws {
        let socket = try await HTTPClient(baseURL: url, transport: transport).webSocket(.get("echo"), protocols: ["chat.v1"])
        #expect(socket.subprotocol == "chat.v1")
        var messages = socket.messages.makeAsyncIterator()
        for number in 0..<count {
            let message = WebSocketMessage.text("\(number) " + String(repeating: "x", count: 50_000))
            try await socket.send(message)
            let received = try await messages.next()
            #expect(received == message)
        }
        #expect(await socket.close().closure?.code == .normalClosure)
    }

    private func isRefusedForItsCertificate(_ transport: CurlTransport, _ url: URL) async -> Bool {
        do { _ = try await HTTPClient(baseURL: url, transport: transport).webSocket(.get("echo")) } catch {
            return if case .invalidSSLCertificate = error { true } else { false }
        }
        return false
    }

    @Test("Messages pass nginx over TLS with a private authority, http/1.1 by ALPN although it speaks HTTP/2, and over http")
    func nginx() async throws {
        try await echo(Servers.transport(), Servers.url("HTTPS", "/websocket/", scheme: "wss"), count: 20)
        try await echo(Servers.transport(), Servers.url("HTTP", "/websocket/", scheme: "ws"))
    }

    @Test("Without the private authority, with a wrong pin or for another name, the connection is refused")
    func certificates() async throws {
        let url = try Servers.url("HTTPS", "/websocket/", scheme: "wss")
        #expect(await isRefusedForItsCertificate(CurlTransport(), url))
        let pinned = try Servers.transport { try $0.tls.pinKeys(sha256: [try Servers.text("elsewhere.pin")]) }
        #expect(await isRefusedForItsCertificate(pinned, url))
        let right = try Servers.transport { try $0.tls.pinKeys(sha256: [try Servers.text("server.pin")]) }
        try await echo(right, url)
        #expect(await isRefusedForItsCertificate(try Servers.transport(), try Servers.url("EXPIRED", scheme: "wss")))
    }

    @Test("A proxy without the server behind it is .statusCode with its 404")
    func missing() async throws {
        let error = await #expect(throws: HTTPError.self) {
            _ = try await HTTPClient(baseURL: Servers.url("HTTPS", scheme: "wss"), transport: Servers.transport()).webSocket(.get("nowhere"))
        }
        #expect(error?.status == .notFound)
    }

    private func proxied(_ credentials: String = "me:s3cret@") throws -> CurlTransport {
        let url = try #require(URL(string: "http://\(credentials)127.0.0.1:\(try Servers.port("PROXY"))"))
        return try Servers.transport { $0.proxy = .explicit(try Proxy(url: url)) }
    }

    @Test("ws and wss use a tunnel of the proxy, with its credentials", .enabled(if: hasTinyproxy))
    func tunnel() async throws {
        try await echo(proxied(), Servers.url("WEBSOCKET", scheme: "ws"))
        try await echo(proxied(), Servers.url("HTTPS", "/websocket/", scheme: "wss"))
    }

    @Test("Wrong credentials, and a port that the proxy refuses to connect to, are proxyFailed", .enabled(if: hasTinyproxy))
    func refusedTunnel() async throws {
        for (transport, name) in [(try proxied("me:wrong@"), "WEBSOCKET"), (try proxied(), "HTTP")] {
            let error = await #expect(throws: HTTPError.self) {
                _ = try await HTTPClient(baseURL: Servers.url(name, scheme: "ws"), transport: transport).webSocket(.get("echo"))
            }
            #expect(error == .networkError(NetworkFailure(.proxyFailed, "")))
        }
    }
}
