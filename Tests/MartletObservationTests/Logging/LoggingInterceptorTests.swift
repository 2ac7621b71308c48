import Foundation
import MartletTesting
import Testing

@testable import MartletObservation

@Suite("LoggingInterceptor", .timeLimit(.minutes(5)))
struct LoggingInterceptorTests {
    private let base = URL(string: "https://h/")!
    private let entries = Recorder<LogEntry>()
    private let time = ManualTime()

    private func client(
        _ transport: MockTransport, _ detail: LogDetail = .basic, from level: LogEntry.Level = .debug, maxBodyBytes: Int = 4_096,
        inner: [any Interceptor] = []
    ) -> HTTPClient {
        let logging = LoggingInterceptor(detail: detail, maxDetailInRelease: .bodies, from: level, maxBodyBytes: maxBodyBytes, time: time) {
            [entries] in
            entries.append($0)
        }
        return HTTPClient(baseURL: base, transport: transport, interceptors: [logging] + inner, time: time)
    }

    private var messages: [String] { entries.values.map(\.message) }
    private var text: String { messages.joined(separator: "\n") }

    @Test("A call is logged twice: when it is sent and when it has ended")
    func basic() async throws {
        let client = client(MockTransport(.json("{}"), .status(404), .status(500)))
        _ = try await client.response(for: Request<Data>.get("a", query: ["page": 2]))
        await #expect(throws: HTTPError.self) { try await client.send(Request<Data>.get("b")) }
        await #expect(throws: HTTPError.self) { try await client.send(Request<Data>.get("c")) }
        #expect(
            messages == [
                "#1 → GET https://h/a?page=2", "#1 ← 200 OK GET https://h/a?page=2 (0.0 ms, 2 bytes)",
                "#2 → GET https://h/b", "#2 ← 404 Not Found GET https://h/b (0.0 ms, 0 bytes)",
                "#3 → GET https://h/c", "#3 ← 500 Internal Server Error GET https://h/c (0.0 ms, 0 bytes)",
            ])
        #expect(entries.values.map(\.level) == [.debug, .info, .debug, .warning, .debug, .error])
        #expect(entries.values.map(\.number) == [1, 1, 2, 2, 3, 3])
    }

    @Test("A failure is logged with its reason and thrown unchanged, and a cancellation is not an error")
    func failures() async {
        let client = client(MockTransport(.disconnect, .failure(.cancelled)))
        await #expect(throws: HTTPError.networkError(NetworkFailure(.connectionLost))) { try await client.send(Request<Data>.get("a")) }
        await #expect(throws: HTTPError.cancelled) { try await client.send(Request<Data>.get("b")) }
        #expect(messages.count == 4)
        #expect(messages[1].hasPrefix("#1 ✗ GET https://h/a (0.0 ms): Network error: connectionLost"))
        #expect(entries.values.map(\.level) == [.debug, .error, .debug, .info])
    }

    @Test("The duration is measured, and each of several attempts is logged")
    func attempts() async throws {
        let transport = MockTransport(.status(503), .json("{}"))
        let retry = RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(2))), time: time)
        try await client(transport, inner: [retry]).send(Request<EmptyResponse>.get("a"))
        let lines = messages[1].split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0] == "#1 ← 200 OK GET https://h/a (2.00 s, 2 bytes)")
        #expect(lines[1] == "  0.0 ms: attempt 1, GET https://h/a: 503 Service Unavailable after 0.0 ms")
        #expect(lines[2] == "  0.0 ms: retried after 2.00 s: the server responded with 503 Service Unavailable")
    }

    @Test("Fields are logged line by line, with credentials hidden")
    func headers() async throws {
        let transport = MockTransport(.json("{}", headers: [.setCookie: "sid=s3cret", "X-B": "2"]))
        var request = Request<EmptyResponse>.get("a", headers: [.authorization: "Bearer s3cret", "X-Own": "s3cret", "X-A": "1"])
        request.headers.markAsCredential("X-Own")
        try await client(transport, .headers).send(request)
        #expect(!text.contains("s3cret"))
        #expect(messages[0].contains("\n  Authorization: ‹redacted›\n") && messages[0].contains("\n  X-A: 1"))
        #expect(messages[1].contains("\n  Set-Cookie: ‹redacted›") && messages[1].contains("\n  X-B: 2"))
        #expect(!text.contains("{}"))
    }

    @Test(
        "Secrets in JSON, form and multipart bodies are hidden",
        arguments: [
            (#"{"user":"ada","access_token":"s3cret","n":{"password":"s3cret"}}"#, "application/json"),
            ("user=ada&password=s3cret&client_secret=s3cret", "application/x-www-form-urlencoded"),
            ("--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\ns3cret\r\n--b--", "multipart/form-data; boundary=b"),
        ])
    func bodies(body: String, type: String) async throws {
        let transport = MockTransport(.text(body, headers: [.contentType: type]))
        let answer = try await client(transport, .bodies).send(Request<String>.post("a", body: .text(body, contentType: type)))
        #expect(answer == body)
        #expect(transport.requests.first?.body?.buffered == Data(body.utf8))
        #expect(!text.contains("s3cret"))
        if !type.hasPrefix("multipart") { #expect(messages.allSatisfy { $0.contains("ada") }) }
    }

    @Test("A server's text can't imitate an entry, end its line or control a terminal", arguments: LogDetail.allCases)
    func forging(detail: LogDetail) async throws {
        struct Loud: Error, LocalizedError, CustomStringConvertible {
            var description: String { "x\n#9 ← 200 OK GET https://h/forged" }
            var errorDescription: String? { description }
        }
        struct Failing: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var response = try await next(request)
                if request.url.path == "/fail" { throw Loud() }
                response.headers.append("X-Evil", "1\u{9B}2J\u{202E}\u{1B}[2J")
                return response
            }
        }
        let evil = "a\n#7 ← 200 OK GET https://h/forged\r\n\r#8 \u{1B}[1A\u{9B}2K\u{2028}#8\u{202E}"
        let client = client(MockTransport(.text(evil), .json("{}")), detail, inner: [Failing()])
        #expect(try await client.send(Request<String>.get("a")) == evil)
        await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("fail")) }

        let lines = text.split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix("  ") }.count == 4)
        #expect(lines.filter { $0.hasPrefix("#7") || $0.hasPrefix("#8") || $0.hasPrefix("#9") }.isEmpty)
        #expect(text.unicodeScalars.filter { Redaction.isControl($0) && $0 != "\n" }.isEmpty)
        #expect(text.contains("X-Evil") == (detail >= .headers) && text.contains("#7 ←") == (detail == .bodies))
    }

    @Test("A secret whose name follows it beyond the logged part is hidden")
    func nameBeyondTheLimit() async throws {
        let body = #"[{"value":"s3cret","name":"password"},{"value":"plain","name":"colour"}]"#
        let client = client(MockTransport(.json(body)), .bodies, maxBodyBytes: 20)
        let answer = try await client.send(Request<Data>.get("a"))
        #expect(answer == Data(body.utf8))
        #expect(text.contains("value") && !text.contains("s3"))
    }

    @Test("A long body is truncated, and a body that is not text is logged as its length")
    func cut() async throws {
        let long = String(repeating: "x", count: 100)
        let client = client(MockTransport(.text(long), .data(Data([0xFF, 0xFE, 0x00]))), .bodies, maxBodyBytes: 10)
        #expect(try await client.send(Request<String>.get("a")) == long)
        #expect(try await client.send(Request<Data>.get("b")).count == 3)
        #expect(messages[1].contains("\n  xxxxxxxxxx") && !messages[1].contains("xxxxxxxxxxx") && messages[1].contains("…"))
        #expect(messages[3].contains("<no type, 3 bytes>"))
    }

    @Test("A stream is passed on unread, and its head is logged")
    func stream() async throws {
        let client = client(MockTransport(.stream("hello ", "wor", "ld")), .bodies, maxBodyBytes: 8)
        let response = try await client.stream(Request<Data>.get("a"))
        #expect(messages.count == 2 && messages[1].hasPrefix("#1 ← 200 OK GET https://h/a (0.0 ms)"))
        #expect(try await response.body.collect() == Data("hello world".utf8))
        #expect(messages.count == 2 && !text.contains("hello"))
    }

    @Test("Entries below the level are not written")
    func levels() async throws {
        let client = client(MockTransport(.json("{}"), .status(404), .disconnect), .bodies, from: .warning)
        for path: Path in ["a", "b", "c"] { _ = await client.result(of: Request<Data>.get(path)) }
        #expect(entries.values.map(\.level) == [.warning, .error])
    }

    @Test("Without arguments only debug builds write entries; with a sink or a detail both builds do")
    func silence() async throws {
        #expect(LoggingObserver.defaultSink(isDebugBuild: false).map { _ in } == nil)
        #expect(LoggingObserver.defaultSink(isDebugBuild: true) != nil)
        #expect(LoggingInterceptor(detail: .basic).sink != nil)
        #expect(LoggingInterceptor(to: .standardError).sink != nil)
        #if DEBUG
        #expect(LoggingInterceptor().sink != nil)
        #else
        #expect(LoggingInterceptor().sink == nil)
        #endif
    }

    @Test("A multipart form is not logged, whatever its declared type", arguments: ["text/plain", "multipart/form-data; boundary=B"])
    func parts(type: String) async throws {
        let body = "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--B--\r\n"
        let client = client(MockTransport(.data(Data(body.utf8), contentType: type)), .bodies)
        _ = try await client.send(Request<Data>.get("a"))
        #expect(
            !text.contains("hunter2")
                && text.contains(type == "text/plain" ? Redaction.mask : "<multipart/form-data, \(body.utf8.count) bytes>"))
    }
}
