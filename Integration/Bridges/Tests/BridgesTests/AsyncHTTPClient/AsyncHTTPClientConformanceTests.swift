#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import MartletConformance
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

    /// Trailers are dropped. Decoding is beside the event loops; parsing is on them, and in a debug build NIO takes turns longer than 100 ms.
    private static func lacking(in aCase: TransportConformance.Case) -> Set<TransportConformance.Capability> {
        let isParsed = ["neighbours.interims", "neighbours.fields", "neighbours.chunks", "neighbours.trailers"].contains(aCase.id)
        return isParsed ? [.trailers, .requestTrailers, .isolation] : [.trailers, .requestTrailers]
    }

    /// The codings whose libraries are missing here: they are not requested.
    private static var missing: Set<TransportConformance.Capability> {
        get throws {
            let request = try OutgoingRequest(HTTPRequest(url: #require(URL(string: "http://a.example/"))))
            let asked = request.headers["Accept-Encoding"].joined(separator: ",")
            let names: [TransportConformance.Capability: String] = [.gzip: "gzip", .deflate: "deflate", .brotli: "br", .zstd: "zstd"]
            return Set(names.filter { !asked.contains($0.value) }.keys)
        }
    }

    static func options(lacking: Set<TransportConformance.Capability>) throws -> TransportConformance.Options {
        TransportConformance.Options(
            timeLimit: .seconds(120),
            capabilities: Set(TransportConformance.Capability.allCases).subtracting(lacking).subtracting(
                try missing),
            connectionsPerOrigin: TransportConfiguration().maxConnectionsPerOrigin)
    }

    /// Runs a case, in one of which bytes may be missing.
    static func check(
        _ aCase: TransportConformance.Case, lacking: Set<TransportConformance.Capability>? = nil,
        _ make: @escaping @Sendable () -> AsyncHTTPClientTransport
    ) async throws {
        let options = try options(lacking: lacking ?? Self.lacking(in: aCase))
        guard aCase.id == "truncation.large" else { return try await aCase.check(expecting: deviations, options: options, make) }
        // async-http-client drops bytes that wait for a slow reader when a connection is lost.
        try await withKnownIssue(isIntermittent: true) {
            try await aCase.check(options: options, make)
        } matching: {
            $0.error.map { "\($0)".contains("streamed, the bytes before") } ?? false
        }
    }

    @Test("AsyncHTTPClientTransport fulfils the contract of a transport", arguments: TransportConformance.cases)
    func conforms(_ aCase: TransportConformance.Case) async throws {
        try await Self.check(aCase) { AsyncHTTPClientTransport(eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup) }
    }

    @Test("So it does with the settings of a client of the app", arguments: TransportConformance.cases)
    func conformsWithSettings(_ aCase: TransportConformance.Case) async throws {
        var configuration = AsyncHTTPClient::HTTPClient.Configuration(decompression: .enabled(limit: .none))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = TransportConfiguration().maxConnectionsPerOrigin
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = AsyncHTTPClient::HTTPClient(configuration: configuration)
        let transport = AsyncHTTPClientTransport(client)
        try await client.shutdown()
        try await Self.check(aCase) { transport }
    }
}
#endif
