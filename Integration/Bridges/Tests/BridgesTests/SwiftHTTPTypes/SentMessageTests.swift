#if SwiftHTTPTypes
import Foundation
import HTTPTypes
import Martlet
import MartletBridges
import MartletTesting
import Testing

struct SentMessageTests {
    struct User: Codable, Sendable, Equatable {
        var name: String
    }

    /// A request to the server with an authority of its own.
    private func message(
        _ method: HTTPTypes::HTTPRequest.Method, _ server: MockServer, _ path: String, _ fields: HTTPTypes::HTTPFields = [:]
    ) -> HTTPTypes::HTTPRequest {
        HTTPTypes::HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(server.port)", path: path, headerFields: fields)
    }

    @Test("A request reaches a server with its method, target and fields unchanged, and the response comes back unchanged")
    func unchanged() async throws {
        let server = try await MockServer.start()
        var headers: Martlet::HTTPFields = ["Set-Cookie": "a=1", "X-Empty": ""]
        headers.append("Set-Cookie", "b=2")
        headers.append(nameBytes: "X-Latin".utf8, valueBytes: [0x63, 0xE9] as [UInt8])
        server.enqueue(.data(Data("found".utf8), status: 299, headers: headers))
        var fields: HTTPTypes::HTTPFields = [:]
        fields.append(HTTPTypes::HTTPField(name: try #require(.init("X-Tag")), value: "1"))
        fields.append(HTTPTypes::HTTPField(name: try #require(.init("x-tag")), value: [0x32, 0xFF]))
        fields.append(HTTPTypes::HTTPField(name: try #require(.init("X-None")), value: ""))

        let request = message(try #require(HTTPTypes::HTTPRequest.Method("QUERY")), server, "/a//b/%7e/../c?x=%20&y", fields)
        let (response, body) = try await HTTPClient().send(request, body: .data(Data("q".utf8), contentType: "text/x"))

        let sent = try #require(server.requests.first)
        #expect(sent.method == "QUERY")
        #expect(sent.target == "/a//b/%7e/../c?x=%20&y")
        #expect(sent.headers.bytes(for: "x-tag") == [Array("1".utf8), [0x32, 0xFF]])
        #expect(sent.headers.values(for: "x-none") == [""])
        #expect(sent.headers[.contentType] == "text/x")
        #expect(sent.body == Data("q".utf8))
        #expect(response.status.code == 299)
        #expect(response.headerFields[values: .setCookie] == ["a=1", "b=2"])
        #expect(response.headerFields[try #require(.init("X-Empty"))] == "")
        let latin = response.headerFields[fields: try #require(.init("X-Latin"))].first
        #expect(latin?.withUnsafeBytesOfValue { Array($0) } == [0x63, 0xE9])
        #expect(body == Data("found".utf8))
        await server.stop()
    }

    @Test("Several Cookie fields are sent as one, with semicolons")
    func cookies() async throws {
        let transport = MockTransport(.status(204))
        var fields: HTTPTypes::HTTPFields = [.cookie: "a=1; b=2"]
        fields.append(HTTPTypes::HTTPField(name: .cookie, value: [0x63, 0x3D, 0xE9]))
        _ = try await HTTPClient(transport: transport).send(
            HTTPTypes::HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/", headerFields: fields))
        #expect(transport.requests.first?.headers.bytes(for: .cookie) == [Array("a=1; b=2; c=".utf8) + [0xE9]])
    }

    @Test("A status that is not accepted is thrown with the response, and is returned if all are accepted")
    func statuses() async throws {
        let transport = MockTransport(.json("{}", status: 404), .json("{}", status: 404))
        let client = HTTPClient(transport: transport)
        let request = HTTPTypes::HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x")
        let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
        #expect(error?.response?.body == Data("{}".utf8))
        let (response, _) = try await client.send(request, options: CallOptions(validation: .none))
        #expect(response.status == .notFound)
    }

    @Test("A request with only a path is sent below the base URL, and its response is decoded as any other")
    func relative() async throws {
        let transport = MockTransport { _ in .json(#"{"name":"Ada"}"#) }
        let client = HTTPClient(baseURL: URL(string: "https://a.example/v1?key=1"), transport: transport)
        let message = HTTPTypes::HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/users/a%2Fb?page=2")
        #expect(try await client.send(Request<User>(message)) == User(name: "Ada"))
        let request = try #require(transport.requests.first)
        #expect(request.url.absoluteString == "https://a.example/v1/users/a%2Fb?key=1&page=2")
        #expect(request.context.pathTemplate == "{}")
        #expect(request.context.endpointName == "GET {}")
    }

    @Test(
        "A path that can't be sent unchanged is refused before anything is sent",
        arguments: ["//evil.example/x", "/a/../b", "/a/%2e%2E/b", "/a b", "/é", "/[x]", "/a#b", "https://evil.example/"])
    func refusedPath(path: String) async {
        let transport = MockTransport { _ in .status(204) }
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        let message = HTTPTypes::HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
        await #expect(throws: HTTPError.invalidURL) { try await client.send(message) }
        #expect(transport.requests.isEmpty)
    }

    @Test("A stream returns the head, and then the body as it arrives")
    func streams() async throws {
        let server = try await MockServer.start()
        server.enqueue(.stream("one", "two"))
        let (response, body) = try await HTTPClient().stream(message(.get, server, "/"))
        #expect(response.status == .ok)
        #expect(try await body.collect() == Data("onetwo".utf8))
        await server.stop()
    }

    @Test("A response that can't be converted is an invalid response that names its request")
    func unconvertibleResponse() async throws {
        var headers: Martlet::HTTPFields = [:]
        headers.append(nameBytes: "X Y".utf8, valueBytes: "1".utf8)
        let client = HTTPClient(transport: MockTransport(.status(200, headers: headers)))
        let request = HTTPTypes::HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x")
        let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
        #expect(error == .invalidResponse)
        #expect(error?.request?.url.path == "/x")
    }
}
#endif
