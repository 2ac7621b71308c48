internal import MartletEssentials
internal import MartletSystem

/// The context of a case over a transport: the transport, the servers, and the log of the case.
final class CaseContext: ConformanceContext {
    private struct State {
        var servers: [MockServer] = []
        var calls: [Task<Outcome, Never>] = []
    }

    let options: TransportConformance.Options
    let transport: any Transport
    let log = Locked(CaseLog())
    private let state = Locked(State())

    init(options: TransportConformance.Options, transport: any Transport) {
        self.options = options
        self.transport = transport
    }

    // MARK: Servers

    /// Starts a server that sends `replies`. It is stopped when the case ends.
    func serve(_ replies: MockReply..., options: MockServer.Options = .init()) async throws(HTTPError) -> MockServer {
        let server = keep(try await MockServer.start(options: options))
        server.enqueue(replies)
        return server
    }

    /// Starts a server that sends the replies of `handler`. It is stopped when the case ends.
    func serve(
        options: MockServer.Options = .init(), handler: @escaping @Sendable (RecordedRequest) async throws -> MockReply
    ) async throws(HTTPError) -> MockServer {
        keep(try await MockServer.start(options: options, handler))
    }

    private func keep(_ server: MockServer) -> MockServer {
        state.withLock { $0.servers.append(server) }
        return server
    }

    /// Cancels the running calls and stops the servers.
    func end() async {
        step("stopping the servers")
        let (servers, calls) = state.withLock { state in
            defer { (state.servers, state.calls) = ([], []) }
            return (state.servers, state.calls)
        }
        for call in calls { call.cancel() }
        for server in servers { await server.stop() }
    }

    // MARK: Calls

    /// Sends a request directly to the transport and reads the body of the response.
    func exchange(_ request: HTTPRequest) async -> Outcome {
        let name = "\((request.context.streamsBody ? BodyDelivery.streamed : .buffered).words) \(request.method) \(request.url.path)"
        step("\(name), waiting for the response")
        let response: HTTPResponse<HTTPBody>
        do { response = try await transport.send(request) } catch { return .failed(error, bytes: 0) }
        step("\(name), reading the body")
        var body = Data()
        var iterator = response.body.makeAsyncIterator()
        do {
            while let chunk = try await iterator.next() { body.append(chunk) }
        } catch { return .failed(error, bytes: body.count) }
        return .answer(
            Outcome.Answer(
                status: response.status, headers: response.headers, body: body, trailers: response.metadata.trailers,
                wasContentCoded: response.metadata.wasContentCoded))
    }

    /// Starts ``exchange(_:)`` in a task that is cancelled at the end of the case.
    func start(_ request: HTTPRequest) -> Task<Outcome, Never> {
        let call = Task { await exchange(request) }
        state.withLock { $0.calls.append(call) }
        return call
    }

    /// Returns a client over the transport, with the server as its base.
    func client(
        _ server: MockServer, _ configuration: HTTPClient.Configuration, interceptors: [any Interceptor] = []
    ) -> HTTPClient {
        HTTPClient(baseURL: server.url, transport: transport, interceptors: interceptors, configuration: configuration)
    }

    /// Starts a client's call in a task that is cancelled at the end of the case.
    func start(_ request: Request<Data>, over client: HTTPClient) -> Task<Outcome, Never> {
        step("\(request.method) \(request.path) by a client, waiting for the value")
        let call = Task { () -> Outcome in
            switch await client.result(of: request) {
            case .success(let body): .answer(Outcome.Answer(status: .ok, headers: [:], body: body, trailers: [:]))
            case .failure(let error): .failed(error, bytes: 0)
            }
        }
        state.withLock { $0.calls.append(call) }
        return call
    }

    // MARK: Requests

    /// Creates a request to a path of a server.
    func request(
        _ server: MockServer, _ method: HTTPMethod = .get, _ path: String = "", headers: HTTPFields = [:], body: HTTPBody? = nil,
        delivery: BodyDelivery = .buffered
    ) throws(HTTPError) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: try url(server.url.absoluteString + path), headers: headers, body: body)
        request.context.streamsBody = delivery == .streamed
        return request
    }

    func url(_ text: String) throws(HTTPError) -> URL {
        guard let url = URL(string: text) else { throw .invalidURL(Explanation(text)) }
        return url
    }

    /// Waits until the server has no open connections.
    func waitUntilClosed(_ server: MockServer) async throws {
        step("waiting until the connection is closed")
        try await server.waitForOpenConnections(atMost: 0)
    }

    // MARK: Expectations

    /// Notes a mismatch if a value differs from the expected one.
    func expect<Value: Equatable>(_ subject: String, _ seen: Value, is expected: Value) {
        guard seen != expected else { return }
        note(Mismatch(subject, expected: CaseContext.text(expected), seen: CaseContext.text(seen)))
    }

    /// Notes a mismatch unless the outcome is a response with a status and a body. Returns the response if there is one.
    @discardableResult
    func expect(_ subject: String, _ outcome: Outcome, status: HTTPStatus = .ok, body: Data? = nil) -> Outcome.Answer? {
        guard let answer = outcome.answer else {
            note(Mismatch(subject, expected: "\(status.rawValue)", seen: "\(outcome)"))
            return nil
        }
        expect("\(subject), the status", answer.status.rawValue, is: status.rawValue)
        if let body, body != answer.body {
            note(Mismatch("\(subject), the body", expected: CaseContext.text(body), seen: CaseContext.text(answer.body)))
        }
        return answer
    }

    /// Notes a mismatch unless the outcome is an expected error.
    func expect(_ subject: String, _ outcome: Outcome, fails expected: ExpectedError) {
        if case .failed(let error, _) = outcome, expected.matches(error) { return }
        note(Mismatch(subject, expected: expected.words, seen: "\(outcome)"))
    }

    private static func text(_ value: some Any) -> String {
        switch value {
        case let data as Data where data.count > 60 || String(validUTF8: data) == nil: "\(data.count) bytes of different content"
        case let data as Data: "“\(String(decoding: data, as: UTF8.self))”"
        case let text as String: "“\(text)”"
        default: "\(value)"
        }
    }
}

typealias Case = TransportConformance.Case
