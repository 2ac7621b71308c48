import Foundation
import MartletTesting
import MartletURLSession
import Testing

@testable import MartletConformance

/// On Linux URLSession deviates from some cases. Each deviation is asserted, so that an improvement is noticed.
@Suite("URLSessionTransport: conformance", .serialized, .timeLimit(.minutes(5)))
struct ConformanceTests {
    private typealias Deviation = TransportConformance.Deviation

    #if canImport(FoundationNetworking)
    private static let lacking: Set<TransportConformance.Capability> = [.backpressure, .streamedUploads, .trailers, .isolation]
    /// Cases that end the process: see `EndingTests`.
    private static let fatal: Set<String> = ["answers.trailers", "failures.cut-head"]
    /// Cases that FoundationNetworking cannot pass, because of behaviour that Martlet cannot change (decision 33): nested codings and
    /// trailers hang until the time limit, and a head of many fields costs 20 seconds of CPU, because all fields read so far are copied for
    /// each line.
    private static let outOfReach: Set<String> = ["neighbours.codings", "neighbours.trailers", "neighbours.fields"]

    private static let cutOff = [
        "half of it: expected .invalidResponse, saw 200", "all but a byte of it: expected .invalidResponse, saw 200",
    ]

    private static let deviations: [Deviation] = [
        .deviation("requests.fields", observed: #"expected ["a, b", "c"], saw ["a, b,c"]"#),
        .deviation(
            "requests.methods", observed: "get: expected 200, saw the error “Invalid request: URLSession sends GET", "the methods: expected"
        ),
        .deviation(
            "requests.get-body", observed: "saw the error “Invalid request: URLSession sends no body with a GET", "the method: expected",
            "the body: expected"),
        .deviation(
            "requests.path", observed: "saw the error “Invalid request: URLSession resolves the dots in the path", "the targets: expected"),
        .deviation("fields.duplicates", observed: "X-A: expected"), .deviation("fields.set-cookie", observed: "Set-Cookie: expected"),
        .deviation("fields.challenges", observed: "WWW-Authenticate: expected"),
        .deviation("restraint.no-location", observed: "the body: expected “choose”, saw “”"),
        .deviation("fields.no-space", observed: "saw the error “Invalid response: Failed writing header”"),
        .deviation("fields.no-reason", observed: "saw the error “Invalid response: Failed writing header”"),
        .deviation("fields.latin-1", observed: "saw the error “Invalid response: Failed writing header”"),
        // Its libcurl tolerates these, and does not tell.
        .deviation("answers.framing", observed: "Transfer-Encoding:⏎ chunked: expected .invalidResponse, saw 200 with 12 bytes"),
        .deviation("answers.status-line", observed: "http/1.1 200 OK: expected .invalidResponse, saw 200 with 2 bytes"),
        .deviation("codings.gzip", observed: cutOff), .deviation("codings.deflate", observed: cutOff),
        .deviation("codings.raw-deflate", observed: cutOff), .deviation("codings.zstd", observed: cutOff),
        .deviation("codings.brotli", observed: cutOff + ["garbled: expected .invalidResponse, saw 200 with 0 bytes"]),
        .deviation("codings.unknown", observed: "Unrecognized content encoding type", "Content-Encoding: expected"),
        .deviation("codings.own", observed: "the body: expected 71 bytes", "Content-Encoding: expected"),
        .deviation("connections.ipv6", observed: "NSURLErrorDomain error -1000", "Host: expected"),
    ]
    #else
    private static let lacking: Set<TransportConformance.Capability> = []
    private static let fatal: Set<String> = []
    private static let outOfReach: Set<String> = []
    private static let deviations: [Deviation] = []
    #endif

    @Test(
        "URLSessionTransport fulfils the contract of a transport",
        arguments: TransportConformance.cases.filter { !fatal.union(outOfReach).contains($0.id) })
    func conforms(_ aCase: TransportConformance.Case) async throws {
        let options = TransportConformance.Options(
            timeLimit: .seconds(120), capabilities: Set(TransportConformance.Capability.allCases).subtracting(Self.lacking),
            stressCalls: 500)
        try await aCase.check(expecting: Self.deviations, options: options) {
            // On Linux unread bytes are kept in memory, and the case sends 160 MB.
            URLSessionTransport(buffers: .init(unread: 1_000_000_000))
        }
    }
}

#if canImport(FoundationNetworking)
@Suite("URLSessionTransport: cases that end the process on Linux", .serialized, .timeLimit(.minutes(5)))
struct EndingTests {
    @Test("A chunked response with trailers ends the process (corelibs #5285)")
    func trailers() async {
        await #expect(processExitsWith: .failure) { try await EndingTests.run("answers.trailers") }
    }

    @Test("A truncated head ends the process")
    func cutHead() async {
        await #expect(processExitsWith: .failure) { try await EndingTests.run("failures.cut-head") }
    }

    /// Exits successfully if the case ends, whatever its result.
    private static func run(_ id: String) async throws {
        let found = TransportConformance.cases.first { $0.id == id }
        try? await found?.check(options: .init(timeLimit: .seconds(20))) { URLSessionTransport() }
        exit(EXIT_SUCCESS)
    }
}
#endif
