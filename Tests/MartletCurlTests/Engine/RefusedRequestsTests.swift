import Foundation
import MartletHTTP
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

/// A server that refuses requests over HTTP/2 must not get them again and again.
@Suite("CurlTransport: refused requests", .enabled(if: MockServer.TLS.isAvailable), .timeLimit(.minutes(5)))
struct RefusedRequestsTests {
    private func transport() -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.engines = 1
        configuration.tls.trust = .certificates(MockServer.TLS.localhost.certificate)
        return CurlTransport(configuration)
    }

    private let lost = HTTPError.networkError(NetworkFailure(.connectionLost))

    @Test("Requests whose streams a server refuses arrive three times at most, however many run", arguments: [1, 4, 16])
    func refused(count: Int) async throws {
        let server = HTTP2Server { $0.number == 1 ? .ok : .refusal }, transport = transport()
        // Later requests know that they may share the connection.
        #expect(await transport.failure(of: HTTPRequest(url: server.url)) == nil)
        let calls = (0..<count).map { _ in Task { await transport.failure(of: HTTPRequest(url: server.url)) } }
        for call in calls { #expect(await call.value == lost) }
        #expect(server.requestCount - 1 >= count)
        #expect(server.requestCount - 1 <= 3 * count)
    }

    @Test("A request arrives twice at a server that retires each new connection", arguments: [HTTPMethod.get, .put, .post])
    func retired(method: HTTPMethod) async {
        let server = HTTP2Server { _ in .retirement }
        let request = HTTPRequest(method: method, url: server.url, body: method == .get ? nil : HTTPBody("x"))
        #expect(await transport().failure(of: request) == lost)
        #expect(server.requestCount <= 2)
    }

    @Test("Requests on a connection that its server retires are sent on another one")
    func retiredOnce() async {
        let server = HTTP2Server { $0.connection == 1 && $0.number > 1 ? .retirement : .ok }, transport = transport()
        #expect(await transport.failure(of: HTTPRequest(url: server.url)) == nil)
        let calls = (0..<8).map { _ in Task { await transport.failure(of: HTTPRequest(url: server.url)) } }
        for call in calls { #expect(await call.value == nil) }
        #expect(server.connectionCount > 1)
    }

    @Test("A head over HTTP/2 beyond libcurl's limit is too large, and not requested again, although another request runs")
    func largeHead() async throws {
        let transport = transport(), arrived = Gate(), end = Gate()
        let other = RawServer { connection in
            _ = connection.readRequest()
            arrived.open()
            end.wait()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let running = Task { await transport.failure(of: HTTPRequest(url: other.url())) }
        await arrived.opened()
        let server = HTTP2Server { _ in .largeHead }
        guard case .responseTooLarge = await transport.failure(of: HTTPRequest(url: server.url)) else {
            Issue.record("another error")
            return
        }
        #expect(server.requestCount == 1)
        end.open()
        #expect(await running.value == nil)
    }
}
