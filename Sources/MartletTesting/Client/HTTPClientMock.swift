public import MartletEssentials
internal import MartletSystem

/// A client that returns stubbed responses without a network, for tests of code that uses an `any HTTPClientProtocol`.
///
/// ```swift
/// let mock = HTTPClientMock()
/// mock.on(GetUser.self) { endpoint in User(id: endpoint.id, name: "n") }
/// mock.on(ListUsers.self, .status(503), .value([ada]))  // in this order; the last one is repeated
/// #expect(try await UserRepository(http: mock).user(3).name == "n")
/// try mock.verify()
/// ```
///
/// Stubs for the endpoint's type come first, those with a condition before the one without, then ``result``. A call without a stub throws
/// `.invalidRequest` with a list of the stubs. Validation and decoding work as in a client: a status that the endpoint does not accept
/// throws `.statusCode`, a body that can't be decoded throws `.decodingFailed`, and an endpoint with an invalid request throws the client's
/// error. Errors have the request; its URL is below `http://mock.invalid/` if the endpoint has no base URL. Mocks are independent of each
/// other, and a mock supports any number of concurrent calls.
public final class HTTPClientMock: HTTPClientProtocol {
    private typealias Stub = ClientStub<any Endpoint, HTTPError>

    private let stubs = Locked(ClientStubs<any Endpoint, HTTPError>())
    private let requested = Recorder<any Endpoint>()
    private let sent = Recorder<HTTPRequest>()
    private let accepted = Recorder<ServerWebSocket>()
    private let emptyDefault = Locked(false)
    private let services: ClientServices
    /// The group of the calls that wait for their responses, with which they can be cancelled and drained.
    public let calls: CallGroup? = CallGroup()
    /// The decoder with which stubbed bodies are decoded.
    public let decoder: any BodyDecoder
    /// The time source for the delays of stubs.
    public let time: any TimeSource
    /// The source of random numbers for the jitter of waits.
    public let random: any RandomSource
    /// The observers of every call.
    public let observers: [any CallObserver]

    /// Creates a mock without stubs. Defaults: the decoder `.json`, the system's time and random numbers.
    public init(
        decoder: any BodyDecoder = .json, time: any TimeSource = .system, random: any RandomSource = .system,
        observers: [any CallObserver] = []
    ) {
        self.decoder = decoder
        self.time = time
        self.random = random
        self.observers = observers
        services = ClientServices(time: time, random: random, decoder: decoder)
    }

    // MARK: Stubs

    /// Whether a call without a stub returns an empty response with status 204 instead of throwing. Default: false.
    public var defaultsToEmpty: Bool {
        get { emptyDefault.withLock { $0 } }
        set { emptyDefault.withLock { $0 = newValue } }
    }

    /// The result of every call without a stub, which is a body to decode with status 200, or an error, or nil. Default: nil.
    public var result: Result<Data, HTTPError>? {
        get { stubs.withLock { $0.result } }
        set { stubs.withLock { $0.result = newValue } }
    }

    /// Stubs the calls of one endpoint type with a closure that returns the decoded value or throws.
    ///
    /// - Parameters:
    ///   - type: The endpoint's type.
    ///   - condition: The endpoints of the type that the stub applies to, such as a case of an enum or a path. If several conditions hold,
    ///     the latest stub applies. Default: nil, all endpoints that no conditional stub matches; such a stub replaces an earlier one for
    ///     the type.
    ///   - answer: Returns the value for an endpoint, or throws.
    public func on<E: Endpoint>(
        _ type: E.Type, where condition: (@Sendable (E) -> Bool)? = nil,
        answer: @escaping @Sendable (E) async throws(HTTPError) -> E.Response
    ) {
        let script = Stub.Script { endpoint in
            guard let endpoint = endpoint as? E else {
                return .failure(.invalidRequest("a stub for \(E.self) was used for another endpoint"))
            }
            do throws(HTTPError) { return .value(try await answer(endpoint)) } catch { return .failure(error) }
        }
        add(type, condition, script)
    }

