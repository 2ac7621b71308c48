import Foundation
import MartletClient
import MartletTesting
import Testing

private struct Bird: Codable, Sendable, Equatable { let name: String }
/// An enum whose cases have the names of methods.
private enum API: Endpoint {
    case get, post(Int), delete(id: Int)
    var path: Path {
        switch self {
        case .get: "all"
        case .post(let id), .delete(let id): "\(id)"
        }
    }
}
extension Request where Response == [Bird] {
    fileprivate static var all: Self { .get("birds") }
    fileprivate static func page(_ number: Int) -> Self { .get("birds", query: ["page": number]) }
}
extension Request where Response == EmptyResponse { fileprivate static var signOut: Self { .post("sign-out") } }
extension Request where Response == Void { fileprivate static var touch: Self { .put("touch") } }
extension Request where Response == Int { fileprivate static var count: Self { Request<[Bird]>.get("birds").map(\.count) } }

@Suite("Requests as endpoints", .timeLimit(.minutes(5)))
struct EndpointMethodsTests {
    private let transport = MockTransport { _ in .json(#"[{"name":"Wren"}]"#) }
    private var client: HTTPClient { HTTPClient(baseURL: URL(string: "https://a.example/v1"), transport: transport) }
    private let wren = [Bird(name: "Wren")]

    @Test("A request decodes the type that the variable, the call, the function or the task names")
    func named() async throws {
        func list<Value: Decodable & Sendable>(_ client: some EndpointClient) async throws -> Value { try await client.send(.get("birds")) }
        let ofVariable: [Bird] = try await client.send(.get("birds"))
        let ofCall = try await client.send(.get("birds").timeout(.seconds(5)), as: [Bird].self)
        let ofFunction: [Bird] = try await list(client)
        async let ofTask: [Bird] = client.send(.get("birds"))
        let ofHTTP: [Bird] = try await (client as any HTTPClientProtocol).send(.post("birds"))
        let ofClient: [Bird] = try await (client as any EndpointClient).send(.get("birds"))
        #expect(try await [ofVariable, ofCall, ofFunction, ofTask, ofHTTP, ofClient] == Array(repeating: wren, count: 6))
        let values = try await withThrowingTaskGroup(of: [Bird].self) { group in
            group.addTask { try await client.send(.get("birds")) }
            return try await group.reduce([], +)
        }
        #expect(values == wren)
    }

    @Test("Text, bytes, an Optional, an envelope and a result are named like any other type")
    func kinds() async throws {
        let text: String = try await client.send(.get("birds")), bytes: Data = try await client.send(.get("birds"))
        let optional: [Bird]? = try await client.send(.get("birds"))
        let envelope: HTTPResponse<[Bird]> = try await client.response(for: .get("birds"))
        let result: Result<[Bird], HTTPError> = await client.result(of: .get("birds"))
        #expect(Data(text.utf8) == bytes && optional == wren && envelope.body == wren && result == .success(wren))
    }

    @Test("A request that is no GET has no value if nothing names a type, and its result can be discarded")
    func unnamed() async throws {
        try await client.send(.post("x", body: .json(wren)))
        try await client.send(.delete("x").timeout(.seconds(5)))
        let head = try await client.response(for: .head("x")), put = await client.result(of: .put("x"))
        let sent = [
            try await client.send(.patch("x")), try await client.send(.options("x")), head.body, try put.get(),
            try await client.send(.post(url: try #require(URL(string: "https://b.example/")))),
        ]
        #expect(sent == Array(repeating: EmptyResponse(), count: 5))
        #expect(transport.requests.map(\.method) == [.post, .delete, .head, .put, .patch, .options, .post])
        #expect(transport.requests[0].body?.buffered == Data(#"[{"name":"Wren"}]"#.utf8))
    }

    @Test("A response type of EmptyResponse can be named for a GET, and its result discarded")
    func ignored() async throws {
        try await client.send(.get("x"), as: EmptyResponse.self)
        try await client.send(Request<EmptyResponse>.get("x"))
        #expect(transport.requests.map(\.headers[.accept]) == ["*/*", "*/*"])
    }

    @Test("Static members of Request are sent by their short names, whatever their response type")
    func members() async throws {
        #expect(try await client.send(.all) == wren)
        #expect(try await client.response(for: .page(2).relative(to: URL(string: "https://b.example"))).body == wren)
        #expect(try await client.result(of: .page(3).timeout(.seconds(5))).get() == wren)
        #expect(try await client.send(.count) == 1)
        try await client.send(.signOut)
        try await client.send(.touch)
        _ = try await client.stream(.all)
        let paths = transport.requests.map(\.url.absoluteString)
        #expect(paths[1] == "https://b.example/birds?page=2" && paths[2] == "https://a.example/v1/birds?page=3")
        #expect(paths[4] == "https://a.example/v1/sign-out" && transport.requests[5].method == .put)
    }

    @Test("A stream needs no response type")
    func stream() async throws {
        let response = try await client.stream(.get("birds"))
        #expect(try await response.body.collect() == Data(#"[{"name":"Wren"}]"#.utf8))
    }

    @Test("An enum with cases named like methods sends its cases")
    func cases() async throws {
        try await client.send(API.get)
        try await client.send(API.post(1))
        try await client.send(API.delete(id: 2), as: EmptyResponse.self)
        #expect(transport.requests.map(\.url.lastPathComponent) == ["all", "1", "2"])
    }

    @Test("A query is added to that of a full URL")
    func queryOfURL() async throws {
        let url = try #require(URL(string: "https://b.example/full?a=%2F"))
        let requests: [Request<String>] = [
            .get(url: url, query: ["q": 1]), .head(url: url, query: ["q": 1]), .options(url: url, query: ["q": 1]),
            .post(url: url, query: ["q": 1]), .put(url: url, query: ["q": 1]), .patch(url: url, query: ["q": 1]),
            .delete(url: url, query: ["q": 1]), .init(method: .get, url: url, query: ["q": 1]),
        ]
        let void = Request<Void>.post(url: url, query: ["q": 1])
        for request in requests { #expect(try request.httpRequest().url.absoluteString == "https://b.example/full?a=%2F&q=1") }
        #expect(try void.httpRequest().url.absoluteString == "https://b.example/full?a=%2F&q=1")
    }
}
