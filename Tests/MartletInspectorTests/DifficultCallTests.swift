import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletInspector

@Suite("A difficult call", .timeLimit(.minutes(5)))
struct DifficultCallTests {
    private let story = Story(
        statuses: [401, 503, 302, 304], moments: [0, 0.03, 2.03, 2.03], waits: [2], renewals: [0.03],
        targets: ["https://birds.example/birds/2"],
        verdicts: [
            "No response is stored for this URL.", "No response is stored for this URL.",
            "The server confirmed the stored response with 304.",
        ],
        failure: "decodingFailed", duration: 2.03)

    @Test("The error's trace tells it step by step")
    func trace() async throws {
        let call = try await DifficultCall()
        #expect(story == Story(call.error.trace, of: call.error))
        #expect(
            "\(call.error.trace)" == """
                0.0 ms: attempt 1, GET https://birds.example/birds/1: 401 Unauthorized after 0.0 ms
                0.0 ms: not retried: 401 Unauthorized is not a status to retry
                0.0 ms: cache: No response is stored for this URL.
                30 ms: the credential was renewed in 30 ms
                30 ms: attempt 2, GET https://birds.example/birds/1: 503 Service Unavailable after 0.0 ms
                30 ms: retried after 2.00 s: the server responded with 503 Service Unavailable, and asks for this wait
                2.03 s: attempt 3, GET https://birds.example/birds/1: 302 Found after 0.0 ms
                2.03 s: cache: No response is stored for this URL.
                2.03 s: 302 Found redirects to https://birds.example/birds/2
                2.03 s: attempt 4, GET https://birds.example/birds/2: 304 Not Modified after 0.0 ms
                2.03 s: cache: The server confirmed the stored response with 304.
                """)
        await call.inspector.stop()
    }

    @Test("The log has the same lines, between the request and the reason of the failure")
    func log() async throws {
        let call = try await DifficultCall()
        let entries = call.log.values
        #expect(entries.count == 2 && entries[0] == "#1 → GET https://birds.example/birds/1")
        let lines = entries[1].split(separator: "\n")
        #expect(lines[0].hasPrefix("#1 ✗ GET https://birds.example/birds/1 (2.03 s): Decoding Array<Int> failed at [0]"))
        #expect(lines.dropFirst().map { $0.dropFirst(2) } == "\(call.error.trace)".split(separator: "\n"))
        await call.inspector.stop()
    }

    @Test("The spans are the call with the same attempts as children, and the other steps as its events")
    func spans() async throws {
        let call = try await DifficultCall()
        var spans = story
        // The cache's own notation, as in the field Cache-Status.
        spans.verdicts = ["Martlet; fwd=uri-miss", "Martlet; fwd=uri-miss", "Martlet; fwd=stale; fwd-status=304; ttl=-1"]
        #expect(Story(call.spans.values) == spans)
        await call.inspector.stop()
    }

    @Test("The inspector and the HAR recording tell it with the same words")
    func pages() async throws {
        let call = try await DifficultCall()
        let client = HTTPClient(baseURL: call.inspector.url, transport: ownTransport())
        let shown = try #require(try await client.send(Request<JSONValue>.get("calls"))["calls"]?.items.first)
        #expect(Story(shown, attempts: shown["attempts"]?.items ?? [], at: "at") == story)
        let har = try JSONBodyDecoder.json.decode(JSONValue.self, from: call.har.har())["log"]
        let entries = har?["entries"]?.items ?? [], recorded = try #require(har?["_calls"]?.items.first)
        #expect(Story(recorded, attempts: entries, at: "_at") == story)
        #expect(entries.map { $0["_attempt"]?.doubleValue } == [1, 2, 3, 4])
        // The story has the attempts, redirects and verdicts, which the timeline words in its own way.
        let words = call.error.trace.steps.map(\.kind).filter { kind in
            switch kind {
            case .attempt, .redirect, .cache: false
            default: true
            }
        }.map { "\($0)" }
        #expect(!words.isEmpty)
        for told in [shown, recorded] {
            let timeline = (told["timeline"]?.items ?? []).compactMap { $0["text"]?.stringValue }
            #expect(words.allSatisfy(timeline.contains), "\(timeline)")
        }
        await call.inspector.stop()
    }

    @Test("The metrics count one call that failed in decoding, and its attempts and verdicts")
    func metrics() async throws {
        let call = try await DifficultCall()
        let route = #"method="GET",route="/birds/{}""#
        let expected = [
            #"http_client_active_calls{\#(route)} 0"#, #"http_client_calls_total{method="GET",outcome="decoding",route="/birds/{}"} 1"#,
            #"http_client_attempts_total{method="GET",outcome="4xx",route="/birds/{}"} 1"#,
            #"http_client_attempts_total{method="GET",outcome="5xx",route="/birds/{}"} 1"#,
            #"http_client_attempts_total{method="GET",outcome="3xx",route="/birds/{}"} 2"#,
            #"http_client_cache_requests_total{method="GET",result="miss",route="/birds/{}"} 2"#,
            #"http_client_cache_requests_total{method="GET",result="validated",route="/birds/{}"} 1"#,
            #"http_client_call_duration_seconds_sum{method="GET",outcome="decoding",route="/birds/{}"} 2.03"#,
        ]
        let lines = Set(call.metrics.text.split(separator: "\n").map(String.init))
        #expect(expected.allSatisfy(lines.contains), "\(call.metrics.text)")
        await call.inspector.stop()
    }

    @Test("No source contains a token")
    func secrets() async throws {
        let call = try await DifficultCall()
        let page = try await HTTPClient(baseURL: call.inspector.url, transport: ownTransport()).send(Request<String>.get("har"))
        let texts = [
            "\(call.error.trace)", call.log.values.joined(), call.metrics.text, "\(call.spans.values)",
            String(decoding: call.har.har(), as: UTF8.self), page,
        ]
        for text in texts { #expect(!text.isEmpty && !text.contains("s3cret")) }
        await call.inspector.stop()
    }
}

