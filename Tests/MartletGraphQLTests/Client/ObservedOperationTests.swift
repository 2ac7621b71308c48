import MartletEssentials
import MartletGraphQL
import MartletTesting
import Testing

@Suite("Observed operations", .timeLimit(.minutes(5)))
struct ObservedOperationTests {
    private final class Log: CallObserver {
        let events = Recorder<(event: CallEvent, call: CallInfo)>()

        func observe(_ event: CallEvent, of call: CallInfo) { events.append((event, call)) }

        var calls: [CallInfo] {
            events.values.compactMap { if case .started = $0.event { $0.call } else { nil } }
        }

        var outcomes: [CallOutcome] {
            events.values.compactMap { if case .ended(let outcome, _) = $0.event { outcome } else { nil } }
        }
    }

    private let log = Log()

    private func client(_ replies: MockReply..., configuration: GraphQLClient.Configuration = .init()) -> GraphQLClient {
        let http = HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(replies: replies), observers: [log])
        return GraphQLClient(http, configuration: configuration)
    }

    private static let hero = GraphQLOperation<JSONValue>("query Hero { hero }")
    private static let rename = GraphQLOperation<JSONValue>("mutation Rename { rename }")

    private func isDecoding(_ outcome: CallOutcome?) -> Bool {
        if case .failure(.decodingFailed)? = outcome { true } else { false }
    }

    @Test("An operation is one call with its name and type, and its decoding error is the outcome")
    func operation() async throws {
        let client = client(.json(#"{"data":{"hero":1}}"#), .json(#"{"data":{"hero":1}}"#))
        _ = try await client.execute(Self.hero)
        struct Hero: Decodable, Sendable { var hero: String }
        _ = try? await client.result(of: GraphQLOperation<Hero>("query Hero { hero }"))
        #expect(log.calls.map(\.kind) == [.graphQL, .graphQL])
        #expect(log.calls.first?.operations == [.init(name: "Hero", type: "query")])
        #expect(log.calls.first?.name == "query Hero")
        guard case .success(let head)? = log.outcomes.first else { throw Unexpected() }
        #expect(head?.status == 200 && log.outcomes.count == 2 && isDecoding(log.outcomes.last))
    }

    private struct Unexpected: Error {}

    @Test("A batch is one call with all of its operations")
    func batch() async throws {
        let client = client(.json(#"[{"data":{"hero":1}},{"data":{"rename":1}}]"#))
        _ = try await client.batch(Self.hero, Self.rename)
        #expect(log.calls.count == 1 && log.outcomes.count == 1)
        #expect(log.calls.first?.operations.map(\.type) == ["query", "mutation"])
    }

    @Test("Observers do not keep identical queries from sharing a response")
    func shared() async throws {
        let client = client(.json(#"{"data":{"hero":1}}"#).delayed(by: .milliseconds(50)), configuration: .init(deduplicatesQueries: true))
        async let first = client.execute(Self.hero)
        async let second = client.execute(Self.hero)
        _ = try await (first, second)
        #expect(log.outcomes.count == 2)
    }

    @Test("A subscription is one call that ends with its last result")
    func subscription() async throws {
        let client = client(
            .text(
                "event: next\ndata: {\"data\":{\"n\":1}}\n\nevent: complete\ndata:\n\n", headers: [.contentType: "text/event-stream"]))
        var count = 0
        for try await _ in client.subscribe(GraphQLOperation<JSONValue>("subscription Count { n }"), options: .init()) { count += 1 }
        #expect(count == 1 && log.calls.count == 1 && log.outcomes.count == 1)
        #expect(log.calls.first?.operations.map(\.type) == ["subscription"])
        guard case .success? = log.outcomes.first else { throw Unexpected() }
    }

    @Test("The requests of one operation have idempotency keys of their own, as without observers", arguments: [true, false])
    func idempotencyKeys(isObserved: Bool) async throws {
        let transport = MockTransport(
            .json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#), .status(307, headers: [.location: "/other"]),
            .json(#"{"data":{"rename":1}}"#))
        let http = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: [IdempotencyKeyInterceptor()],
            observers: isObserved ? [log] : [])
        _ = try await GraphQLClient(http, configuration: .init(persistedQueries: .automatic())).execute(Self.rename)
        let keys = transport.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 3 && !keys.contains(nil))
        // The second request has other content; its redirect is the same request.
        #expect(keys[0] != keys[1] && keys[1] == keys[2])
    }

    @Test("A stored response is one call, and the later request that renews it is another call with the same operation")
    func renewed() async throws {
        let http = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: MockTransport { _ in .json(#"{"data":{"hero":1}}"#) }, observers: [log])
        let client = GraphQLClient(http, configuration: .init(cache: GraphQLDocumentCache()))
        _ = try await client.execute(Self.hero)
        _ = try await client.execute(Self.hero, options: .init(cachePolicy: .cacheAndNetwork))
        while log.outcomes.count < 3 { await Task.yield() }
        let counts = log.outcomes.map { outcome -> Int? in
            if case .success(let head) = outcome { head?.trace.attempts.count } else { nil }
        }
        #expect(counts.sorted { ($0 ?? 0) < ($1 ?? 0) } == [0, 1, 1])
        #expect(log.calls.map(\.kind) == [.graphQL, .graphQL, .graphQL])
        #expect(log.calls.allSatisfy { $0.operations.map(\.name) == ["Hero"] })
    }

    private struct Tokens: TokenProvider {
        func token() async throws -> AccessToken? { AccessToken("old") }
        func token(replacing rejected: AccessToken) async throws -> AccessToken? { AccessToken("new") }
    }

    @Test("A credential that is rejected in a 200 and renewed is a step of the call, between its attempts")
    func renewal() async throws {
        let transport = MockTransport(.json(Wire.refused), .json(#"{"data":{"hero":1}}"#))
        let http = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: [AuthInterceptor(Tokens())], observers: [log])
        let response = try await GraphQLClient(http).response(for: Self.hero)
        let steps = response.http.trace.steps.map { step in
            switch step.kind {
            case .attempt: "attempt"
            case .renewal(let renewal): "renewal " + (renewal.failure ?? "")
            default: "\(step)"
            }
        }
        #expect(steps == ["attempt", "renewal ", "attempt"] && log.calls.count == 1)
    }

    @Test("The log names the operations of a call, and hides the secrets of variables")
    func log() async throws {
        let entries = Recorder<LogEntry>()
        let transport = MockTransport(.json(#"{"data":{"hero":1}}"#), .json(#"{"data":{"hero":1}}"#))
        let http = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport,
            observers: [LoggingObserver(detail: .bodies, maxDetailInRelease: .bodies) { entries.append($0) }])
        let operation = GraphQLOperation<JSONValue>("query Hero($password: String) { hero }", variables: ["password": "s3cret"])
        for byGET in [false, true] {
            _ = try await GraphQLClient(http, configuration: .init(sendsQueriesByGET: byGET)).execute(operation)
        }
        let text = entries.values.map(\.message).joined(separator: "\n")
        #expect(entries.values.count == 4 && !text.contains("s3cret"))
        #expect(entries.values.allSatisfy { $0.message.prefix { $0 != "\n" }.contains(" query Hero") })
    }

    @Test("An operation that can't be sent is a call that fails without a request")
    func invalid() async throws {
        _ = try? await client().result(of: GraphQLOperation<JSONValue>("query {"))
        guard case .started(nil)? = log.events.values.first?.event, case .failure(.invalidRequest)? = log.outcomes.first else {
            throw Unexpected()
        }
    }
}
