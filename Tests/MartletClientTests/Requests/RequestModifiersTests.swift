import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite("Request: modifiers and names", .timeLimit(.minutes(5)))
struct RequestModifiersTests {
    @Test("Modifiers can be chained and leave the original unchanged")
    func chaining() {
        let original = Request<Data>.get("news")
        let request = original.timeout(.seconds(5)).header("X-A", "0").header("X-A", "1").validating([404]).cachePolicy(.reload)
            .retryPolicy(.never).redirects(.none).tag("a").tag("b")
        #expect(request.timeout == .seconds(5) && request.headers.values(for: "X-A") == ["1"] && request.validation == [404])
        #expect(request.options.cachePolicy == .reload && request.options.retryPolicy?.maxAttempts == 1)
        #expect(request.options.tags == ["a", "b"] && request.options.redirects.maxRedirects == 0)
        #expect(original.timeout == nil && original.headers.isEmpty && original.options.tags.isEmpty)
    }

    private struct GetUser: Endpoint {
        let id: Int
        var path: Path { "users/\(id)" }
    }
    private enum API: Endpoint {
        case list, user(Int), rename(id: Int, to: String)
        var path: Path { "x" }
    }
    private struct Named: Endpoint {
        var path: Path { "x" }
        var endpointName: String { "news of the day" }
    }

    @Test("A name is the endpoint's type, an enum's type and case, or a request's method and template, and can be replaced")
    func names() {
        #expect(GetUser(id: 1).endpointName == "GetUser")
        #expect(
            [API.list.endpointName, API.user(7).endpointName, API.rename(id: 1, to: "b").endpointName] == [
                "API.list", "API.user", "API.rename",
            ])
        #expect(Named().endpointName == "news of the day")
        #expect(Request<Data>.get("users/\(7)/posts").endpointName == "GET users/{}/posts")
        #expect(Request<Data>.get(url: URL(string: "https://a.example/secret")!).endpointName == "GET")
        #expect(Request<Data>.get("x").named("avatar").map { $0.count }.endpointName == "avatar")
    }

    private enum Described: Endpoint, CustomStringConvertible {
        case token(String)
        var path: Path { "x" }
        var description: String { "S3CRET" }
    }

    @Test("A name contains no values of the endpoint, regardless of its properties and its description")
    func noValues() {
        struct CreateUser: Endpoint {
            let name: String
            var path: Path { "users" }
        }
        #expect(CreateUser(name: "Ada").endpointName == "CreateUser")
        #expect(Described.token("S3CRET").endpointName == "Described")
    }

    @Test("The name is computed only when an interceptor reads it")
    func lazily() async throws {
        struct Counting: Endpoint {
            let count: Recorder<Int>
            var path: Path { "x" }
            var endpointName: String {
                count.append(1)
                return "counted"
            }
        }
        let count = Recorder<Int>(), transport = MockTransport { _ in .data(Data()) }
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        try await client.send(Counting(count: count))
        #expect(count.values.isEmpty)
        #expect(transport.requests.first?.context.endpointName == "counted" && count.values.count == 1)
    }
}
