import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import Testing

@testable import MartletHAR

@Suite("Calls for the inspector's page", .timeLimit(.minutes(5)))
struct CallMembersTests {
    private struct Log: CallObserver {
        let log: CallLog
        func observe(_ event: CallEvent, of call: CallInfo) { log.add(event, of: call) }
    }

    private struct Bird: Codable, Sendable { var name: String }

    private let log = CallLog(limits: .init(calls: 50, bytes: 1_000_000, bodyBytes: 1_000))

    private func client(_ replies: MockReply..., interceptors: [any Interceptor] = []) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://h/v1/")!, transport: MockTransport(replies: replies), interceptors: interceptors,
            observers: [Log(log: log)])
    }

    private func last() throws -> JSONValue {
        CallMembers(redaction: .standard).value(of: try #require(log.snapshot.calls.last), hasBodies: true)
    }

    @Test("The outcome says what the caller got")
    func outcomes() async throws {
        _ = try await client(.json(#"[{"name":"swift"}]"#)).send(Request<[Bird]>.get("a"))
        #expect(try last()["outcome"] == "decoded [Bird]")
        _ = try await client(.json("null")).send(Request<Bird?>.get("a"))
        #expect(try last()["outcome"] == "decoded Bird?")
        _ = try await client(.text("a")).send(Request<Data>.get("a"))
        #expect(try last()["outcome"] == "the body as Data")
        try await client(.status(204)).send(Request<Void>.delete("a"))
        #expect(try last()["outcome"] == "no value")
        _ = await client(.status(404)).result(of: Request<Bird>.get("a"))
        #expect(try last()["outcome"] == nil)
        #expect(try last()["error"]?["text"]?.stringValue?.contains("https://h") == false)
    }

    @Test("Errors in place of a GraphQL operation's data are its failure, and errors beside data a decision")
    func graphQLErrors() async throws {
        let operation = GraphQLOperation<JSONValue>("{ a }")
        let refused = client(.json(#"{"errors":[{"message":"no"}]}"#))
        _ = try await GraphQLClient(refused).result(of: operation)
        let failed = try last()
        #expect(failed["state"] == "failed" && failed["status"] == 200)
        #expect(failed["error"] == ["case": "graphQLErrors", "stage": "validation", "text": "GraphQL errors: no"])
        let partial = client(.json(#"{"data":{"a":1},"errors":[{"message":"s3cret token=s3cret"}]}"#))
        _ = try await GraphQLClient(partial).result(of: operation)
        let noted = try last()
        #expect(noted["state"] == "succeeded" && noted["error"] == nil)
        let texts = noted["timeline"]?.arrayValue?.filter { $0["kind"] == "decision" }.compactMap { $0["text"]?.stringValue } ?? []
        #expect(texts.count == 1 && texts[0].hasPrefix("GraphQL errors beside data: ") && !texts[0].contains("token=s3cret"))
        #expect(try decisions(.outline) == ["GraphQL errors beside data"])
    }

    /// Returns the decisions in the timeline of the last call.
    private func decisions(_ detail: LogDetail) throws -> [String] {
        let call = try #require(log.snapshot.calls.last)
        let members = CallMembers(redaction: .standard, detail: detail).value(of: call, hasBodies: false)
        return (members["timeline"]?.arrayValue ?? []).filter { $0["kind"] == "decision" }.compactMap { $0["text"]?.stringValue }
    }

    @Test("An outline has no note, whose words an app chooses")
    func notes() async throws {
        let breaker = CircuitBreaker(CircuitBreaker.Rules(minimumCalls: 1))
        let client = client(.status(500), interceptors: [breaker])
        for _ in 0..<2 { _ = await client.result(of: Request<Data>.get("a")) }
        #expect(try decisions(.basic).map { $0.hasPrefix("not sent, because the circuit of") } == [true])
        #expect(try decisions(.outline).isEmpty)
    }

    @Test("A request that is refused before it is sent has its method and URL, and without a URL its method")
    func refused() async throws {
        _ = await client().result(of: Request<Data>.put("a", query: ["token": "s3cret"]).header("Upgrade", "x"))
        #expect(try last()["method"] == "PUT" && last()["attempts"] == [])
        #expect(
            try last()["url"]?.stringValue?.hasPrefix("https://h/v1/a?token=") == true && last()["url"] != "https://h/v1/a?token=s3cret")
        let client = HTTPClient(transport: MockTransport(), observers: [Log(log: log)])
        _ = await client.result(of: Request<Data>.delete("a"))
        #expect(try last()["method"] == "DELETE" && last()["url"] == "")
    }

    @Test("The wait for a credential is a refresh with its duration, and an outline does not say why there is none")
    func credential() async throws {
        let time = ManualTime()
        struct Tokens: TokenProvider {
            let time: ManualTime
            func token() async throws -> AccessToken? {
                time.advance(by: .milliseconds(250))
                throw HTTPError.connectionRefused
            }
            func token(replacing rejected: AccessToken) async throws -> AccessToken? { nil }
        }
        let client = client(interceptors: [AuthInterceptor(Tokens(time: time), time: time)])
        _ = await client.result(of: Request<Data>.get("a"))
        let call = try #require(log.snapshot.calls.last)
        for (detail, text) in [(LogDetail.outline, "no credential was obtained"), (.basic, "no credential was obtained (250 ms): Auth")] {
            let moments = CallMembers(redaction: .standard, detail: detail).value(of: call, hasBodies: false)["timeline"]?.arrayValue ?? []
            let moment = try #require(moments.first { $0["kind"] == "refresh" })
            #expect(moment["duration"] == 0.25 && moment["text"]?.stringValue?.hasPrefix(text) == true)
        }
    }

    @Test("An attempt that the end of its call interrupts has ended as the call", arguments: [true, false])
    func interrupted(isTimeout: Bool) async throws {
        let call = ObservedCall(
            .request, name: "x", pathTemplate: "", operations: [], tags: [], observers: [Log(log: log)], time: SystemTime())
        call.started(nil)
        _ = call.record.beginAttempt(HTTPRequest(url: URL(string: "https://h/")!))
        call.ended(.failure(isTimeout ? .timeout : .cancelled))
        #expect(try last()["attempts"]?[0]?["error"] == .string(isTimeout ? "timed out" : "cancelled"))
    }

    @Test("Swift code repeats the call without its secrets, and each text is a literal")
    func swift() async throws {
        let request = Request<Bird>.post("a?q=1", body: .text("\"\\(secret)\n\u{202E}\u{0007}é")).header("X-Kind", "\"a\\").header(
            .authorization, "Bearer s3cret")
        _ = try await client(.json(#"{"name":"swift"}"#)).send(request)
        let code = try #require(try last()["swift"]?.stringValue)
        #expect(
            code == #"""
                // Without the secrets in "Authorization".
                let request = Request<Bird>.post(url: URL(string: "https://h/v1/a?q=1")!, body: .data(Data("\"\\(secret)\n\u{202e}\u{7}é".utf8), contentType: "text/plain; charset=utf-8"))
                    .header("X-Kind", "\"a\\")
                let value = try await client.send(request)

                """#)
        _ = try await client(.json("{}")).send(Request<Data>(method: "QUERY", path: "b"))
        #expect(try last()["swift"]?.stringValue?.contains(#"Request<Data>(method: "QUERY", url: "#) == true)
    }

    @Test("Code and commands say that a body was not recorded completely")
    func largeBody() async throws {
        _ = try await client(.json("{}")).send(Request<Data>.post("a", body: .text(String(repeating: "a", count: 2_000))))
        let call = try last()
        #expect(call["swift"]?.stringValue?.contains("// Without the body of 2000 bytes") == true)
        #expect(call["curl"]?.stringValue?.contains("aaaa") == false)
        #expect(call["attempts"]?[0]?["request"]?["body"]?["isTruncated"] == true)
        #expect(call["attempts"]?[0]?["request"]?["body"]?["size"] == 2_000)
    }

    @Test("Secrets are masked in a body that was cut, also within a character and within the secret")
    func cutBodies() async throws {
        for type in ["application/json", "text/plain", ""] {
            for offset in 0..<24 {
                let filler = String(repeating: "a", count: 960 + offset)
                let text = #"{"filler":"\#(filler)","password":"s3cret-s3cret-ééééé","token":"s3cret"}"#
                _ = try await client(.data(Data(text.utf8), headers: ["Content-Type": type])).send(Request<Data>.get("a"))
                let body = try last()["attempts"]?[0]?["response"]?["body"]
                #expect(body?["isTruncated"] == true)
                #expect(body?["text"] != nil, "\(type) \(offset)")
                #expect(!"\(body ?? .null)".contains("s3cret"), "\(type) \(offset)")
                #expect(!String(decoding: log.har(redaction: .standard), as: UTF8.self).contains("s3cret"))
                log.clear()
            }
        }
    }

    @Test("The fields that interceptors do not add for another origin are removed fields")
    func removedFields() async throws {
        let client = client(
            .status(302, headers: [.location: "/b"]), .status(307, headers: [.location: "https://other/c"]), .json("{}"),
            interceptors: [AuthInterceptor(AccessToken("s3cret"))])
        _ = try await client.send(Request<Data>.get("a"))
        let attempts = try last()["attempts"]?.arrayValue ?? []
        #expect(attempts.map { $0["removedFields"] } == [[], [], ["Authorization"]])
    }

    @Test("A wait, a refused retry and a cache's decision are told in words, and a success adds no decision")
    func timeline() async throws {
        let client = client(
            .status(503), .json("{}", headers: ["Cache-Control": "max-age=60"]),
            interceptors: [CacheInterceptor(store: MemoryCacheStore()), RetryInterceptor(time: ManualTime())])
        _ = try await client.send(Request<Data>.get("a"))
        let kinds = (try last()["timeline"]?.arrayValue ?? []).compactMap { $0["kind"]?.stringValue }
        #expect(kinds.filter { $0 == "decision" }.isEmpty)
        #expect(kinds.filter { $0 == "wait" }.count == 1)
        #expect(try last()["cache"]?["text"] == "No response is stored for this URL. The response was stored.")
        _ = try await client.send(Request<Data>.get("a"))
        #expect(try last()["cache"]?["verdict"] == "hit")
        #expect(try last()["cache"]?["text"]?.stringValue?.hasPrefix("A stored response was used, fresh for another ") == true)
    }

    @Test("An attempt that outlives its cancelled call ended with it")
    func unfinishedAttempt() async throws {
        let client = client(.silence)
        let task = Task { await client.result(of: Request<Data>.get("a")) }
        while log.snapshot.calls.first?.attempts.isEmpty != false { await Task.yield() }
        task.cancel()
        _ = await task.value
        let attempt = try last()["attempts"]?[0]
        #expect(try last()["state"] == "cancelled")
        #expect(attempt?["error"] == "cancelled")
        #expect(attempt?["duration"]?.doubleValue != nil)
    }

    @Test("A failed connection has the stage of connecting")
    func stage() async throws {
        _ = await client(.failure(.networkError(NetworkFailure(.connectionRefused)))).result(of: Request<Data>.get("a"))
        #expect(try last()["error"]?["stage"] == "connecting")
        #expect(try last()["error"]?["case"] == "connectionRefused")
    }
}
