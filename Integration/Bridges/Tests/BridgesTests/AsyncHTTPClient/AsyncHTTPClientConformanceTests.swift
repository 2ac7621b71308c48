#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import MartletConformance
import MartletCurl
import MartletTesting
import Testing

@testable import MartletBridges

/// Each deviation is asserted, so that an improvement of async-http-client or NIO is noticed.
@Suite("AsyncHTTPClientTransport: conformance", .serialized, .timeLimit(.minutes(5)))
struct AsyncHTTPClientConformanceTests {
    static let deviations: [String: [String]] = [
        // NIO refuses what a proxy before it could read otherwise (RFC 9112 §6.1, §6.3).
        "answers.chunked-length": ["expected 200, saw the error “Invalid response: invalid character in content-length header”"],
        "answers.content-length": ["two equal lengths: expected 200, saw the error “Invalid response: unexpected content-length header”"],
        // NIO reads values as UTF-8.
        "fields.latin-1": ["the bytes: expected [[99, 97, 102, 233]], saw", "the text: expected “café”, saw “caf\u{FFFD}”"],
        // NIO's own limit, which async-http-client does not expose.
        "fields.large-head": [
            "saw the error “Response too large: its head exceeds the limit of 262144 bytes (the head exceeds a limit of NIO)”"
        ],
    ]

    /// The codings whose libraries are missing here: they are not requested.
    private static var missing: Set<TransportConformance.Capability> {
        get throws {
            let request = try OutgoingRequest(HTTPRequest(url: #require(URL(string: "http://a.example/"))))
            let asked = request.headers["Accept-Encoding"].joined(separator: ",")
            let names: [TransportConformance.Capability: String] = [.gzip: "gzip", .deflate: "deflate", .brotli: "br", .zstd: "zstd"]
            return Set(names.filter { !asked.contains($0.value) }.keys)
        }
    }

    private static func options(lacking: Set<TransportConformance.Capability>) throws -> TransportConformance.Options {
        TransportConformance.Options(
            timeLimit: .seconds(120),
            capabilities: Set(TransportConformance.Capability.allCases).subtracting(lacking).subtracting(
                try missing),
            connectionsPerOrigin: TransportConfiguration().maxConnectionsPerOrigin)
    }

    @Test("AsyncHTTPClientTransport fulfils the contract of a transport", arguments: TransportConformance.cases)
    func conforms(_ aCase: TransportConformance.Case) async throws {
        try await aCase.check(expecting: Self.deviations, options: Self.options(lacking: [.trailers, .isolation])) {
            AsyncHTTPClientTransport(eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup)
        }
    }

    /// A client that an app would share: its connections are used, and nothing is left over when it is shut down.
    @Test("So it does over a client of the app", arguments: TransportConformance.cases)
    func conformsOverGivenClient(_ aCase: TransportConformance.Case) async throws {
        var configuration = AsyncHTTPClient::HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = TransportConfiguration().maxConnectionsPerOrigin
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = AsyncHTTPClient::HTTPClient(configuration: configuration)
        await #expect(throws: Never.self) {
            try await aCase.check(expecting: Self.deviations, options: Self.options(lacking: [.trailers, .isolation])) {
                AsyncHTTPClientTransport(client)
            }
        }
        try await client.shutdown()
    }

    @Test("In one process, clients over libcurl and over async-http-client give equal results", arguments: TransportConformance.cases)
    func besideCurl(_ aCase: TransportConformance.Case) async throws {
        let here = try Self.options(lacking: [.trailers, .isolation]), there = try Self.options(lacking: [])
        let curl = CurlTransport()
        let bridge = AsyncHTTPClientTransport(eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup)
        try await aCase.check(options: there) { curl }
        try await aCase.check(expecting: Self.deviations, options: here) { bridge }
    }
}
#endif
