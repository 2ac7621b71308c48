import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite("Endpoint: where a request goes", .timeLimit(.minutes(5)))
struct EndpointTargetTests {
    private let transport = MockTransport { _ in .data(Data()) }
    private var client: HTTPClient { HTTPClient(baseURL: URL(string: "https://client.example/v1"), transport: transport) }

    /// Sends the endpoint and returns the URL that the transport received.
    private func url(_ endpoint: some Endpoint) async throws -> String? {
        _ = try await client.response(for: endpoint)
        return transport.requests.last?.url.absoluteString
    }

    private enum Payments: Endpoint {
        case pay(Int)
        var baseURL: URL { URL(string: "https://payments.example/v2")! }
        var path: Path { "pay" }
        var method: HTTPMethod? { .post }
    }

    @Test("A base URL without a question mark is the endpoint's, also in an enum")
    func baseURL() async throws {
        #expect(try await url(Payments.pay(1)) == "https://payments.example/v2/pay")
        #expect(transport.requests.last?.method == .post)
        let any: any Endpoint = Payments.pay(1)
        #expect(any.baseURL?.host == "payments.example" && any.method == .post)
    }

    private struct Photo: Endpoint {
        let url: URL
        let path: Path = ""
    }

    @Test("A full URL without a question mark is the endpoint's")
    func fullURL() async throws {
        let url = try #require(URL(string: "https://images.example/a%2Fb.jpg"))
        #expect(try await self.url(Photo(url: url)) == "https://images.example/a%2Fb.jpg")
    }

    private struct Unset: Endpoint {
        let path: Path = "unset"
        let baseURL: URL? = nil
        let method: HTTPMethod? = nil
        let query: Query? = nil
    }

    @Test("A property that is nil is the default")
    func unset() async throws {
        #expect(try await url(Unset()) == "https://client.example/v1/unset")
        #expect(transport.requests.last?.method == .get)
    }

    private struct Typed: Endpoint {
        let path: Path = "s"
        let query: Query?
    }
    private struct Pairs: Endpoint {
        let path: Path = "s"
        let query: [String: String]
    }
    private struct OptionalPairs: Endpoint {
        let path: Path = "s"
        let query: [String: String]?
    }
    private struct Items: Endpoint {
        let path: Path = "s"
        let query: [URLQueryItem]
    }
    private struct OptionalItems: Endpoint {
        let path: Path = "s"
        let query: [URLQueryItem]?
    }

    @Test("A query can be a dictionary of strings or query items, with and without a question mark")
    func query() async throws {
        let base = "https://client.example/v1/s"
        #expect(try await url(Typed(query: ["q": 1])) == base + "?q=1")
        #expect(try await url(Pairs(query: ["b": "2 3", "a": "1+1"])) == base + "?a=1%2B1&b=2%203")
        #expect(try await url(OptionalPairs(query: ["a": "1"])) == base + "?a=1")
        #expect(try await url(OptionalPairs(query: nil)) == base)
        let items = [URLQueryItem(name: "b", value: "2"), URLQueryItem(name: "a", value: nil), URLQueryItem(name: "b", value: "1")]
        #expect(try await url(Items(query: items)) == base + "?b=2&a&b=1")
        #expect(try await url(OptionalItems(query: items)) == base + "?b=2&a&b=1")
        #expect(try await url(OptionalItems(query: nil)) == base)
    }
}

@Suite("Endpoint: header fields and body", .timeLimit(.minutes(5)))
struct EndpointContentTests {
    private let transport = MockTransport { _ in .data(Data()) }

    /// Sends the endpoint and returns the request that the transport received.
    private func request(_ endpoint: some Endpoint) async throws -> HTTPRequest {
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        _ = try await client.response(for: endpoint)
        return try #require(transport.requests.last)
    }

    private struct Fields: Endpoint {
        let path: Path = "x"
        let headers: HTTPFields?
    }
    private struct Pairs: Endpoint {
        let path: Path = "x"
        let headers: [String: String]
    }
    private struct OptionalPairs: Endpoint {
        let path: Path = "x"
        let headers: [String: String]?
    }

