import Foundation
import Martlet
import MartletGraphQL
import MartletWire
import Measuring
import Workloads

/// A fixed amount of work of the client, as an app would ask for it.
enum Workload: String, CaseIterable {
    /// A GET of 1 KiB without interceptors.
    case bare
    /// A GET of 1 KiB with authentication and the standard interceptors.
    case standard
    /// A GET of 100 KiB without interceptors.
    case large
    /// A GET of 6.9 KB of JSON, decoded by MartletJSON.
    case json
    /// A GET of 6.9 KB of JSON, read by a type that is `JSONReadable`.
    case read
    /// A GET of 1 KiB that a cache in memory responds to.
    case cache
    /// A GraphQL query with one variable.
    case graphql
    /// A GraphQL query with one variable, whose data is `JSONReadable`.
    case operation
    /// A GET of 1 KiB over HTTP/2 and TLS, without interceptors, from a server whose authority `MARTLET_AUTHORITY` names.
    case http2
    /// As `bare`, over `WireTransport`.
    case wire
    /// As `standard`, over `WireTransport`.
    case wireStandard
    /// As `large`, over `WireTransport`.
    case wireLarge
    /// One event of a stream of server-sent events.
    case event
    /// One message of a GraphQL subscription over server-sent events.
    case message

    struct WrongResponse: Error { let workload: Workload }

    /// - Parameter engines: the engines of the transport of `bare` and `large`; nil for the shared transport.
    func run(count: Int, server: URL, engines: Int? = nil) async throws {
        let client = client(server, engines)
        switch self {
        case .bare, .standard, .http2, .wire, .wireStandard: try await repeated(count) { try await client.send(Request<Data>.get("1k")).count == 1_024 }
        case .large, .wireLarge: try await repeated(count) { try await client.send(Request<Data>.get("100k")).count == 102_400 }
        case .json: try await repeated(count) { try await client.send(Request<[Product]>.get("json")).count == 75 }
        case .read: try await repeated(count) { try await client.send(Request<[ReadProduct]>.get("json")).count == 75 }
        case .cache:
            // The first call stores the response.
            _ = try await client.send(Request<Data>.get("cached"))
            try await repeated(count) {
                let response = try await client.response(for: Request<Data>.get("cached"))
                return response.metadata.cacheStatus?.isHit == true && response.body.count == 1_024
            }
        case .graphql:
            let graphQL = GraphQLClient(client, path: "graphql")
            try await repeated(count) { try await graphQL.execute(BirdQuery(id: "1")).bird?.name == "Common swift" }
        case .operation:
            let graphQL = GraphQLClient(client, path: "graphql")
            try await repeated(count) { try await graphQL.execute(ReadBirdQuery(id: "1")).bird?.name == "Common swift" }
        case .event:
            var received = 0
            let request = Request<Data>.get("events", query: ["count": "\(count)"])
            let options = EventOptions(reconnection: .never)
            for try await event in client.events(request, options: options) where event.type == "sighting" { received += 1 }
            guard received == count else { throw WrongResponse(workload: self) }
        case .message:
            var received = 0
            let graphQL = GraphQLClient(client, path: "subscription/\(count)")
            for try await message in graphQL.subscribe(SightingSubscription()) where message.data?.bird == "Common swift" { received += 1 }
            guard received == count else { throw WrongResponse(workload: self) }
        }
    }

    private func client(_ server: URL, _ engines: Int?) -> HTTPClient {
        if let engines, self == .bare || self == .large {
            var configuration = TransportConfiguration()
            configuration.engines = engines
            return HTTPClient(baseURL: server, transport: PlatformTransport(configuration))
        }
        if self == .http2 {
            var configuration = TransportConfiguration()
            if let authority = ProcessInfo.processInfo.environment["MARTLET_AUTHORITY"] { configuration.tls.trust = .file(authority) }
            return HTTPClient(baseURL: server, transport: PlatformTransport(configuration))
        }
        return switch self {
        case .standard: .standard(server)
        case .wire, .wireLarge: HTTPClient(baseURL: server, transport: WireTransport())
        case .wireStandard: .standard(server, transport: WireTransport())
        case .cache: HTTPClient(baseURL: server, interceptors: [CacheInterceptor(store: MemoryCacheStore())])
        default: HTTPClient(baseURL: server)
        }
    }

    /// Makes `count` calls, `inFlight` at a time.
    private func repeated(_ count: Int, _ call: @escaping @Sendable () async throws -> Bool) async throws {
        let inFlight = 64
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
                group.addTask { for _ in 0..<share { guard try await call() else { throw WrongResponse(workload: self) } } }
            }
            try await group.waitForAll()
        }
    }
}
