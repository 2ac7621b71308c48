import MartletEssentials
import MartletGraphQL
import MartletTesting

/// Shared requests and responses for tests.
enum Wire {
    struct HeroData: Codable, Sendable, Equatable {
        struct Hero: Codable, Sendable, Equatable { var name: String }
        var hero: Hero?
    }

    struct Renamed: Codable, Sendable, Equatable { var rename: String? }

    static let heroText = "query Hero($id: ID!) { hero(id: $id) { name } }"
    static let hero = GraphQLOperation<HeroData>("query Hero($id: ID!) { hero(id: $id) { name } }", variables: ["id": "1"])
    static let rename = GraphQLOperation<Renamed>("mutation Rename { rename(name: \"Swift\") }")
    static let swift = #"{"data":{"hero":{"name":"Swift"}}}"#
    static let refused = #"{"data":null,"errors":[{"message":"no feather","extensions":{"code":"UNAUTHENTICATED"}}]}"#

    static func http(
        _ transport: MockTransport, _ interceptors: [any Interceptor] = [], totalTimeout: Duration? = .seconds(60),
        time: any TimeSource = .system
    ) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.totalTimeout = totalTimeout
        return HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: transport, interceptors: interceptors, configuration: configuration,
            time: time)
    }

    static func client(
        _ transport: MockTransport, _ interceptors: [any Interceptor] = [], time: any TimeSource = .system,
        configuration: GraphQLClient.Configuration = .init(deduplicatesQueries: true)
    ) -> GraphQLClient {
        GraphQLClient(http(transport, interceptors, time: time), configuration: configuration)
    }
}

extension HTTPRequest {
    /// The items of the query, not escaped any more.
    var items: [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    }
}
