import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: one exchange", .timeLimit(.minutes(5)))
struct CurlTransportTests {
    private let transport = CurlTransport()

    @Test("A response has its status, fields, version and body")
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

    @Test("A request is sent with its own fields, Host and Accept-Encoding, and no others")
    func noFieldsOfItsOwn() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        for (method, body) in [(HTTPMethod.get, nil), (.post, HTTPBody(Data(count: 2_000_000)))] {
            _ = try await transport.send(HTTPRequest(method: method, url: server.url(), body: body))
        }
        let names = server.requests.map { request in
            request.head.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" }.lowercased() }
        }
        #expect(names == [["host", "accept-encoding"], ["host", "accept-encoding", "content-length"]])
    }

    @Test("Fields are sent unchanged: duplicates in order, empty values, and the request's own Accept and User-Agent")
    func fields() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        var request = HTTPRequest(url: server.url())
        request.headers = ["Accept": "a/b", "X-Two": "1", "X-Empty": "", "User-Agent": "me", "X-Two": "2", "Host": "other.example"]
        _ = try await transport.send(request)
        let received = try #require(server.requests.first)
        #expect(received.values("X-Two") == ["1", "2"])
        #expect(received.values("X-Empty") == [""])
        #expect(received.values("Accept") == ["a/b"])
        #expect(received.values("User-Agent") == ["me"])
        #expect(received.values("Host") == ["other.example"])
    }

    @Test("Any method is sent, and does not affect the next request", arguments: ["OPTIONS", "PURGE", "get", "TRACE"])
    func methods(name: String) async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        for method in [name, "GET", "HEAD", "GET", "POST", "GET", "PUT", "HEAD"] {
            _ = try await transport.send(HTTPRequest(method: HTTPMethod(rawValue: method), url: server.url()))
        }
        #expect(server.requests.map { $0.line.prefix { $0 != " " } } == [name[...], "GET", "HEAD", "GET", "POST", "GET", "PUT", "HEAD"])
    }

    @Test("A response to HEAD has its fields and no body")
    func head() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 500000000\r\n\r\n")
        for isStreamed in [false, true] {
            var request = HTTPRequest(method: .head, url: server.url())
            request.context.streamsBody = isStreamed
            let response = try await transport.send(request)
            #expect(response.headers[.contentLength] == "500000000")
            #expect(response.body.buffered == Data())
        }
    }

    @Test("The user and password of a URL do not become credentials, and its path is unchanged")
    func userInfo() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let url = URL(string: "http://me:secret@127.0.0.1:\(server.port)/a/../b/./c%2Fd?x=@y#part")!
        _ = try await transport.send(HTTPRequest(url: url))
        let received = try #require(server.requests.first)
        #expect(received.line == "GET /a/../b/./c%2Fd?x=@y HTTP/1.1")
        #expect(received.value("Authorization") == nil)
        #expect(received.value("Host") == "127.0.0.1:\(server.port)")
    }

    @Test("The number of connections to an origin is limited")
    func connectionLimit() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerOrigin = 3
        let transport = CurlTransport(configuration)
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let statuses = await withTaskGroup(of: HTTPStatus?.self) { group in
            for _ in 0..<40 { group.addTask { try? await transport.send(HTTPRequest(url: server.url())).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .ok, count: 40))
        #expect(server.connectionCount <= 3)
    }

    @Test("An invalid request is rejected before a connection is opened")
    func refusals() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let requests = [
            HTTPRequest(method: "A B", url: server.url()), HTTPRequest(method: "GET\r\nX: 1", url: server.url()),
            HTTPRequest(method: .connect, url: server.url()), HTTPRequest(url: server.url(), headers: ["X": "1\r\nY: 2"]),
            HTTPRequest(url: server.url(), headers: ["X Y": "1"]), HTTPRequest(method: .head, url: server.url(), body: HTTPBody("x")),
        ]
        for request in requests {
            let error = await #expect(throws: HTTPError.self) { try await transport.send(request) }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        for url in ["file:///etc/passwd", "ftp://127.0.0.1/", "http:", "mailto:a@b"] {
            let error = await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(url: URL(string: url)!)) }
            guard case .invalidURL = error else {
                Issue.record("\(url): \(String(describing: error))")
                continue
            }
        }
        #expect(server.connectionCount == 0)
    }
}