    /// Stubs the calls of one endpoint type with responses in order, of which the last is repeated.
    ///
    /// ```swift
    /// mock.on(API.self, where: { if case .user(1) = $0 { true } else { false } }, .status(404))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The endpoint's type.
    ///   - condition: The endpoints that the stub applies to, as in ``on(_:where:answer:)``.
    ///   - answer: The first response.
    ///   - more: The following responses.
    public func on<E: Endpoint>(
        _ type: E.Type, where condition: (@Sendable (E) -> Bool)? = nil, _ answer: StubbedResponse<E.Response>,
        _ more: StubbedResponse<E.Response>...
    ) {
        add(type, condition, Stub.Script(([answer] + more).map { ($0.answer, $0.delay) }))
    }

    private func add<E: Endpoint>(_ type: E.Type, _ condition: (@Sendable (E) -> Bool)?, _ script: Stub.Script) {
        // An endpoint of a subclass needs stubs of its own.
        let stub = Stub(type, condition, script) { Swift.type(of: $0) == type ? $0 as? E : nil }
        stubs.withLock { $0.add(stub) }
    }

    /// Throws if stubs or responses of stubs were not used by any call, and names them.
    public func verify() throws(UnusedStubsError) {
        try UnusedStubsError.check(stubs.withLock { $0.unused })
    }

    // MARK: Recorded calls

    /// The endpoints and requests that were sent so far, in order, also those without a stub.
    public var requestedEndpoints: [any Endpoint] { requested.values }

    /// Returns the endpoints of one type that were sent so far, in order.
    public func requested<E: Endpoint>(_ type: E.Type) -> [E] { requestedEndpoints.compactMap { $0 as? E } }

    /// The requests of the endpoints that were sent so far, in order, as in `mock.requests.first?.json`. Their URLs are below
    /// `http://mock.invalid/` if the endpoint has no base URL. Bodies from files and streams are not read and count as empty.
    public var requests: [HTTPRequest] { sent.values }

    /// Returns the requests sent so far that match, in order.
    public func requests(matching matcher: RequestMatcher) -> [HTTPRequest] { requests.filter { $0.matches(matcher) } }

    /// Waits until `count` calls have been made, without a time limit, and returns the endpoints of the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [any Endpoint] { try await requested.first(count) }

    /// The WebSockets that were accepted so far, in order, each with what the app has sent and a way to continue its script.
    public var webSockets: [ServerWebSocket] { accepted.values }

