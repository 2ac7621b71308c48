import Foundation
import MartletClient
import MartletTesting
import Testing

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
