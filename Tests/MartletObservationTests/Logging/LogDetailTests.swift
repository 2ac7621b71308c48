import Foundation
import MartletTesting
import Testing

@testable import MartletObservation

@Suite("LogDetail", .timeLimit(.minutes(5)))
struct LogDetailTests {
    @Test("A debug build logs the chosen detail, and a release build at most the permitted one", arguments: LogDetail.allCases)
    func permitted(detail: LogDetail) {
        for limit in LogDetail.allCases {
            #expect(detail.permitted(upTo: limit, isDebugBuild: true) == detail)
            #expect(detail.permitted(upTo: limit, isDebugBuild: false) == min(detail, limit))
        }
        #expect(detail.permitted(upTo: .outline, isDebugBuild: false) == .outline)
    }

    /// Returns the log of a call with personal data in each of its parts, of a failed call, and of one with two attempts.
    private func text(_ detail: LogDetail, upTo limit: LogDetail, isDebugBuild: Bool) async throws -> String {
        let lines = Recorder<String>(), time = ManualTime()
        let logging = LoggingInterceptor(
            LoggingObserver(detail, limit, LogSink { lines.append($0.message) }, .debug, 4_096, isDebugBuild: isDebugBuild), nil)
        let personal = MockReply.json(#"{"mail":"ada@example.com"}"#, headers: ["X-Mail": "ada@example.com"])
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example/ada"),
            transport: MockTransport(personal, .failure(.invalidURL("ada@example.com")), .status(503), .stream("ada", "ada")),
            interceptors: [logging, RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(1))))], time: time)
        let user = "ada"
        let request = Request<Data>.post("users/\(user)", query: ["mail": "ada@example.com"], body: .text("ada@example.com"))
        _ = try await client.send(request.header("X-Mail", "ada@example.com").named("CreateUser"))
        await #expect(throws: HTTPError.self) { try await client.send(request) }
        for try await _ in try await client.stream(Request<Data>.get("birds/\(user)")).body {}
        return lines.values.joined(separator: "\n")
    }

    @Test("A release build with the highest detail logs nothing personal: no path, query, field, body or explanation")
    func release() async throws {
        let text = try await text(.bodies, upTo: .outline, isDebugBuild: false)
        #expect(!text.contains("ada"))
        #expect(text.contains("→ POST https://api.example CreateUser") && text.contains("→ GET https://api.example birds/{}"))
        #expect(text.contains("✗") && text.contains(": Invalid URL") && text.contains("2 attempts"))
        #expect(text.split(separator: "\n").count == 6)
    }

    @Test(
        "Secrets in an app's own words about errors and decisions are hidden",
        arguments: LogDetail.allCases)
    func ownWords(detail: LogDetail) async throws {
        let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", lines = Recorder<String>(), spans = SpanCollection()
        struct Noting: Interceptor {
            let key: String

            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                request.context.record?.note("the server wants \(key)")
                do { return try await next(request) } catch { throw HTTPError.interceptorFailed("the server said \(key)") }
            }
        }
        let transport = MockTransport(
            .failure(.invalidResponse("the server said \(key)")), .status(503), .failure(.invalidResponse("the server said \(key)")))
        let log = LoggingObserver(detail: detail, maxDetailInRelease: detail, to: LogSink { lines.append($0.message) }, logsAttempts: true)
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: transport,
            interceptors: [Noting(key: key), RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(1))))],
            observers: [log, TracingObserver(SpanTracer(export: spans.export), detail: detail)], time: ManualTime())
        for _ in 0..<2 { _ = await client.result(of: Request<Int>.get("x")) }
        let text = lines.values.joined(separator: "\n") + "\(spans.spans)"
        #expect(!text.contains(key) && transport.requests.count == 3)
        #expect(text.contains("the server said") == (detail > .outline))
    }

    @Test("An outline names a request by full URL only by its method and origin, and a failed interceptor without its text")
    func outline() async throws {
        struct Failing: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                throw HTTPError.interceptorFailed("ada@example.com")
            }
        }
        let lines = Recorder<String>()
        let logging = LoggingInterceptor(
            LoggingObserver(.bodies, .outline, LogSink { lines.append($0.message) }, .debug, 4_096, isDebugBuild: false), nil)
        let client = HTTPClient(transport: MockTransport(.json("{}")), interceptors: [logging, Failing()], time: ManualTime())
        let url = try #require(URL(string: "https://api.example/ada"))
        await #expect(throws: HTTPError.self) { try await client.send(Request<Data>.get(url: url)) }
        #expect(lines.values == ["#1 → GET https://api.example", "#1 ✗ GET https://api.example (0.0 ms): Interceptor failed"])
    }

    @Test("A debug build, or a release build that permits it, logs all details")
    func permittedRelease() async throws {
        let debug = try await text(.bodies, upTo: .outline, isDebugBuild: true)
        #expect(debug.contains(#"{"mail":"ada@example.com"}"#) && debug.contains("X-Mail: ada@example.com"))
        #expect(try await text(.bodies, upTo: .bodies, isDebugBuild: false) == debug)
        let headers = try await text(.bodies, upTo: .headers, isDebugBuild: false)
        #expect(headers.contains("X-Mail: ada@example.com") && !headers.contains(#"{"mail""#))
    }
}
