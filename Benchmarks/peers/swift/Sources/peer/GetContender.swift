import Foundation
import Get
import Measuring

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Get with its defaults, but as many connections as Martlet's. It works over URLSession.
struct GetContender: Contender {
    private let client: APIClient
    private static let uploaded = Data(count: 1 << 20)

    init(origin: URL) {
        client = APIClient(baseURL: origin) { configuration in
            configuration.sessionConfiguration.httpMaximumConnectionsPerHost = maxConnections
            configuration.sessionConfiguration.urlCache = nil
            configuration.sessionConfiguration.timeoutIntervalForRequest = 120
        }
    }

    func spokenProtocol() async throws -> String { String(decoding: try await data(Request(path: "/protocol")), as: UTF8.self) }

    func call(_ work: Work) async throws -> CallResult {
        switch work {
        case .small, .large, .cached: return CallResult(bytes: try await data(Request(path: "/\(work.rawValue)")).count)
        case .json: return try CallResult(products: try await client.send(Request<[Product]>(path: "/json")).value.count)
        case .upload:
            try await client.upload(for: Request(path: "/upload", method: .post), from: GetContender.uploaded)
            return CallResult()
        case .graphql:
            return try Birds.check(try await data(Request(path: "/graphql", method: .post, body: Birds.query)))
        case .download, .events: throw Unsupported(work)
        }
    }

    private func data(_ request: Request<Data>) async throws -> Data { try await client.send(request).value }
}
