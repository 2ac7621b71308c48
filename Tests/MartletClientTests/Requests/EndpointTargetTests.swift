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
