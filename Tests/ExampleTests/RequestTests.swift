import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests the requests that the app sends. Only the transport is a mock.
@Suite("Example: requests, tested with MockTransport", .timeLimit(.minutes(5)))
struct RequestTests {
    @Test("Adding a bird sends its name as JSON")
    func add() async throws {
        let transport = MockTransport()
        transport.on(.post("birds"), .json(#"{"id":3,"name":"Swift"}"#, status: 201))
        let client = HTTPClient(baseURL: URL(string: "https://api.example/v1"), transport: transport)

        let bird = try await BirdRepository(http: client).add("Swift")

        #expect(bird == Bird(id: 3, name: "Swift"))
        let expected = RequestMatcher.post("/v1/birds").header(.contentType, "application/json").json(["name": "Swift"])
        #expect(transport.requests.first.differences(from: expected) == [])
        // The request as text, which can be kept in a golden file.
        #expect(
            transport.requests.first?.snapshot.description == """
                POST https://api.example/v1/birds
                accept: application/json
                content-type: application/json
                user-agent: Martlet

                {
                  "name": "Swift"
                }
                """)
    }
}
