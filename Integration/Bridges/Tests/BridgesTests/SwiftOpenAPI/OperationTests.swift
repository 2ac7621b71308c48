#if SwiftOpenAPI
import Foundation
import HTTPTypes
import Martlet
import MartletBridges
import MartletTesting
import OpenAPIRuntime
import Testing

/// Operations of generated code over a mock transport.
struct OperationTests {
    static let serverURL = URL(string: "https://birds.example/v1")!
    static let robin = #"{"id":7,"name":"Robin"}"#

    private func birds(
        _ transport: any Transport, _ interceptors: [any Interceptor] = [], observers: [any CallObserver] = [],
        serverURL: URL = serverURL, baseURL: URL? = nil, time: any TimeSource = .system, options: CallOptions = CallOptions()
    ) -> BirdsClient {
        let client = HTTPClient(
            baseURL: baseURL, transport: transport, interceptors: interceptors, observers: observers, time: time)
        return BirdsClient(serverURL: serverURL, transport: MartletClientTransport(client, options: options))
    }

    /// A retry policy whose waits take no time.
    private func retries(_ time: ManualTime = ManualTime()) -> [any Interceptor] { [RetryInterceptor(.standard, time: time)] }

    @Test("Path, query and header parameters are sent as the generated code writes them, and JSON is decoded")
    func parameters() async throws {
        let transport = MockTransport(.json(Self.robin))
        let output = try await birds(transport).getBird(.init(id: "a/b?c", expand: ["x", "y z"], tag: "new"))
        guard case .ok(let bird) = output else { Issue.record("\(output)"); return }
        #expect(bird == Bird(id: 7, name: "Robin"))
        let request = try #require(transport.requests.first)
        #expect(request.url.absoluteString == "https://birds.example/v1/birds/a%2Fb%3Fc?expand=x&expand=y%20z")
        #expect(request.headers["X-Tag"] == "new")
        #expect(request.headers[.accept] == "application/json")
        #expect(request.body == nil)
    }