    /// Waits until `count` WebSockets have been accepted, without a time limit, and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForWebSockets(_ count: Int = 1) async throws(CancellationError) -> [ServerWebSocket] {
        try await accepted.first(count)
    }

    // MARK: Responding

    /// Responds to a call with the stub's value, or with the validated and decoded body of its response or of ``result``.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        try await observing(.request, endpoint, options, head: { $0.map { _ in } }) { options async throws(HTTPError) in
            try await response(to: endpoint, options, decoding)
        }
    }

    private func response<E: Endpoint, Value: Sendable>(
        to endpoint: E, _ options: CallOptions, _ decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        let (request, answer) = try await answerAsCall(to: endpoint, options, accept: decoding.usesDecoder ? decoder.accept : "*/*")
        if case .value(let value) = answer, let value = value as? Value {
            return HTTPResponse(status: .ok, body: value, metadata: request.metadataOfAnswer)
        }
        let response = try response(answer, to: endpoint, options, request) {
            "returned a value of type \($0), but the call expects \(Value.self)"
        }
        do throws(HTTPError) { return try decoding.value(of: response, with: decoder) } catch {
            throw error.completed(request: request, stage: .decoding)
        }
    }

    /// Responds to a streamed call with the bytes of the stub's response, of its value if that is `Data`, or of ``result``.
    @concurrent public func stream<E: Endpoint>(
        _ endpoint: E, options: CallOptions
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await observing(.stream, endpoint, options, head: { $0.map { _ in } }) { options async throws(HTTPError) in
            let (request, answer) = try await answerAsCall(to: endpoint, options, accept: "*/*")
            return try response(answer, to: endpoint, options, request) { _ in "does not return Data, but the call expects a stream" }.map {
                HTTPBody($0)
            }
        }
    }

    /// Returns the validated response of an answer. `mismatch` describes the error if a stubbed value is not bytes.
    private func response<E: Endpoint>(
        _ answer: Stub.Answer, to endpoint: E, _ options: CallOptions, _ request: HTTPRequest, mismatch: (any Any.Type) -> String
    ) throws(HTTPError) -> HTTPResponse<Data> {
        var response: HTTPResponse<Data>
        switch answer {
        case .failure(let error): throw error.completed(request: request, stage: .exchange)
        case .response(let answered): response = answered
        case .value(let data as Data): response = HTTPResponse(status: .ok, body: data)
        case .value(let value):
            let error = HTTPError.invalidRequest(Explanation("the stub for \(E.self) \(mismatch(Swift.type(of: value)))"))
            throw error.completed(request: request, stage: .exchange)
        }
        response.metadata.request = response.metadata.request ?? request
        guard options.validation(of: endpoint).accepts(response.status) else { throw .statusCode(response) }
        return response
    }

    /// Responds like a real client: `cancelAll()` ends the wait for a response, and a draining mock refuses new calls.
    private func answerAsCall<E: Endpoint>(
        to endpoint: E, _ options: CallOptions, accept: String
    ) async throws(HTTPError) -> (request: HTTPRequest, answer: Stub.Answer) {
        try await asOneCall { () async throws(HTTPError) in try await self.answer(to: endpoint, options, accept: accept) }
    }

    private func answer<E: Endpoint>(
        to endpoint: E, _ options: CallOptions, accept: String
    ) async throws(HTTPError) -> (request: HTTPRequest, answer: Stub.Answer) {
        // Events, pages and downloads wrap the endpoint. Its stub is registered for the original type.
        let original = (endpoint as? any AdjustsEndpoint)?.original ?? endpoint
        // Conditions are code of the test and must run outside the lock.
        let all = stubs.withLock { $0.stubs }
        let stub = all.last { $0.key == nil && $0.fits(original) } ?? all.last { $0.key != nil && $0.fits(original) }
        let made = Result { () throws(HTTPError) in
            var request = try endpoint.request(options, baseURL: baseURL, accept: accept, encoder: .json)
            request.context.upgrade?.prepare(&request)
            return request
        }
        let (next, result) = stubs.withLock { stubs in
            // Recorded and answered in one step, so that concurrent calls get their responses in the recorded order.
            requested.append(original)
            if case .success(let request) = made { sent.append(request) }
            return (stub.map { stubs.take(from: $0) { $0.next() } }, stubs.result)
        }
        var request = try made.get()
        request.context.services = services
        if let observed = request.context.observedCall {
            request.context.record = observed.record
            observed.started(request)
        }
        do throws(HTTPError) {
            if Task.isCancelled { throw .cancelled }
            if let next {
                try await TaskDeadline.wait(next.delay, time: time)
                let answer = await next.answer(original)
                guard case .value(let reply as MockReply) = answer else { return (request, answer) }
                return (request, .response(try await response(of: reply, to: request)))
            }
            try await TaskDeadline.wait(.zero, time: time)
            switch result {
            case .success(let data): return (request, .response(HTTPResponse(status: .ok, body: data)))
            case .failure(let error): throw error
            case nil:
                if defaultsToEmpty { return (request, .response(HTTPResponse(status: .noContent, body: Data()))) }
                throw .invalidRequest(unstubbed(request, type(of: original)))
            }
        } catch { throw error.completed(request: request, stage: .exchange) }
    }

    /// Accepts a WebSocket, or refuses a request that is no handshake.
    private func response(of reply: MockReply, to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<Data> {
        let exchange = MockExchange(reply: reply, request: request, time: time, webSockets: accepted)
        let response = try await exchange.response(), body = try await response.body.collect()
        return response.map { _ in body }
    }

    private func unstubbed(_ request: HTTPRequest, _ type: any Endpoint.Type) -> Explanation {
        let example = request.context.upgrade == nil ? type.exampleOfStub : ".webSocket(.echo)"
        let stub = "mock.on(\(type).self, \(example))"
        return Explanation("\(request) (\(type)) has no stub. Stubs: \(stubs.withLock { $0.names }). To add one: \(stub)")
    }

    /// The base URL of endpoints that have none, `http://mock.invalid/`. Its host name never has an address (RFC 6761 §6.4).
    public let baseURL = URL(string: "http://mock.invalid/")
}

