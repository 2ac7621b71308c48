import Foundation
import MartletHTTP
import MartletTesting
import MartletURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSessionTransport", .timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    @Test("A response has its status, fields and body")
    func simple() async throws {
        let server = try await MockServer.start()
        server.enqueue(.text("hello", headers: ["X-One": "1"]))
        let response = try await transport.send(server.request("a/b"))
        #expect(response.status == .ok)
        #expect(response.headers["x-one"] == "1")
        #expect(response.body.buffered == Data("hello".utf8))
        #expect(server.requests.map(\.description) == ["GET /a/b HTTP/1.1"])
    }

    @Test("Fields are sent, those with the same name joined, and empty ones included")
    func fields() async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(200))
        _ = try await transport.send(
            server.request(headers: ["X-Two": "1", "x-two": "2", "X-Empty": "", "Accept": "a/b", "User-Agent": "me"]))
        let received = try #require(server.requests.first)
        #expect(received.headers.values(for: "X-Two").map { $0.filter { $0 != " " } } == ["1,2"])
        #expect(received.headers.values(for: "X-Empty") == [""])
        #expect(received.headers.values(for: "Accept") == ["a/b"])
        #expect(received.headers.values(for: "User-Agent") == ["me"])
    }

    @Test("Any method is sent, and does not affect the next request", arguments: ["OPTIONS", "PURGE", "Purge", "TRACE"])
    func methods(name: String) async throws {
        let server = try await MockServer.start { _ in .status(200) }
        for method in [name, "GET", "HEAD", "GET", "POST", "GET", "PUT", "HEAD"] {
            _ = try await transport.send(server.request(method: HTTPMethod(rawValue: method)))
        }
        #expect(server.requests.map(\.method.rawValue) == [name, "GET", "HEAD", "GET", "POST", "GET", "PUT", "HEAD"])
    }

    @Test("A response to HEAD has its fields and no body", arguments: [false, true])
    func head(isStreamed: Bool) async throws {
        let server = try await MockServer.start { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 500000000\r\n\r\n") }
        var request = server.request(method: .head)
        request.context.streamsBody = isStreamed
        let response = try await transport.send(request)
        #expect(response.headers[.contentLength] == "500000000")
        #expect(response.body.buffered == Data())
    }

    #if canImport(FoundationNetworking)
    @Test("A request for an upgrade fails before anything is sent")
    func upgrades() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        var request = server.request(headers: ["Connection": "Upgrade", "Upgrade": "websocket"])
        request.context.upgrade = ConnectionUpgrade()
        for transport in [transport, BorrowedSession(.shared)] as [any Transport] {
            do {
                _ = try await transport.send(request)
                Issue.record("sent")
            } catch { #expect(error == .engineUnavailable) }
        }
        #expect(server.connectionCount == 0)
        await server.stop()
    }
    #endif

    @Test(
        "A challenge of any scheme is returned, also for a request with credentials",
        arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate", "basic realm=x", "nonsense"])
    func challenges(value: String) async throws {
        let server = try await MockServer.start { _ in .text("no", status: 401, headers: ["WWW-Authenticate": value]) }
        for headers in [[:], ["Authorization": "Basic eDp5"]] as [HTTPFields] {
            let response = try await transport.send(server.request(headers: headers))
            #expect(response.status == .unauthorized)
            #expect(response.body.buffered == Data("no".utf8))
        }
        #expect(server.requests.map { $0.headers[.authorization] } == [nil, "Basic eDp5"])
    }

    @Test("A redirect without Location is returned as a response", arguments: [301, 302, 303, 304, 305, 307, 308])
    func redirectToNowhere(status: Int) async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(HTTPStatus(rawValue: status)))
        #expect(try await transport.send(server.request()).status.rawValue == status)
    }

    @Test("The user and password of a URL do not become credentials")
    func userInfo() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(server.port)/a%2Fb?x=@y#part"))
        _ = try await transport.send(HTTPRequest(url: url))
        let received = try #require(server.requests.first)
        #expect(received.target == "/a%2Fb?x=@y")
        #expect(received.headers[.authorization] == nil)
        #expect(received.headers["Host"] == "127.0.0.1:\(server.port)")
    }

    @Test("An invalid request is rejected before a connection is opened")
    func refusals() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let requests = [
            server.request(method: "A B"), server.request(method: "GET\r\nX: 1"), server.request(method: .connect),
            server.request(headers: ["X": "1\r\nY: 2"]), server.request(headers: ["X Y": "1"]),
            server.request(method: .head, body: HTTPBody("x")), server.request(method: .get, body: HTTPBody("x")),
            server.request(method: "get"),
        ]
        for request in requests {
            let error = await transport.failure(of: request)
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        for text in ["file:///etc/passwd", "ftp://127.0.0.1/", "http:", "mailto:a@b"] {
            let error = await transport.failure(of: HTTPRequest(url: try #require(URL(string: text))))
            guard case .invalidURL = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
        #expect(server.connectionCount == 0)
    }

    @Test("Many concurrent requests all get their responses")
    func concurrency() async throws {
        let server = try await MockServer.start { .text($0.path) }
        let answers = await withTaskGroup(of: (Int, Data?).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let method: HTTPMethod = number % 4 == 0 ? .post : .get
                    let body = method == .post ? HTTPBody("x") : nil
                    return (number, try? await transport.send(server.request("\(number)", method: method, body: body)).body.collect())
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for number in 0..<200 { #expect(answers[number] == Data("/\(number)".utf8)) }
    }

    @Test("The app's session configuration keeps its fields for all requests, but not its cookies and timeouts")
    func configuration() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-All": "1"]
        configuration.timeoutIntervalForRequest = 0.5
        let transport = URLSessionTransport(sessionConfiguration: configuration)
        let server = try await MockServer.start { _ in .status(200, headers: ["Set-Cookie": "a=1"]) }
        for _ in 0..<2 { _ = try await transport.send(server.request()) }
        #expect(server.requests.map { $0.headers["X-All"] } == ["1", "1"])
        #expect(server.requests.map { $0.headers[.cookie] } == [nil, nil])
        #expect(configuration.timeoutIntervalForRequest == 0.5)
    }
}
