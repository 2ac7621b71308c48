import Foundation
import Martlet
import MartletGraphQL
import Measuring
import Workloads

/// Martlet, over a transport with all defaults but the trusted certificate, and the number of engines if `BENCHMARK_ENGINES` is set.
struct MartletContender: Contender {
    let client: HTTPClient
    private let graphQL: GraphQLClient
    private static let uploaded = Data(count: 1 << 20)

    static var transport: PlatformTransport { PlatformTransport(configuration) }

    static var configuration: TransportConfiguration {
        var configuration = TransportConfiguration()
        if let engines = ProcessInfo.processInfo.environment["BENCHMARK_ENGINES"].flatMap({ Int($0) }) { configuration.engines = engines }
        if let path = ProcessInfo.processInfo.environment["BENCHMARK_CA"] { configuration.tls.trust = .file(path) }
        return configuration
    }

    let executor: (any TaskExecutor)?
    /// Whether the data reads itself from JSON instead of being decoded.
    private let readsItself: Bool

    init(client: HTTPClient, executor: (any TaskExecutor)? = nil, readsItself: Bool = false) {
        self.client = client
        self.executor = executor
        self.readsItself = readsItself
        graphQL = GraphQLClient(client, path: "graphql")
    }

    func spokenProtocol() async throws -> String { try await client.send(Request<String>.get("protocol")) }

    /// A call of bytes has its own asynchronous frame, so that the memory of waiting calls does not include frames for all other works.
    func call(_ work: Work) async throws -> CallResult {
        switch work {
        case .small, .large, .cached: try await bytes(work)
        default: try await other(work)
        }
    }

    @inline(never)
    private func bytes(_ work: Work) async throws -> CallResult {
        CallResult(bytes: try await client.send(Request<Data>.get(Path(raw: work.rawValue))).count)
    }

    @inline(never)
    private func other(_ work: Work) async throws -> CallResult {
        switch work {
        case .small, .large, .cached: throw Unsupported(work)
        case .json:
            if readsItself { return try CallResult(products: try await client.send(Request<[ReadProduct]>.get("json")).count) }
            return try CallResult(products: try await client.send(Request<[Product]>.get("json")).count)
        case .download:
            var bytes = 0
            let response = try await client.stream(Request<Data>.get("1g"))
            for try await chunk in response.body { bytes += chunk.count }
            return CallResult(bytes: bytes)
        case .upload:
            try await client.send(Request<EmptyResponse>.post("upload", body: .data(MartletContender.uploaded)))
            return CallResult()
        case .graphql:
            let id: GraphQLID = "1"
            let name =
                readsItself
                ? try await graphQL.execute(ReadBirdQuery(id: id)).bird?.name : try await graphQL.execute(BirdQuery(id: id)).bird?.name
            guard name == "Common swift" else { throw WrongResponse(name ?? "none") }
            return CallResult()
        case .events:
            var count = 0
            let events = client.events(Request<Data>.get("events"), options: EventOptions(reconnection: .never))
            for try await event in events where event.type == "sighting" { count += 1 }
            guard count == 200_000 else { throw WrongResponse("\(count) events") }
            return CallResult(count: count)
        }
    }
}