    @Test("Header fields can be a dictionary of strings, with and without a question mark")
    func headers() async throws {
        #expect(try await request(Fields(headers: ["X-A": "1"])).headers["X-A"] == "1")
        #expect(try await request(Pairs(headers: ["X-A": "1", "accept": "text/csv"])).headers.values(for: "Accept") == ["text/csv"])
        #expect(try await request(OptionalPairs(headers: ["X-A": "1"])).headers["X-A"] == "1")
        #expect(try await request(OptionalPairs(headers: nil)).headers["X-A"] == nil)
    }

    @Test("A name in a dictionary that would break its line is refused")
    func injection() async throws {
        await #expect(throws: HTTPError.self) { try await request(Pairs(headers: ["X-A": "1\r\nX-B: 2"])) }
        #expect(transport.requests.isEmpty)
    }

    private struct Create: Endpoint {
        let path: Path = "x"
        let method = HTTPMethod.post
        var body: RequestBody { .json(["name": "Wren"]) }
    }

    @Test("A body without a question mark is sent")
    func body() async throws {
        let sent = try await request(Create())
        #expect(sent.method == .post && sent.body?.buffered == Data(#"{"name":"Wren"}"#.utf8))
        #expect(sent.headers[.contentType] == "application/json")
    }

    /// Forwards the parts of another endpoint.
    private struct Wrapper<Base: Endpoint>: Endpoint {
        let base: Base
        var path: Path { base.path }
        var method: HTTPMethod { base.method }
        var headers: HTTPFields {
            var headers = base.headers
            headers["X-Wrapped"] = "yes"
            return headers
        }
        var body: RequestBody? { base.body }
    }

    @Test("A generic wrapper reads the values of an endpoint that declares other types")
    func wrapper() async throws {
        let sent = try await request(Wrapper(base: Wrapper(base: Pairs(headers: ["X-A": "1"]))))
        #expect(sent.headers["X-A"] == "1" && sent.headers["X-Wrapped"] == "yes")
        #expect(try await request(Wrapper(base: Create())).body?.buffered == Data(#"{"name":"Wren"}"#.utf8))
        #expect(try await request(Wrapper(base: Request<Data>.get("x", headers: ["X-A": "2"]))).headers["X-A"] == "2")
    }
}

/// A protocol of an app for all its endpoints, with a default of the right type and one of a type that is converted.
private protocol House: Endpoint {}
extension House {
    var headers: HTTPFields { ["X-House": "1"] }
    var body: RequestBody { .text("house") }
}

@Suite("Endpoint: defaults of an app's protocol", .timeLimit(.minutes(5)))
struct EndpointHouseTests {
    private struct Inherits: House { let path: Path = "x" }
    private struct Overrides: House {
        let path: Path = "x"
        let headers: HTTPFields = ["X-House": "2"]
        let body: RequestBody? = nil
    }

    @Test("The default of an app's protocol counts, also with a type that is converted, and an endpoint's own property before it")
    func house() {
        let inherits: any Endpoint = Inherits(), overrides: any Endpoint = Overrides()
        #expect(inherits.headers["X-House"] == "1" && inherits.body?.length == 5)
        #expect(overrides.headers["X-House"] == "2" && overrides.body == nil)
    }
}

@Suite("Endpoint: rules and name", .timeLimit(.minutes(5)))
struct EndpointRulesTests {
    private struct GetNews: Endpoint {
        let path: Path = "news"
        let timeout: Duration = .seconds(7)
        let validation: StatusValidation? = [404]
        let options: CallOptions? = CallOptions(tags: ["a"])
        let endpointName: String? = "news of the day"
    }

    @Test("A timeout without a question mark, and a validation, options and a name with one, are the endpoint's")
    func declared() async throws {
        let transport = MockTransport { _ in .status(404) }, time = ManualTime(autoAdvances: false)
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport, time: time)
        let response = try await client.response(for: GetNews())
        let context = try #require(transport.requests.first).context
        #expect(response.status == .notFound && context.tags == ["a"] && context.endpointName == "news of the day")
        #expect(context.deadline.map { time.instant.duration(to: $0) } == .seconds(7))
    }

    private enum Unset: Endpoint {
        case news(Int)
        var path: Path { "news" }
        var validation: StatusValidation? { nil }
        var options: CallOptions? { nil }
        var endpointName: String? { nil }
    }

    @Test("A property that is nil is the default")
    func unset() {
        let endpoint: any Endpoint = Unset.news(1)
        #expect(endpoint.validation == .clientDefault && endpoint.options.tags.isEmpty && endpoint.endpointName == "Unset.news")
    }
}
