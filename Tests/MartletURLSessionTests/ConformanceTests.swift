import Foundation
import MartletTesting
import MartletURLSession
import Testing

@testable import MartletConformance

/// On Linux URLSession deviates from some cases. Each deviation is asserted, so that an improvement is noticed.
@Suite("URLSessionTransport: conformance", .serialized, .timeLimit(.minutes(5)))
struct ConformanceTests {
    #if canImport(FoundationNetworking)
    private static let lacking: Set<TransportConformance.Capability> = [
        .backpressure, .streamedUploads, .trailers, .requestTrailers, .duplex, .isolation,
    ]
    /// Cases that end the process: see `EndingTests`.
    private static let fatal: Set<String> = ["answers.trailers", "failures.cut-head"]
    /// Cases that FoundationNetworking cannot pass, because of behaviour that Martlet cannot change (decision 33): nested codings and
    /// trailers hang until the time limit, and a head of many fields costs 20 seconds of CPU, because all fields read so far are copied for
    /// each line.
    /// Whether unsolicited bytes become a response depends on the version of libcurl.
    private static let outOfReach: Set<String> = [
        "neighbours.codings", "neighbours.trailers", "neighbours.fields", "connections.unsolicited",
    ]

    private static let cutOff = [
        "half of it: expected .invalidResponse, saw 200", "all but a byte of it: expected .invalidResponse, saw 200",
    ]

    private static let deviations: [String: [String]] = [
        "requests.fields": [#"expected ["a, b", "c"], saw ["a, b,c"]"#],
        "requests.methods": ["get: expected 200, saw the error “Invalid request: URLSession sends GET", "the methods: expected"],
        "requests.get-body": [
            "saw the error “Invalid request: URLSession sends no body with a GET", "the method: expected", "the body: expected",
        ],
        "requests.path": ["saw the error “Invalid request: URLSession resolves the dots in the path", "the targets: expected"],
        "fields.duplicates": ["X-A: expected"], "fields.set-cookie": ["Set-Cookie: expected"],
        "fields.challenges": ["WWW-Authenticate: expected"],
        "restraint.no-location": ["the body: expected “choose”, saw “”"],
        "fields.no-space": ["saw the error “Invalid response: Failed writing header”"],
        "fields.no-reason": ["saw the error “Invalid response: Failed writing header”"],
        "fields.latin-1": ["saw the error “Invalid response: Failed writing header”"],
        // Its libcurl tolerates these, and does not tell.
        "answers.framing": ["Transfer-Encoding:⏎ chunked: expected .invalidResponse, saw 200 with 12 bytes"],
        "answers.status-line": ["http/1.1 200 OK: expected .invalidResponse, saw 200 with 2 bytes"],
        "codings.gzip": cutOff, "codings.deflate": cutOff,
        "codings.raw-deflate": cutOff, "codings.zstd": cutOff,
        "codings.brotli": cutOff + ["garbled: expected .invalidResponse, saw 200 with 0 bytes"],
        "codings.unknown": ["Unrecognized content encoding type", "Content-Encoding: expected"],
        "codings.own": ["the body: expected 71 bytes", "Content-Encoding: expected"],
        "connections.ipv6": ["NSURLErrorDomain error -1000", "Host: expected"],
    ]
    #else
    private static let lacking: Set<TransportConformance.Capability> = [.requestTrailers, .duplex]
    private static let fatal: Set<String> = []
    private static let outOfReach: Set<String> = []
    private static let deviations: [String: [String]] = [:]
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
            URLSessionTransport(maxUnreadBytes: 1_000_000_000)
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
