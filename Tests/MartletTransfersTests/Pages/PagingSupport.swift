import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

struct UserPage: Codable, Sendable, Equatable {
    var users: [String]
    var nextCursor: String?
    var next: String?
    var number: Int?
}

extension Request where Response == UserPage {
    static var users: Self { .get("users", query: ["limit": 2]) }
}

extension Request where Response == [String] {
    static var repos: Self { .get("repos") }
}

struct ListUsers: Endpoint {
    typealias Response = UserPage
    var path: Path { "users" }
}

enum OpenAPI: Endpoint {
    case users
    var path: Path { "users" }
}

/// Returns a client whose transport responds to each URL with the reply of `answer`.
func pagingClient(
    interceptors: [any Interceptor] = [], configuration: HTTPClient.Configuration = .init(),
    _ answer: @escaping @Sendable (HTTPRequest) async throws -> MockReply
) -> (client: HTTPClient, transport: MockTransport) {
    let transport = MockTransport(answer)
    let client = HTTPClient(
        baseURL: URL(string: "https://api.example/v1"), transport: transport, interceptors: interceptors, configuration: configuration)
    return (client, transport)
}

extension HTTPRequest {
    /// Returns the value of a query item.
    func item(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.last { $0.name == name }?.value
    }
}

extension MockTransport {
    /// The last path component and the query of each requested URL.
    var targets: [String] { requests.map { $0.url.lastPathComponent + ($0.url.query().map { "?" + $0 } ?? "") } }
}
