import Foundation
import Martlet
import MartletGraphQL
import MartletSystem
import MartletTesting

struct HeroData: Codable, Sendable, Equatable {
    struct Hero: Codable, Sendable, Equatable { let name: String }
    let hero: Hero?
}

struct HeroQuery: GraphQLQuery {
    typealias Data = HeroData
    static let document: GraphQLDocument = "query Hero($id: ID!, $episode: Episode) { hero(id: $id, episode: $episode) { name } }"
    let id: String
    var episode: String?
}

/// Returns a client whose server responds with `handler`, and the transport that records the requests.
func graphQL(
    configuration: GraphQLClient.Configuration = .init(), interceptors: [any Interceptor] = [],
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> MockReply
) -> (client: GraphQLClient, transport: MockTransport) {
    let transport = MockTransport { try await handler($0) }
    let http = HTTPClient(baseURL: URL(string: "https://api.example/"), transport: transport, interceptors: interceptors)
    return (GraphQLClient(http, configuration: configuration), transport)
}

/// Blocks callers of `pass()` until `open()` is called.
final class Gate: Sendable {
    private let signal = OneShot<Void>()
    private let opening = Locked<Task<Void, Never>?>(nil)

    func open() { signal.set(()) }

    func pass() async {
        let task = opening.withLock { task in
            let wait = task ?? Task { await signal.value() }
            task = wait
            return wait
        }
        await task.value
    }
}
