import MartletClient
import MartletEssentials
import MartletObservation
import MartletTesting
import TestSupport
import Testing

@testable import MartletGraphQL

@Suite("The outcome of an operation that observers see", .timeLimit(.minutes(5)))
struct ObservedOutcomeTests {
    private static let refused = #"{"errors":[{"message":"Cannot query field “nope”","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#
    private static let partial = #"{"data":{"a":1},"errors":[{"message":"b is down","path":["b"]}]}"#
    private static let whole = #"{"data":{"a":1}}"#
    private static let query = GraphQLOperation<JSONValue>("query Nope { nope }")

    private let log = EventLog()

    private func client(_ replies: String..., policy: ErrorPolicy = .standard, observers: [any CallObserver] = []) -> GraphQLClient {
        let http = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: MockTransport(replies: replies.map { MockReply.json($0) }),
            observers: [log] + observers, time: ManualTime())
        return GraphQLClient(http, configuration: .init(errorPolicy: policy))
    }

    /// The lines of the log after those of the attempts.
    private var ends: [String] { log.lines.filter { $0.contains("ended") || $0.contains("GraphQL errors beside data") } }

    private static let failed = "1 failed and ended: GraphQL errors: "
    private static let noted = ["1 step GraphQL errors beside data: b is down at b", "1 ended: 200"]

    @Test("Errors in place of data are a failure with the status 200, whichever method is called")
    func failed() async throws {
        let client = client(Self.refused, Self.refused, Self.refused)
        _ = try? await client.execute(Self.query)
        _ = try await client.result(of: Self.query)
        _ = try await client.response(for: Self.query)
        #expect(ends.count == 3 && ends.allSatisfy { $0.contains(" failed and ended: GraphQL errors: Cannot query field “nope”") })
    }

    @Test("The outcome's underlying error is the GraphQLError, with the request and its attempts")
    func underlying() async throws {
        let outcomes = Recorder<HTTPError>()
        struct Observer: CallObserver {
            let outcomes: Recorder<HTTPError>
            func observe(_ event: CallEvent, of call: CallInfo) {
                if case .ended(.failure(let error), _) = event { outcomes.append(error) }
            }
        }
        let client = client(Self.refused, observers: [Observer(outcomes: outcomes)])
        let thrown = await #expect(throws: GraphQLError.self) { try await client.execute(Self.query) }
        let error = try #require(outcomes.values.first)
        #expect(error.underlying as? GraphQLError == thrown && error == .invalidResponse && error.attempts == 1)
        #expect(error.trace.attempts.count == 1 && error.request?.url.path == "/graphql")
        #expect(error.outline == "GraphQL errors" && error.caseName == "graphQLErrors")
        #expect(error.failureText == "GraphQL errors: Cannot query field “nope” (GRAPHQL_VALIDATION_FAILED)")
        #expect("\(error)" == error.failureText + ": POST https://h/graphql")
    }

    @Test("Errors beside data are a failure if the caller's policy drops the data, and otherwise a note")
    func partial() async throws {
        func lines(_ policy: ErrorPolicy, _ call: (GraphQLClient) async throws -> Void) async -> [String] {
            let other = ObservedOutcomeTests()
            try? await call(other.client(Self.partial, policy: policy))
            return other.ends
        }
        for policy in ErrorPolicy.allCases {
            let executed = await lines(policy) { _ = try await $0.execute(Self.query) }
            let result = await lines(policy) { _ = try await $0.result(of: Self.query) }
            let response = await lines(policy) { _ = try await $0.response(for: Self.query) }
            let value = await lines(policy) { for try await _ in $0.values(Self.query) {} }
            let failed = [Self.failed + "b is down at b: POST https://h/graphql"]
            #expect(executed == (policy == .standard || policy == .none ? failed : Self.noted))
            #expect(result == (policy == .none ? failed : Self.noted) && value == result && response == Self.noted)
        }
    }

    @Test("A batch fails if all of its operations do, and otherwise notes the errors")
    func batches() async throws {
        _ = try await client("[\(Self.refused),\(Self.refused)]").batch([Self.query, Self.query])
        #expect(ends.count == 1 && ends[0].contains(Self.failed + "Cannot query field “nope” (GRAPHQL_VALIDATION_FAILED); Cannot"))
        let other = ObservedOutcomeTests()
        _ = try await other.client("[\(Self.whole),\(Self.partial)]").batch([Self.query, Self.query])
        #expect(other.ends == Self.noted)
        let undecoded = ObservedOutcomeTests()
        _ = try await undecoded.client(#"[{"data":{"a":1}},{"data":7}]"#).batch([
            GraphQLOperation<[String: Int]>("{ a }"), GraphQLOperation<[String: Int]>("{ a }"),
        ])
        #expect(undecoded.ends.count == 2 && undecoded.ends[0].contains("beside data: Decoding") && undecoded.ends[1] == "1 ended: 200")
    }

    @Test("A response in parts and a subscription end as their last result")
    func sequences() async throws {
        for try await _ in client(Self.refused).updates(Self.query) {}
        #expect(ends.count == 1 && ends[0].hasPrefix(Self.failed))
        func subscribed(_ results: String...) async throws -> [String] {
            let other = ObservedOutcomeTests()
            let text = results.map { "event: next\ndata: \($0)\n\n" }.joined() + "event: complete\ndata:\n\n"
            let http = HTTPClient(
                baseURL: URL(string: "https://h/"),
                transport: MockTransport(.text(text, headers: [.contentType: "text/event-stream"])), observers: [other.log])
            for try await _ in GraphQLClient(http).subscribe(GraphQLOperation<JSONValue>("subscription Count { n }")) {}
            return other.ends
        }
        #expect(try await subscribed(Self.refused).map { $0.hasPrefix(Self.failed) } == [true])
        #expect(try await subscribed(Self.whole, Self.refused).map { $0.hasPrefix(Self.failed) } == [true])
        #expect(try await subscribed(Self.refused, Self.whole) == ["1 ended: 200"])
    }

    @Test("The log says what failed, with the status, and with the body if it logs bodies")
    func logged() async throws {
        let entries = Recorder<LogEntry>()
        let logging = [LogDetail.outline, .basic, .bodies].map { detail in
            LoggingObserver(detail: detail, maxDetailInRelease: .bodies) { entries.append($0) }
        }
        _ = try? await client(Self.refused, observers: logging).execute(Self.query)
        let ends = entries.values.filter { if case .failure = $0.event { true } else { false } }
        try #require(ends.map(\.level) == [.error, .error, .error])
        #expect(ends[0].message == "#1 ✗ POST https://h query Nope (0.0 ms, 200 OK): GraphQL errors")
        let line =
            "#1 ✗ POST https://h/graphql query Nope (0.0 ms, 200 OK): GraphQL errors: "
            + "Cannot query field “nope” (GRAPHQL_VALIDATION_FAILED): POST https://h/graphql"
        #expect(ends[1].message == line)
        let lines = ends[2].message.split(separator: "\n")
        #expect(lines.first.map(String.init) == line && lines.last?.contains("Cannot query field") == true && lines.count > 2)
    }

    @Test("Metrics, spans and analytics have a name of their own for it, the status, and the app's error")
    func names() async throws {
        let metrics = PrometheusMetrics(), spans = Recorder<FinishedSpan>()
        let reports = Recorder<(error: APIError?, status: HTTPStatus?, failure: String?)>()
        let missing = #"{"errors":[{"message":"x","extensions":{"code":"NOT_FOUND"}}]}"#
        let client = client(
            missing,
            observers: [
                MetricsObserver(metrics), TracingObserver(SpanTracer { spans.append($0) }),
                AnalyticsObserver { reports.append(($0.error, $0.status, $0.failure)) },
            ])
        _ = try? await client.execute(Self.query)
        #expect(metrics.text.contains(#"http_client_calls_total{method="POST",outcome="graphql",route="/graphql Nope"} 1"#))
        #expect(metrics.text.contains(#"http_client_attempts_total{method="POST",outcome="2xx",route="/graphql Nope"} 1"#))
        let call = try #require(spans.values.first { $0.parentID == nil })
        #expect(call.attributes["error.type"] == "graphQLErrors" && call.attributes["http.response.status_code"] == 200)
        #expect(call.failure == "GraphQL errors")
        let report = try #require(reports.values.first)
        #expect(report.status == 200 && report.failure == "GraphQL errors")
        guard case .notFound? = report.error else { Issue.record("\(report)"); return }
    }

    @Test("A mock tells observers the same outcomes")
    func mocked() async throws {
        let mock = GraphQLClientMock(observers: [log])
        mock.on("Nope", .json(Self.refused))
        _ = try? await mock.execute(Self.query)
        #expect(ends.count == 1 && ends[0].contains("GraphQL errors: Cannot query"))
    }

    @Test("Another error with a GraphQLError as its cause keeps its own names")
    func otherErrors() {
        let cause = GraphQLError.response([GraphQLResponseError(message: "no")])
        let error = HTTPError.authenticationFailed(HTTPError.Explanation("x", context: ErrorContext(underlying: cause)))
        #expect(error.caseName == "authenticationFailed" && error.outline == "Authentication failed")
        #expect(error.failureText == "Authentication failed: x, cause: GraphQL errors: no")
    }
}
