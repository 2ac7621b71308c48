import AsyncHTTPClient
import Foundation
import Measuring
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL

/// AsyncHTTPClient with its defaults, but as many connections as Martlet's and the trusted certificate. It accepts no codings unless asked
/// to decompress, as Martlet does.
struct AsyncHTTPClientContender: Contender {
    private let origin: String
    private let client: HTTPClient
    private static let uploaded = ByteBuffer(repeating: 0, count: 1 << 20)
    private static let query = ByteBuffer(data: Birds.body)

    init(origin: URL) throws {
        self.origin = origin.absoluteString
        var configuration = HTTPClient.Configuration(decompression: .enabled(limit: .none))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = maxConnections
        let environment = ProcessInfo.processInfo.environment
        if environment["BENCHMARK_PROTOCOL"] == "HTTP/1.1" { configuration.httpVersion = .http1Only }
        if let path = environment["BENCHMARK_CA"], origin.scheme == "https" {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(path)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func spokenProtocol() async throws -> String { String(buffer: try await body("protocol")) }

    func call(_ work: Work) async throws -> CallResult {
        switch work {
        case .small, .large, .cached: return CallResult(bytes: try await body(work.rawValue).readableBytes)
        case .json:
            return try CallResult(products: try JSONDecoder().decode([Product].self, from: try await body("json")).count)
        case .download:
            var bytes = 0
            for try await chunk in try await response("1g").body { bytes += chunk.readableBytes }
            return CallResult(bytes: bytes)
        case .upload:
            _ = try await body("upload", posting: AsyncHTTPClientContender.uploaded, type: "application/octet-stream")
            return CallResult()
        case .graphql:
            let data = try await body("graphql", posting: AsyncHTTPClientContender.query, type: "application/json")
            return try Birds.check(Data(buffer: data))
        case .events: throw Unsupported(work)
        }
    }

    private func body(_ path: String, posting: ByteBuffer? = nil, type: String? = nil) async throws -> ByteBuffer {
        try await response(path, posting: posting, type: type).body.collect(upTo: 64 << 20)
    }

    private func response(_ path: String, posting: ByteBuffer? = nil, type: String? = nil) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: "\(origin)/\(path)")
        if let posting {
            request.method = .POST
            request.body = .bytes(posting)
            if let type { request.headers.add(name: "Content-Type", value: type) }
        }
        let response = try await client.execute(request, timeout: .seconds(120))
        try WrongResponse.check(status: Int(response.status.code))
        return response
    }
}