extension Endpoint {
    /// A stub for calls of the type, as written in a test. An endpoint that names no type of response, or that returns bytes, has bytes.
    fileprivate static var exampleOfStub: String {
        Response.self == Data.self ? #"where: { $0.path.text == "…" }, .json("…")"# : ".value(…)"
    }
}

extension HTTPRequest {
    fileprivate var metadataOfAnswer: ResponseMetadata {
        var metadata = ResponseMetadata()
        metadata.request = self
        return metadata
    }
}

/// A response of an ``HTTPClientMock`` to calls of one endpoint type: a value, an error, or a response that is validated and decoded.
///
/// ```swift
/// mock.on(GetUser.self, .status(503), .value(ada).delayed(by: .seconds(1)))
/// ```
public struct StubbedResponse<Response: Sendable>: Sendable {
    let answer: ClientStub<any Endpoint, HTTPError>.Answer
    var delay = Duration.zero

    private init(_ answer: ClientStub<any Endpoint, HTTPError>.Answer) { self.answer = answer }

    /// Responds with this decoded value and status 200.
    public static func value(_ value: Response) -> Self { Self(.value(value)) }

    /// Makes the call throw this error in place of a response.
    public static func failure(_ error: HTTPError) -> Self { Self(.failure(error)) }

    /// Responds with this status and body, which is decoded, or throws `.statusCode` if the endpoint does not accept the status.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:], body: Data = Data()) -> Self {
        Self(.response(HTTPResponse(status: status, headers: headers, body: body)))
    }

    /// Responds with this JSON as the body, which the mock's decoder decodes.
    public static func json(_ text: String, status: HTTPStatus = 200) -> Self {
        .status(status, headers: [.contentType: "application/json"], body: Data(text.utf8))
    }

    /// Responds with these server-sent events as the body, for calls that read events or the stream.
    public static func events(_ events: [MockReply.Event]) -> Self {
        .status(200, headers: [.contentType: "text/event-stream"], body: Data(events.map(\.text).joined().utf8))
    }

    /// Responds with server-sent events that have only these data, for calls that read events or the stream. See ``events(_:)``.
    @_disfavoredOverload
    public static func events(_ data: [String]) -> Self { events(data.map { MockReply.Event($0) }) }

    /// Accepts a WebSocket that `webSocket(_:)` opens, and plays this script on it in memory. See `MockReply.webSocket`.
    ///
    /// ```swift
    /// mock.on(Request<Data>.self, where: { $0.path == "chat" }, .webSocket(.expect("hello"), .send("welcome")))
    /// ```
    ///
    /// ``HTTPClientMock/webSockets`` has what the app sends. A refused handshake is an ordinary response, such as `.status(401)`.
    ///
    /// - Parameters:
    ///   - steps: The script. Its delays are measured by the mock's time source.
    ///   - protocols: The subprotocols that the server speaks, of which it selects the first that the app offers. Default: nil, the first
    ///     one that the app offers.
    public static func webSocket(_ steps: WebSocketStep..., protocols: [String]? = nil) -> Self {
        Self(.value(MockReply.webSocket(steps, protocols: protocols)))
    }

    /// Returns the response with a delay before it, measured by the mock's time source.
    public func delayed(by duration: Duration) -> Self {
        var answer = self
        answer.delay = duration
        return answer
    }
}
