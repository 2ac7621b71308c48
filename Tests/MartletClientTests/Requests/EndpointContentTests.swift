import Foundation
import MartletClient
import MartletTesting
import Testing

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