extension Story {
    init(_ trace: CallTrace, of error: HTTPError) {
        self.init(
            statuses: trace.attempts.compactMap { if case .status(let status)? = $0.outcome { status.rawValue } else { nil } },
            moments: trace.steps.compactMap { if case .attempt = $0.kind { $0.time / .seconds(1) } else { nil } },
            waits: trace.retries.compactMap { $0.wait.map { $0 / .seconds(1) } },
            renewals: trace.renewals.map { $0.duration / .seconds(1) },
            targets: trace.redirects.map(\.target.absoluteString), verdicts: trace.cacheStatuses.map(\.words), failure: "",
            duration: 2.03)
        if case .decodingFailed = error { failure = "decodingFailed" }
    }

    init(_ spans: [FinishedSpan]) {
        let call = spans.first { $0.kind == .internal },
            attempts = spans.filter { $0.kind == .client && $0.parentID == call?.context.spanID }
        let start = call?.start ?? .distantPast
        func events(_ name: String, _ key: String) -> [SpanValue] {
            (call?.events ?? []).filter { $0.name == name }.compactMap { $0.attributes[key] }
        }
        func numbers(_ values: [SpanValue]) -> [Double] { values.compactMap { if case .double(let number) = $0 { number } else { nil } } }
        func texts(_ values: [SpanValue]) -> [String] { values.compactMap { if case .string(let text) = $0 { text } else { nil } } }
        self.init(
            statuses: attempts.compactMap {
                if case .int(let status)? = $0.attributes["http.response.status_code"] { Int(status) } else { nil }
            },
            moments: attempts.map { Story.rounded($0.start.timeIntervalSince(start)) },
            waits: numbers(events("martlet.retry", "martlet.wait")),
            renewals: numbers(events("martlet.credential_renewed", "martlet.duration")),
            targets: texts(events("martlet.redirect", "url.full")), verdicts: texts(events("martlet.cache", "martlet.cache.status")),
            failure: texts([call?.attributes["error.type"]].compactMap(\.self)).first ?? "",
            duration: Story.rounded(call.map { $0.end.timeIntervalSince($0.start) } ?? 0))
    }

    /// - Parameter at: The name of the member with the moment of an attempt.
    init(_ call: JSONValue, attempts: [JSONValue], at: String) {
        let timeline = call["timeline"]?.items ?? []
        func moments(_ kind: String) -> [JSONValue] { timeline.filter { $0["kind"]?.stringValue == kind } }
        func last(_ kind: String, after separator: String) -> [String] {
            moments(kind).compactMap { $0["text"]?.stringValue?.components(separatedBy: separator).last }
        }
        self.init(
            statuses: attempts.compactMap { ($0["status"] ?? $0["response"]?["status"])?.doubleValue.map { Int($0) } },
            moments: attempts.compactMap { $0[at]?.doubleValue.map(Story.rounded) },
            waits: moments("wait").compactMap { $0["duration"]?.doubleValue },
            renewals: moments("refresh").compactMap { $0["duration"]?.doubleValue }, targets: last("redirect", after: " redirects to "),
            verdicts: moments("cache").compactMap { $0["text"]?.stringValue }, failure: call["error"]?["case"]?.stringValue ?? "",
            duration: Story.rounded(call["duration"]?.doubleValue ?? 0))
    }

    /// To milliseconds.
    private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}

extension JSONValue {
    fileprivate var items: [JSONValue] { arrayValue.map { Array($0) } ?? [] }
}
