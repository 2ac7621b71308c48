import Foundation
import MartletTesting
import Testing

@testable import MartletObservation

@Suite("LoggingObserver", .timeLimit(.minutes(5)))
struct LoggingObserverTests {
    private struct Value: Decodable, Sendable { let id: Int }

    private let base = URL(string: "https://h/")!
    private let entries = Recorder<LogEntry>()
    private let time = ManualTime()

    private func client(
        _ transport: MockTransport, _ detail: LogDetail = .basic, from level: LogEntry.Level = .debug, maxBodyBytes: Int = 4_096,
        interceptors: [any Interceptor] = []
    ) -> HTTPClient {
        let logging = LoggingObserver(detail: detail, maxDetailInRelease: .bodies, from: level, maxBodyBytes: maxBodyBytes) {
            [entries] in
            entries.append($0)
        }
        return HTTPClient(baseURL: base, transport: transport, interceptors: interceptors, observers: [logging], time: time)
    }

    private var messages: [String] { entries.values.map(\.message) }
    private var text: String { messages.joined(separator: "\n") }

    @Test("A call is logged when it starts and when it ends, also with a rejected status")
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
        #expect(entries.values.allSatisfy { $0.call != nil && $0.request != nil })
    }

    /// Exchanges two messages over a connection in memory, and closes it.
    private func exchangeMessages(_ detail: LogDetail) throws {
        let observer = LoggingObserver(detail: detail, maxDetailInRelease: .bodies, maxBodyBytes: 60) { [entries] in entries.append($0) }
        let call = ObservedCall(
            .webSocket, name: "chat", pathTemplate: "chat", operations: [], tags: [], observers: [observer], time: time)
        let notify = try #require(call.record.notify)
        call.started(HTTPRequest(url: URL(string: "https://h/chat")!))
        notify(.message(CallMessage(.sent, content: Data(#"{"say":"hi\u001b","password":"s3cret"}"#.utf8), isText: true)))
        notify(.message(CallMessage(.received, content: Data([0xff]), isText: false)))
        call.ended(.success(nil))
    }

    @Test("Each message of a WebSocket is an entry with its direction and length, without its content")
    func messagesOfWebSockets() throws {
        try exchangeMessages(.headers)
        #expect(messages.dropFirst().dropLast() == ["#1 → message: text, 38 bytes", "#1 ← message: data, 1 byte"])
        #expect(entries.values.dropFirst().dropLast().allSatisfy { $0.level == .debug && $0.call?.kind == .webSocket })
        guard case .message(let message) = entries.values[1].event else { return #expect(Bool(false)) }
        #expect(message.direction == .sent && message.isText)
    }

    @Test("The content of messages is logged with bodies only, redacted and up to their limit, and an outline has no messages")
    func contentOfMessages() throws {
        try exchangeMessages(.bodies)
        #expect(
            messages.dropFirst().dropLast() == [
                "#1 → message: text, 38 bytes\n  {\"say\":\"hi\\u001b\",\"password\":\"‹redacted›\"}",
                "#1 ← message: data, 1 byte\n  <no type, 1 bytes>",
            ])
        try exchangeMessages(.outline)
        #expect(entries.values.count == 6)
    }

    @Test("A decoding failure is logged as an error, in full with its response")
    func decoding() async throws {
        let transport = MockTransport(.json(#"{"name":"Ada","token":"s3cret"}"#, headers: ["X-A": "1"]))
        let client = client(transport, .bodies)
        await #expect(throws: HTTPError.self) { try await client.send(Request<Value>.get("a")) }
        #expect(messages.count == 2 && messages[1].hasPrefix("#1 ✗ GET https://h/a (0.0 ms): "))
        #expect(messages[1].contains("\n  X-A: 1") && messages[1].contains("Ada") && !text.contains("s3cret"))
        #expect(entries.values[1].level == .error)
        guard case .failure(.decodingFailed, _) = entries.values[1].event else { return #expect(Bool(false)) }
    }

    /// Returns the last line of a call's entry with a rejected status, without its prefix.
    private func refusal(_ reply: MockReply, _ detail: LogDetail) async -> [Substring] {
        _ = await client(MockTransport(reply), detail).result(of: Request<Data>.get("a"))
        return (messages.last ?? "").split(separator: "\n")
    }

    @Test("A rejected status is logged with the start of the body, with fields below it, and with bodies only once")
    func refused() async {
        let reply = MockReply.json(#"{"error":"The name\nis taken","password":"s3cret"}"#, status: 409)
        let start = #"#1 ← 409 Conflict GET https://h/a (0.0 ms, 50 bytes)"#
        let body = #"{"error":"The name\nis taken","password":"‹redacted›"}"#
        #expect(await refusal(reply, .outline) == ["#1 ← 409 Conflict GET https://h a (0.0 ms, 50 bytes)"])
        #expect(await refusal(reply, .basic) == ["\(start): body: \(body)"])
        #expect(await refusal(reply, .headers).first == "\(start): body: \(body)")
        let whole = await refusal(reply, .bodies)
        #expect(whole.first == "\(start)" && whole.last == "  \(body)")
        #expect(await refusal(.text("no\n#9 ← 200 OK", status: 400), .basic).count == 1)
        #expect(entries.values.count == 10)
    }

    @Test("A 401 that asks only for a scheme that Martlet does not have is logged with that reason")
    func scheme() async {
        let reply = MockReply.text("no", status: 401, headers: ["WWW-Authenticate": #"Digest realm="a", nonce="b""#])
        let start = "#1 ← 401 Unauthorized GET https://h/a (0.0 ms, 2 bytes)"
        let reason = "the server asks for Digest authentication, which is not supported"
        #expect(await refusal(reply, .basic) == ["\(start): \(reason), body: no"])
        #expect(await refusal(reply, .bodies).first == "\(start): \(reason)")
        #expect(await refusal(reply, .outline).first?.contains("Digest") == false)
    }

    @Test("The steps that explain a call are logged, also with one attempt or none")
    func steps() async throws {
        let retry = RetryInterceptor(RetryPolicy())
        _ = await client(MockTransport(.status(503, headers: ["Retry-After": "120"])), interceptors: [retry])
            .result(of: Request<Data>.get("a"))
        #expect(messages.last?.contains("\n  0.0 ms: not retried: the server asks for a wait of 120") == true)
        #expect(messages.last?.contains("\n  0.0 ms: attempt 1, GET https://h/a: 503 Service Unavailable") == true)
        let noting = Noting("GraphQL errors beside data: b is down")
        _ = try await client(MockTransport(.json("{}")), interceptors: [noting]).send(Request<Data>.get("a"))
        #expect(messages.last?.contains("\n  0.0 ms: GraphQL errors beside data: b is down") == true)
        struct Tokens: TokenProvider {
            let time: ManualTime
            func token() async throws -> AccessToken? {
                time.advance(by: .seconds(2))
                throw HTTPError.connectionRefused
            }
            func token(replacing rejected: AccessToken) async throws -> AccessToken? { nil }
        }
        let signedIn = client(MockTransport(), interceptors: [AuthInterceptor(Tokens(time: time))])
        _ = await signedIn.result(of: Request<Data>.get("a"))
        #expect(messages.last?.contains("\n  2.00 s: no credential was obtained (2.00 s): Authentication failed") == true)
    }

    @Test("A single attempt is not repeated as a step, also of a cache that has no response, and a used response is a step")
    func noSteps() async throws {
        let transport = MockTransport(.json("{}", headers: [.cacheControl: "max-age=60"]))
        let client = client(transport, interceptors: [CacheInterceptor(store: MemoryCacheStore())])
        _ = try await client.send(Request<Data>.get("a"))
        #expect(messages.last == "#1 ← 200 OK GET https://h/a (0.0 ms, 2 bytes)")
        _ = try await client.send(Request<Data>.get("a"))
        #expect(messages.last?.contains("\n  0.0 ms: cache: A stored response was used") == true)
        let retrying = self.client(MockTransport(.status(404)), interceptors: [RetryInterceptor(RetryPolicy())])
        _ = await retrying.result(of: Request<Data>.get("b"))
        #expect(messages.last == "#1 ← 404 Not Found GET https://h/b (0.0 ms, 0 bytes)")
    }

    /// Notes a decision of each request.
    private struct Noting: Interceptor {
        let text: String
        init(_ text: String) { self.text = text }
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            request.context.record?.note(text)
            return try await next(request)
        }
    }

    @Test("Failures of the network are errors, cancellations are not, and a call without a request is logged by its name")
    func failures() async {
        let client = client(MockTransport(.disconnect, .failure(.cancelled)))
        _ = await client.result(of: Request<Data>.get("a"))
        _ = await client.result(of: Request<Data>.get("b"))
        _ = await client.result(of: Request<Data>.get(Path(raw: "a b\u{0}")).named("Third"))
        #expect(messages[1].hasPrefix("#1 ✗ GET https://h/a (0.0 ms): Network error: connectionLost"))
        #expect(entries.values.prefix(4).map(\.level) == [.debug, .error, .debug, .info])
        let observer = LoggingObserver(detail: .basic) { [entries] in entries.append($0) }
        _ = await HTTPClient(transport: MockTransport(), observers: [observer]).result(of: Request<Data>.get("x").named("NoBase"))
        #expect(entries.values.last?.message.hasPrefix("#1 ✗ NoBase (") == true && entries.values.last?.request == nil)
    }

    @Test("The duration includes waits, and each of several attempts is logged with the decision between them")
    func attempts() async throws {
        let retry = RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(2))))
        let transport = MockTransport(.status(503), .json("{}"))
        try await client(transport, interceptors: [retry]).send(Request<EmptyResponse>.get("a"))
        let lines = messages[1].split(separator: "\n")
        #expect(messages.count == 2 && lines[0] == "#1 ← 200 OK GET https://h/a (2.00 s, 2 bytes)")
        #expect(lines.contains { $0.contains("attempt 1, ") && $0.contains("503 Service Unavailable") })
        #expect(lines.contains { $0.contains("retried after 2.00 s") })
        #expect(lines.contains { $0.contains("attempt 2, ") && $0.contains("200 OK") })
    }

    /// Returns the messages of a call with two attempts that an observer of attempts writes.
    private func attemptMessages(_ detail: LogDetail, isDebugBuild: Bool = true) async throws -> [String] {
        let lines = Recorder<LogEntry>()
        let logging = LoggingObserver(
            detail, .outline, LogSink { lines.append($0) }, .debug, 4_096, true, isDebugBuild: isDebugBuild)
        let client = HTTPClient(
            baseURL: base, transport: MockTransport(.disconnect, .json("{}", headers: ["X-B": "2"])),
            interceptors: [
                RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(2)))), HeadersInterceptor(["X-A": "1", "X-Api-Key": "s3cret"]),
            ],
            observers: [logging], time: time)
        try await client.send(Request<EmptyResponse>.get("a", query: ["q": "ada"]))
        #expect(lines.values.allSatisfy { $0.number == 1 && $0.call != nil })
        return lines.values.map(\.message)
    }

    @Test("An observer of attempts logs each request with what interceptors added, and its response or failure")
    func eachAttempt() async throws {
        let messages = try await attemptMessages(.headers)
        #expect(messages.count == 6)
        #expect(messages[0].hasPrefix("#1 → GET https://h/a?q=ada") && !messages[0].contains("X-A: 1"))
        #expect(messages[1].hasPrefix("#1 → attempt 1: GET https://h/a?q=ada\n") && messages[1].contains("\n  X-A: 1"))
        #expect(messages[1].contains("\n  X-Api-Key: ‹redacted›"))
        #expect(messages[2] == "#1 ✗ attempt 1 (0.0 ms): network error connectionLost")
        #expect(messages[3].hasPrefix("#1 → attempt 2: GET https://h/a?q=ada\n"))
        #expect(messages[4].hasPrefix("#1 ← attempt 2: 200 OK (2.00 s)") && messages[4].contains("\n  X-B: 2"))
        #expect(messages[5].hasPrefix("#1 ← 200 OK GET https://h/a?q=ada (2.00 s, 2 bytes)"))
    }

    @Test("The outline of an attempt in a release build has no path and no field")
    func outlineOfAttempts() async throws {
        let messages = try await attemptMessages(.bodies, isDebugBuild: false)
        #expect(messages.count == 6 && messages[1] == "#1 → attempt 1: GET https://h")
        #expect(!messages.joined().contains("ada") && !messages.joined().contains("X-"))
    }

    @Test("Fields and bodies are logged with secrets hidden")
    func bodies() async throws {
        let transport = MockTransport(.json(#"{"name":"Ada","token":"s3cret"}"#, headers: [.setCookie: "sid=s3cret", "X-B": "2"]))
        let request = Request<Data>.post(
            "a", headers: [.authorization: "Bearer s3cret"], body: .json(["user": "ada", "password": "s3cret"]))
        _ = try await client(transport, .bodies).send(request)
        #expect(!text.contains("s3cret"))
        #expect(messages[0].contains("\n  Authorization: ‹redacted›\n") && messages[0].contains(#""user":"ada""#))
        #expect(messages[1].contains("\n  X-B: 2") && messages[1].contains(#""name":"Ada""#))
    }

    @Test("A body is truncated to the limit, and the number of bytes is that of the whole")
    func truncated() async throws {
        let long = String(repeating: "x", count: 100)
        _ = try await client(MockTransport(.text(long)), .bodies, maxBodyBytes: 10).send(Request<String>.get("a"))
        #expect(messages[1].hasPrefix("#1 ← 200 OK GET https://h/a (0.0 ms, 100 bytes)"))
        #expect(messages[1].contains("\n  xxxxxxxxxx") && !messages[1].contains("xxxxxxxxxxx") && messages[1].contains("…"))
    }

    @Test("A stream is logged at its head, at the start of its body, and at its end")
    func stream() async throws {
        let response = try await client(
            MockTransport(.stream("hello ", "wor", "ld", headers: [.contentType: "text/plain"])), .bodies, maxBodyBytes: 7
        )
        .stream(Request<Data>.get("a"))
        #expect(messages.count == 2 && messages[1].hasPrefix("#1 … 200 OK GET https://h/a (0.0 ms)"))
        for try await _ in response.body {}
        #expect(messages.count == 4)
        #expect(messages[2] == "#1 … GET https://h/a, the start of the stream:\n  hello w…")
        #expect(messages[3].hasPrefix("#1 ← 200 OK GET https://h/a (0.0 ms, 11 bytes)") && !messages[3].contains("hello"))
        #expect(entries.values.map(\.level) == [.debug, .debug, .debug, .info])
    }

    @Test("A stream that ends early or is dropped is logged with the start that was read")
    func shortStreams() async throws {
        let client = client(MockTransport(.stream("hello"), .stream("one", "two")), .bodies)
        for try await _ in try await client.stream(Request<Data>.get("a")).body {}
        #expect(messages[2] == "#1 … GET https://h/a, the start of the stream:\n  hello")
        #expect(messages[3].hasPrefix("#1 ← 200 OK"))
        _ = try await client.stream(Request<Data>.get("b"))
        #expect(messages.count == 7 && messages[6].hasPrefix("#2 ✗ GET https://h/b (0.0 ms): ") && entries.values[6].level == .info)
    }

    @Test("A stream whose status is rejected is logged once with its body")
    func rejectedStream() async {
        let client = client(MockTransport(.stream("broken", status: 500)), .bodies)
        await #expect(throws: HTTPError.self) { try await client.stream(Request<Data>.get("a")) }
        #expect(messages.last?.hasPrefix("#1 ← 500 Internal Server Error GET https://h/a") == true)
        #expect(text.split(separator: "broken", omittingEmptySubsequences: false).count == 2)
    }

    @Test("A response from a cache is logged without the body of another response")
    func cached() async throws {
        let transport = MockTransport(
            .text("fresh", headers: [.cacheControl: "max-age=0, stale-if-error=60"]), .text("broken", status: 503))
        let cached = CachedOnce()
        let client = client(transport, .bodies, interceptors: [cached])
        _ = try await client.send(Request<String>.get("a"))
        #expect(try await client.send(Request<String>.get("a")) == "fresh")
        #expect(messages[3].hasPrefix("#2 ← 200 OK GET https://h/a (0.0 ms)") && !messages[3].contains("broken"))
    }

    @Test("Less important entries are not passed on, and a release build logs an outline")
    func limits() async throws {
        let client = client(MockTransport(.json("{}"), .status(404)), from: .warning)
        _ = try await client.send(Request<Data>.get("a"))
        _ = await client.result(of: Request<Data>.get("b"))
        #expect(messages.map { $0.prefix(8) } == ["#2 ← 404"])

        let released = LoggingObserver(
            .bodies, .outline, LogSink { [entries] in entries.append($0) }, .debug, 4_096, isDebugBuild: false)
        let user = 7
        _ = await HTTPClient(baseURL: base, transport: MockTransport(.json("[]")), observers: [released], time: time)
            .result(of: Request<Value>.get("users/\(user)", query: ["q": "x"]))
        #expect(messages.suffix(2) == ["#1 → GET https://h users/{}", "#1 ✗ GET https://h users/{} (0.0 ms): Decoding failed"])
        #expect(LoggingObserver.defaultSink(isDebugBuild: false) == nil && LoggingObserver().sink != nil)
    }

    @Test("A server's text can't imitate an entry, end its line or control a terminal", arguments: LogDetail.allCases)
    func forging(detail: LogDetail) async throws {
        let evil = "a\n#7 ← 200 OK GET https://h/forged\r\n\r#8 \u{1B}[1A\u{9B}2K\u{2028}#8\u{202E}"
        let client = client(MockTransport(.text(evil), .text(evil)), detail)
        #expect(try await client.send(Request<String>.get("a")) == evil)
        await #expect(throws: HTTPError.self) { try await client.send(Request<Value>.get("b")) }
        let lines = text.split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix("  ") }.count == 4)
        #expect(lines.filter { $0.hasPrefix("#7") || $0.hasPrefix("#8") }.isEmpty)
        #expect(text.unicodeScalars.filter { Redaction.isControl($0) && $0 != "\n" }.isEmpty)
    }

    private struct Leaking: Error, CustomStringConvertible { let description = "password=s3cret\n#9 ← 200 OK" }

    @Test("No text of any kind of call contains a secret, and no text from outside begins a line")
    func hostile() async throws {
        let transport = MockTransport(
            .status(
                302, headers: ["Location": "https://other/x?access_token=s3cret#id_token=s3cret"]),
            .status(503, headers: ["Set-Cookie": "sid=s3cret", "X-A": "token=s3cret"]),
            .json(#"{"message":"a\n#9 ← 200 OK","access_token":"s3cret"}"#),
            .failure(.networkError(NetworkFailure(.other, context: ErrorContext(underlying: Leaking())))))
        let retry = RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(1))))
        let client = client(transport, .bodies, interceptors: [retry])
        let variables = #"{"query":"query Q { a }","variables":{"password":"s3cret","user":{"pin":"s3cret"}}}"#
        let request = Request<Value>(
            method: .put, url: URL(string: "https://h/a?variables=%7B%22password%22%3A%22s3cret%22%7D&token=s3cret")!,
            headers: ["Authorization": "Bearer s3cret", "X-Api-Key": "s3cret"],
            body: .data(Data(variables.utf8), contentType: "application/json")
        ).named("Put\n#9 token=s3cret")
        for _ in 0..<2 { _ = await client.result(of: request) }
        #expect(messages.count == 4 && !text.contains("s3cret"))
        for message in messages { #expect(message.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("  ") }) }
        #expect(!entries.values.map { "\($0.request.map { "\($0)" } ?? "")" }.joined().contains("s3cret"))
    }
}

/// Returns its first response again in place of a 503, as a cache does with `stale-if-error`.
private struct CachedOnce: Interceptor {
    private let stored = Recorder<HTTPResponse<HTTPBody>>()

    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        let response = try await next(request)
        guard response.status == .serviceUnavailable, var old = stored.values.first else {
            stored.append(response)
            return response
        }
        old.metadata.request = request
        old.metadata.cacheStatus = CacheStatus(isHit: true)
        return old
    }
}
