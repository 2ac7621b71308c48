import Foundation
import MartletCore
import Testing

@testable import MartletCurl

@Suite("CurlTransport")
struct CurlTransportTests {
    private let transport = CurlTransport()

    @Test("gives status, fields, version and body of an answer")
    func basics() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-One: 1\r\n\r\nhello")
        let response = try await transport.send(HTTPRequest(url: server.url("/a?b=c")))
        #expect(response.status == .ok)
        #expect(response.headers["X-One"] == "1")
        #expect(response.headers[.contentLength] == "5")
        #expect(response.metadata.version == .http11)
        #expect(response.body.buffered == Data("hello".utf8))
        #expect(server.requests.first?.line == "GET /a?b=c HTTP/1.1")
    }

    @Test("a stream gives its head and then its bytes")
    func stream() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        var request = HTTPRequest(url: server.url())
        request.context.delivery = .streamed
        let response = try await transport.send(request)
        #expect(response.body.length == 5)
        #expect(try await response.body.collect() == Data("hello".utf8))
    }

    @Test("sends a body with its length")
    func post() async throws {
        let server = RawServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
        let response = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: HTTPBody("data")))
        #expect(response.status == .noContent)
        #expect(server.requests.first?.body == Data("data".utf8))
        #expect(server.requests.first?.value("Content-Length") == "4")
    }
}