    @Test(
        "The path is appended to the server URL, with one slash between them",
        arguments: [
            ("https://a.example", "https://a.example/birds/1"), ("https://a.example/", "https://a.example/birds/1"),
            ("https://a.example/v1", "https://a.example/v1/birds/1"), ("https://a.example/v1/", "https://a.example/v1/birds/1"),
            ("https://a.example:8443/v%2F1", "https://a.example:8443/v%2F1/birds/1"),
        ])
    func serverURLs(serverURL: String, url: String) async throws {
        let transport = MockTransport(.json(Self.robin))
        let client = birds(transport, serverURL: try #require(URL(string: serverURL)))
        _ = try await client.getBird(.init(id: "1"))
        #expect(transport.requests.first?.url.absoluteString == url)
    }

    @Test("A path parameter that would change the path, and a relative server URL, are refused", arguments: ["..", ".", ""])
    func refusedParameters(id: String) async throws {
        let transport = MockTransport { _ in .json(Self.robin) }
        let client = birds(transport)
        if id.isEmpty {
            let relative = birds(transport, serverURL: .defaultOpenAPIServerURL)
            #expect(await underlyingError { try await relative.getBird(.init(id: "1")) } == .invalidURL)
        } else {
            #expect(await underlyingError { try await client.getBird(.init(id: id)) } == .invalidURL)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A JSON body is in memory for interceptors, with its length and type")
    func jsonBody() async throws {
        let transport = MockTransport(.json(Self.robin, status: 201)), bodies = Recorder<Martlet::HTTPBody>()
        let output = try await birds(transport, [BodyRecorder(bodies: bodies)]).addBird(Bird(id: 7, name: "Robin"))
        guard case .created = output else { Issue.record("\(output)"); return }
        let body = try #require(bodies.values.first)
        #expect(try JSONDecoder().decode(Bird.self, from: try #require(body.buffered)) == Bird(id: 7, name: "Robin"))
        #expect(transport.requests.first?.headers[.contentType] == "application/json; charset=utf-8")
    }

    @Test("Documented and undocumented statuses are returned with their bodies, and not thrown", arguments: [404, 418, 500, 302, 999])
    func statuses(code: Int) async throws {
        let transport = MockTransport(.data(Data("no".utf8), status: HTTPStatus(rawValue: code), headers: ["X-Why": "1"]))
        let output = try await birds(transport).getBird(.init(id: "1"))
        switch output {
        case .ok: Issue.record("\(output)")
        case .notFound(let body):
            #expect(code == 404)
            #expect(try await String(collecting: try #require(body), upTo: 10) == "no")
        case .undocumented(let status, let payload):
            #expect(status == code)
            #expect(payload.headerFields[try #require(.init("X-Why"))] == "1")
            #expect(try await String(collecting: try #require(payload.body), upTo: 10) == "no")
        }
    }

    @Test("A response without content has no body", arguments: [204, 304])
    func noContent(code: Int) async throws {
        let output = try await birds(MockTransport(.status(HTTPStatus(rawValue: code)))).getBird(.init(id: "1"))
        guard case .undocumented(code, let payload) = output else { Issue.record("\(output)"); return }
        #expect(payload.body == nil)
    }

    @Test("The options of the transport apply, such as a validation")
    func options() async {
        let transport = MockTransport(.json("{}", status: 404))
        let client = birds(transport, options: CallOptions(validation: .successCodes))
        let error = await underlyingError { try await client.getBird(.init(id: "1")) }
        #expect(error?.status == 404)
    }

    // MARK: Interceptors

    @Test("A rejected status is retried, and the response of the last attempt is returned")
    func retriedStatus() async throws {
        let transport = MockTransport(.status(503), .status(503), .json(Self.robin))
        guard case .ok = try await birds(transport, retries()).getBird(.init(id: "1")) else { Issue.record("not ok"); return }
        #expect(transport.requests.count == 3)
        let failing = MockTransport { _ in .status(503) }
        let output = try await birds(failing, retries()).getBird(.init(id: "1"))
        guard case .undocumented(503, _) = output else { Issue.record("\(output)"); return }
        #expect(failing.requests.count > 1)
    }

    @Test("An upload that can be iterated multiple times is retried, with the same bytes")
    func repeatableUpload() async throws {
        let transport = MockTransport(.status(503), .json(Self.robin, status: 201))
        let chunks = (0..<100).map { [UInt8](repeating: $0, count: 1000)[...] }
        let body = OpenAPIRuntime::HTTPBody(AsyncChunks(chunks), length: .known(100_000), iterationBehavior: .multiple)
        guard case .created = try await birds(transport, retries()).upload(body) else { Issue.record("not created"); return }
        #expect(transport.requests.map(\.body?.buffered) == [Data(chunks.joined()), Data(chunks.joined())])
    }

    @Test("An upload that can be iterated once is not retried: the caller gets the response, and a redirect is an error")
    func singleUpload() async throws {
        let transport = MockTransport { _ in .status(503) }
        let output = try await birds(transport, retries()).upload(.once(["a", "b"]))
        guard case .undocumented(503, _) = output else { Issue.record("\(output)"); return }
        #expect(transport.requests.map(\.body?.buffered) == [Data("ab".utf8)])

        let redirecting = MockTransport(.status(307, headers: ["Location": "/other"]))
        let client = birds(redirecting)
        #expect(await underlyingError { try await client.upload(.once(["a"])) } == .bodyNotReplayable)
    }

    @Test("100 concurrent calls that are rejected with 401 cause one refresh")
    func oneRefresh() async throws {
        let transport = MockTransport { request in
            request.headers[.authorization] == "Bearer new" ? .json(Self.robin) : .status(401)
        }
        let tokens = CountedTokens()
        let client = birds(transport, [AuthInterceptor(tokens)])
        try await getHundredBirds(client)
        #expect(tokens.refreshes.values.count == 1)
    }

    @Test("Credentials go to the server URL of a client without a base URL, and to no other origin than its own otherwise")
    func credentials() async throws {
        let transport = MockTransport { _ in .json(Self.robin) }
        let auth = AuthInterceptor(AccessToken("s3cret"))
        _ = try await birds(transport, [auth]).getBird(.init(id: "1"))
        _ = try await birds(transport, [auth], baseURL: URL(string: "https://birds.example")).getBird(.init(id: "1"))
        _ = try await birds(transport, [auth], baseURL: URL(string: "https://cats.example")).getBird(.init(id: "1"))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer s3cret", "Bearer s3cret", nil])
        #expect(transport.requests.allSatisfy { $0.url.host == "birds.example" })
    }

    @Test("A stored response serves a second call")
    func cached() async throws {
        let transport = MockTransport(.json(Self.robin, headers: ["Cache-Control": "max-age=60"]))
        let client = birds(transport, [CacheInterceptor(store: MemoryCacheStore())])
        for _ in 0..<2 {
            guard case .ok(let bird) = try await client.getBird(.init(id: "1")) else { Issue.record("not ok"); return }
            #expect(bird.name == "Robin")
        }
        #expect(transport.requests.count == 1)
    }

    @Test("The operation's ID is the name of the call, and its route in metrics")
    func names() async throws {
        let calls = Recorder<CallInfo>(), labels = Recorder<[CallMetric.Label]>()
        let client = birds(
            MockTransport { _ in .json(Self.robin) },
            observers: [CallNames(calls: calls), MetricsObserver(LabelSink(labels: labels))])
        _ = try await client.getBird(.init(id: "17", expand: ["secret"]))
        #expect(calls.values.map(\.name) == ["getBird"])
        #expect(calls.values.map(\.pathTemplate) == ["getBird"])
        #expect(labels.values.allSatisfy { $0.contains(CallMetric.Label("route", "/getBird")) })
        #expect(!labels.values.isEmpty)
    }

    @Test("A call whose small body is never read ends with its response", arguments: [200, 418])
    func unreadBody(code: Int) async throws {
        let outcomes = Recorder<Result<Martlet::HTTPResponse<Void>?, HTTPError>>()
        let transport = MockTransport(.json(Self.robin, status: HTTPStatus(rawValue: code)))
        _ = try await birds(transport, observers: [CallOutcomes(outcomes: outcomes)]).getBird(.init(id: "1"))
        guard case .success(let head) = try #require(outcomes.values.first) else { Issue.record("\(outcomes.values)"); return }
        #expect(head?.status.rawValue == code)
    }

    // MARK: Errors

    @Test("The error of the client is the underlying error of generated code")
    func typedErrors() async {
        let broken = birds(MockTransport(.failure(.connectionLost)))
        #expect(await underlyingError { try await broken.getBird(.init(id: "1")) } == .connectionLost)
        let cut = birds(MockTransport(.json(Self.robin).disconnecting(afterBodyBytes: 5)))
        #expect(await underlyingError { try await cut.getBird(.init(id: "1")) } == .connectionLost)
        let cutStream = birds(
            MockTransport(
                .stream([Data("{".utf8)], headers: ["Content-Type": "application/json"]).disconnecting(
                    afterBodyBytes: 1)))
        #expect(await underlyingError { try await cutStream.getBird(.init(id: "1")) } == .connectionLost)
    }

    @Test("An error of the body that is sent is the cause of an encoding error")
    func failingUpload() async {
        struct Broken: Error {}
        for length in [OpenAPIRuntime::HTTPBody.Length.unknown, .known(3)] {
            let body = OpenAPIRuntime::HTTPBody(
                AsyncThrowingStream(OpenAPIRuntime::HTTPBody.ByteChunk.self) { $0.finish(throwing: Broken()) }, length: length,
                iterationBehavior: .multiple)
            let client = birds(MockTransport { _ in .json(Self.robin, status: 201) })
            let error = await underlyingError { try await client.upload(body) }
            #expect(error == .encodingFailed)
            #expect(error?.underlying is Broken)
        }
    }

    @Test("Cancelling the task cancels the call")
    func cancellation() async throws {
        let transport = MockTransport(.silence)
        let client = birds(transport)
        let task = Task { await underlyingError { try await client.getBird(.init(id: "1")) } }
        try await transport.waitForRequests()
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("The time limit of a call includes a small body of the response", .timeLimit(.minutes(1)))
    func slowResponse() async throws {
        let time = ManualTime(autoAdvances: false)
        let client = birds(MockTransport(.json(Self.robin).bodyDelayed(by: .seconds(100)), time: time), time: time)
        let call = Task { await underlyingError { try await client.getBird(.init(id: "1")) } }
        // The pause before the body, the idle timeout, and the time limit of the call.
        try await time.waitForTimers(3)
        time.advance(by: .seconds(60))
        #expect(await call.value == .timeout)
    }

    @Test("The time limit of a call includes a small body of the request", .timeLimit(.minutes(1)))
    func slowUpload() async throws {
        let time = ManualTime(autoAdvances: false), transport = MockTransport { _ in .json(Self.robin, status: 201) }
        let client = birds(transport, time: time, options: CallOptions(timeout: .seconds(10)))
        let endless = AsyncThrowingStream(OpenAPIRuntime::HTTPBody.ByteChunk.self) { _ in }
        let body = OpenAPIRuntime::HTTPBody(endless, length: .known(3), iterationBehavior: .multiple)
        let upload = Task { await underlyingError { try await client.upload(body) } }
        try await time.waitForTimers(1)
        time.advance(by: .seconds(10))
        #expect(await upload.value == .timeout)
        #expect(transport.requests.isEmpty)
    }
}
#endif
