import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite("Requests for each method", .timeLimit(.minutes(5)))
struct RequestMethodTests {
    private struct Bird: Decodable, Sendable, Equatable { let name: String }

    private static let url = URL(string: "https://b.example/full?a=%2F")!
    private static let methods: [HTTPMethod] = [.get, .head, .options, .delete, .post, .put, .patch]
    /// The bodies that are sent for the methods, in the same order.
    private static let bodies: [Data?] = [nil, nil, nil, Data("1".utf8), Data("2".utf8), Data("3".utf8), Data("4".utf8)]

    private let transport = MockTransport { _ in .json(#"{"name":"Ada"}"#) }
    private var client: HTTPClient { HTTPClient(baseURL: URL(string: "https://a.example/v1"), transport: transport) }

    private func expectMethods(to url: String) {
        #expect(transport.requests.map(\.method) == Self.methods)
        #expect(transport.requests.map { $0.body?.buffered } == Self.bodies)
        #expect(transport.requests.allSatisfy { $0.url.absoluteString == url && $0.headers["X-A"] == "1" })
    }

    @Test("A request without a response type is sent with its method, below the base URL, and its response is not decoded")
    func paths() async throws {
        let requests: [Request<Void>] = [
            .init(method: .get, path: "x", query: ["q": 1], headers: ["X-A": "1"]), .head("x", query: ["q": 1], headers: ["X-A": "1"]),
            .options("x", query: ["q": 1], headers: ["X-A": "1"]),
            .delete("x", query: ["q": 1], headers: ["X-A": "1"], body: .text("1")),
            .post("x", query: ["q": 1], headers: ["X-A": "1"], body: .text("2")),
            .put("x", query: ["q": 1], headers: ["X-A": "1"], body: .text("3")),
            .patch("x", query: ["q": 1], headers: ["X-A": "1"], body: .text("4")),
        ]
        for request in requests { try await client.send(request) }
        expectMethods(to: "https://a.example/v1/x?q=1")
    }

    @Test("A request for a full URL without a response type is sent with its method to exactly this URL")
    func urls() async throws {
        let url = Self.url
        let requests: [Request<Void>] = [
            .init(method: .get, url: url, headers: ["X-A": "1"]), .head(url: url, headers: ["X-A": "1"]),
            .options(url: url, headers: ["X-A": "1"]), .delete(url: url, headers: ["X-A": "1"], body: .text("1")),
            .post(url: url, headers: ["X-A": "1"], body: .text("2")), .put(url: url, headers: ["X-A": "1"], body: .text("3")),
            .patch(url: url, headers: ["X-A": "1"], body: .text("4")),
        ]
        for request in requests { try await client.send(request) }
        expectMethods(to: "https://b.example/full?a=%2F")
    }

    @Test("A request with a response type is sent with its method to exactly its URL, and each response with a body is decoded")
    func decodable() async throws {
        let url = Self.url
        let requests: [Request<Bird>] = [
            .get(url: url, headers: ["X-A": "1"]), .head(url: url, headers: ["X-A": "1"]), .options(url: url, headers: ["X-A": "1"]),
            .delete(url: url, headers: ["X-A": "1"], body: .text("1")), .post(url: url, headers: ["X-A": "1"], body: .text("2")),
            .put(url: url, headers: ["X-A": "1"], body: .text("3")), .patch(url: url, headers: ["X-A": "1"], body: .text("4")),
        ]
        for request in requests {
            let result = await client.result(of: request)
            if request.method == .head {
                #expect(throws: HTTPError.self) { try result.get() }  // Its response has no body.
            } else {
                #expect(try result.get() == Bird(name: "Ada"))
            }
        }
        expectMethods(to: "https://b.example/full?a=%2F")
    }

    @Test("A request with another base URL is sent there and not to the client's")
    func relative() async throws {
        let request = Request<Bird>.get("birds").relative(to: URL(string: "https://c.example/v2/")!)
        _ = try await client.send(request)
        #expect(transport.requests.map(\.url.absoluteString) == ["https://c.example/v2/birds"])
    }

    @Test("Requests for a path with a response type can have the methods HEAD and OPTIONS")
    func metadata() async throws {
        let head = try await client.send(Request<EmptyResponse>.head("x"))
        let options = try await client.send(Request<Bird>.options("x"))
        #expect(head == EmptyResponse() && options == Bird(name: "Ada"))
        #expect(transport.requests.map(\.method) == [.head, .options])
    }

    @Test("Raw data is returned by send, as the response's body and as a stream, without decoding")
    func data() async throws {
        let body = Data(#"{"name":"Ada"}"#.utf8), request = Request<Data>.get("x")
        let sent: Data = try await client.send(.get("x"))
        #expect(sent == body)
        #expect(try await client.stream(request).body.collect() == body)
    }
}
