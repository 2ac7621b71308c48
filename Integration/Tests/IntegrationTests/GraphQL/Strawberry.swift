import Foundation
import Martlet
import MartletGraphQL

/// Access to Integration/servers/graphql_server.py for one test. The server counts requests per session, and each test has its own.
struct Strawberry: Sendable {
    let session = UUID().uuidString
    let http: HTTPClient

    init(interceptors: [any Interceptor] = []) throws {
        http = HTTPClient(baseURL: try Servers.url("STRAWBERRY", scheme: "http"), interceptors: interceptors)
    }

    /// Returns a client for one of the server's endpoints: `graphql`, `beating`, `typed`.
    func client(_ path: Path = "graphql", _ configure: (inout GraphQLClient.Configuration) -> Void = { _ in }) -> GraphQLClient {
        var configuration = GraphQLClient.Configuration(headers: ["X-Session": session])
        configure(&configuration)
        return GraphQLClient(http, path: path, configuration: configuration)
    }

    /// The server's counts of a session.
    struct Served: Decodable, Sendable, Equatable {
        let requests: Int
        /// The number of operations sent with their document.
        let documents: Int
        /// The document hashes received, one for each operation that had one.
        let hashes: [String]
        let openStreams: Int
    }

    private struct ServedData: Decodable, Sendable { let served: Served }

    func served() async throws -> Served {
        let operation = GraphQLOperation<ServedData>(
            "query Served($session: String!) { served(session: $session) { requests documents hashes openStreams } }",
            variables: ["session": .string(session)])
        return try await GraphQLClient(http).execute(operation).served
    }
}
