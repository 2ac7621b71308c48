import Foundation
import Martlet
import MartletInspector
import MartletTesting

/// A call with a rejected token, a busy server, a redirect, a validated response and a value that can't be decoded, seen by every observer.
struct DifficultCall {
    let error: HTTPError
    let log = Recorder<String>()
    let metrics = PrometheusMetrics()
    let spans = Recorder<FinishedSpan>()
    let har = HARObserver()
    let inspector: Inspector

    init() async throws {
        inspector = try await Inspector.start()
        let time = ManualTime()
        let tokens = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("0ld-s3cret", refreshToken: "r-s3cret"))) { _ in
            time.advance(by: .milliseconds(30))
            return AccessToken("n3w-s3cret")
        }
        let tracing = TracingObserver(SpanTracer { [spans] in spans.append($0) }, detail: .basic)
        let validated: HTTPFields = [.eTag: "\"1\"", .cacheControl: "no-cache"]
        let transport = MockTransport(
            .json(#"["swift"]"#, headers: validated), .status(401), .status(503, headers: [.retryAfter: "2"]),
            .status(302, headers: [.location: "/birds/2"]), .status(304, headers: validated))
        let interceptors: [any Interceptor] = [
            tracing.interceptor(), AuthInterceptor(tokens), CacheInterceptor(store: MemoryCacheStore(), time: time), RetryInterceptor(),
        ]
        func client(_ observers: [any CallObserver]) -> HTTPClient {
            HTTPClient(
                baseURL: URL(string: "https://birds.example/"), transport: transport, interceptors: interceptors, observers: observers,
                time: time)
        }
        // The response that the cache validates later.
        _ = try await client([]).send(Request<[String]>.get("birds/2").header(.authorization, "Bearer n3w-s3cret"))
        let log = log
        let logging = LoggingObserver(detail: .basic, maxDetailInRelease: .basic) { log.append($0.message) }
        let observed = client([logging, MetricsObserver(metrics), tracing, har, inspector])
        switch await observed.result(of: Request<[Int]>.get("birds/\(1)").named("GetBird")) {
        case .success: throw Unexpected()
        case .failure(let error): self.error = error
        }
    }

    private struct Unexpected: Error {}
}

/// What a source says about a call, without its own form.
struct Story: Equatable {
    var statuses: [Int]
    /// The seconds from the start of the call to the start of each attempt.
    var moments: [Double]
    var waits: [Double]
    var renewals: [Double]
    var targets: [String]
    var verdicts: [String]
    var failure: String
    var duration: Double
}
