import Foundation
import Martlet
import MartletGraphQL

/// Integration/servers/graphql_server.py, as one test sees it: what it counts is counted for a session of the test's own.
struct Strawberry: Sendable {
    let session = UUID().uuidString
    let http: HTTPClient

    init(interceptors: [any Interceptor] = []) throws {
        http = HTTPClient(baseURL: try Servers.url("STRAWBERRY", scheme: "http"), interceptors: interceptors)
    }

    /// A client of one of the server's endpoints: `graphql`, `beating`, `typed`.
    func client(_ path: Path = "graphql", _ configure: (inout GraphQLClient.Configuration) -> Void = { _ in }) -> GraphQLClient {
        var configuration = GraphQLClient.Configuration(headers: ["X-Session": session])
        configure(&configuration)
        return GraphQLClient(http, path: path, configuration: configuration)
    }

    /// What the server has counted of a session.
    struct Served: Decodable, Sendable, Equatable {
        let requests: Int
        /// How many operations came with their text.
        let documents: Int
        /// The hashes of documents that it was told, one for each operation that had one.
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
