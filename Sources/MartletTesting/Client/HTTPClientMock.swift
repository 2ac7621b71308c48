public import MartletEssentials
internal import MartletSystem

/// A client that answers without a network: for tests of what takes an `any HTTPClientProtocol`.
///
/// ```swift
/// let mock = HTTPClientMock()
/// mock.on(GetUser.self) { endpoint in User(id: endpoint.id, name: "n") }
/// mock.on(ListUsers.self, .status(503), .value([ada]))  // in this order; the last one stays
/// #expect(try await UserRepository(http: mock).user(3).name == "n")
/// try mock.verify()
/// ```
///
/// A stub for the endpoint's type is asked first, those with a condition before the one without, then ``result``. A call with none
/// throws `.invalidRequest`, with the list of what was stubbed. Validation and decoding are real: a status that the endpoint does not
/// accept throws `.statusCode`, a body that does not fit the answer's type `.decodingFailed`, and an endpoint of which no request can be
/// made what a client throws. Errors have the request: its URL is below `http://mock.invalid/` where the endpoint names no base. Each
/// mock is on its own, and any number of calls may be made at once.
public final class HTTPClientMock: HTTPClientProtocol {
    private typealias Stub = ClientStub<any Endpoint, HTTPError>

    private let stubs = Locked(ClientStubs<any Endpoint, HTTPError>())
    private let requested = Recorder<any Endpoint>()
    private let sent = Recorder<HTTPRequest>()
    private let emptyDefault = Locked(false)
    private let services: ClientServices
    /// The calls that wait for their responses.
    public let calls: CallGroup? = CallGroup()
    /// What answers are decoded with.
    public let decoder: any BodyDecoder
    /// What it waits on.
    public let time: any TimeSource
    /// The random numbers for the jitter of waits.
    public let random: any RandomSource

    /// A mock that decodes with `decoder` and waits on `time`. Defaults: `.json`, the system's.
    public init(decoder: any BodyDecoder = .json, time: any TimeSource = .system, random: any RandomSource = .system) {
        self.decoder = decoder
        self.time = time
        self.random = random
        services = ClientServices(time: time, random: random, decoder: decoder)
    }

    // MARK: Stubs

    /// Whether a call without a stub returns an empty response with status 204 instead of throwing. Default: false.
    public var defaultsToEmpty: Bool {
        get { emptyDefault.withLock { $0 } }
        set { emptyDefault.withLock { $0 = newValue } }
    }

    /// What every call without a stub of its own gets: a body with status 200, or an error. Default: nil.
    public var result: Result<Data, HTTPError>? {
        get { stubs.withLock { $0.result } }
        set { stubs.withLock { $0.result = newValue } }
    }

    /// Answers calls of one type of endpoint with what `answer` makes of each.
    ///
    /// - Parameters:
    ///   - type: the endpoint's type.
    ///   - condition: which endpoints of the type are answered: a case of an enum, a path. Of several stubs whose condition holds, the
    ///     latest answers. Default: nil, all that no condition takes; a second such stub for a type replaces the first.
    ///   - answer: makes the value, or throws.
    public func on<E: Endpoint>(
        _ type: E.Type, where condition: (@Sendable (E) -> Bool)? = nil,
        answer: @escaping @Sendable (E) async throws(HTTPError) -> E.Response
    ) {
        let script = Stub.Script { endpoint in
            guard let endpoint = endpoint as? E else {
                return .failure(.invalidRequest("a stub for \(E.self) was asked for another endpoint"))
            }
            do throws(HTTPError) { return .value(try await answer(endpoint)) } catch { return .failure(error) }
        }
        add(type, condition, script)
    }

    /// Answers calls of one type of endpoint, in this order; the last answer stays.
    ///
    /// ```swift
    /// mock.on(API.self, where: { if case .user(1) = $0 { true } else { false } }, .status(404))
    /// ```
    ///
    /// - Parameters:
    ///   - type: the endpoint's type.
    ///   - condition: as in ``on(_:where:answer:)``.
    ///   - answer: the first answer.
    ///   - more: those that follow.
    public func on<E: Endpoint>(
        _ type: E.Type, where condition: (@Sendable (E) -> Bool)? = nil, _ answer: StubbedResponse<E.Response>,
        _ more: StubbedResponse<E.Response>...
    ) {
        add(type, condition, Stub.Script(([answer] + more).map { ($0.answer, $0.delay) }))
    }

    private func add<E: Endpoint>(_ type: E.Type, _ condition: (@Sendable (E) -> Bool)?, _ script: Stub.Script) {
        // An endpoint of a subclass has stubs of its own.
        let stub = Stub(type, condition, script) { Swift.type(of: $0) == type ? $0 as? E : nil }
        stubs.withLock { $0.add(stub) }
    }

    /// Throws when there are stubs, or answers of stubs, that no call has asked for, and names them.
    public func verify() throws(UnusedStubsError) {
        try UnusedStubsError.check(stubs.withLock { $0.unused })
    }

    // MARK: What was asked for

    /// The endpoints and requests that were asked for, in order.
    public var requestedEndpoints: [any Endpoint] { requested.values }

    /// The endpoints of one type that were asked for, in order.
    public func requested<E: Endpoint>(_ type: E.Type) -> [E] { requestedEndpoints.compactMap { $0 as? E } }

    /// The requests that were made of the endpoints, in order: `mock.requests.first?.json`. Their URLs are below `http://mock.invalid/` where
    /// the endpoint names no base. The mock does not read bodies from files and streams, which count as empty.
    public var requests: [HTTPRequest] { sent.values }

    /// The requests so far that fit, in order.
    public func requests(matching matcher: RequestMatcher) -> [HTTPRequest] { requests.filter { $0.matches(matcher) } }

    /// The first `count` endpoints, as soon as so many have been asked for.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    @discardableResult
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [any Endpoint] { try await requested.first(count) }

    // MARK: Answering

    /// Returns the stub's value, or validates and decodes its response or ``result``.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        let (request, answer) = try await answerAsCall(to: endpoint, options, accept: decoding.usesDecoder ? decoder.accept : "*/*")
        if case .value(let value) = answer, let value = value as? Value {
            return HTTPResponse(status: .ok, body: value, metadata: request.metadataOfAnswer)
        }
        let response = try response(answer, to: endpoint, options, request) { "gave \($0) and the call wants \(Value.self)" }
        do throws(HTTPError) { return try decoding.value(of: response, with: decoder) } catch {
            throw error.completed(request: request, stage: .decoding)
        }
    }

    /// Returns the bytes of the stub's value, if it is `Data`, or of its response or ``result``.
    @concurrent public func stream<E: Endpoint>(
        _ endpoint: E, options: CallOptions
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let (request, answer) = try await answerAsCall(to: endpoint, options, accept: "*/*")
        return try response(answer, to: endpoint, options, request) { _ in "does not give Data, and the call wants a stream" }.map {
            HTTPBody($0)
        }
    }

    /// The response that an answer is, validated; `mismatch` says of a value that is no bytes what is wrong with it.
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
        // Events, pages and downloads change the endpoint; its stub is that of the type the user wrote.
        let original = (endpoint as? any AdjustsEndpoint)?.original ?? endpoint
        // Conditions are a test's own code, and run outside the lock.
        let all = stubs.withLock { $0.stubs }
        let stub = all.last { $0.key == nil && $0.fits(original) } ?? all.last { $0.key != nil && $0.fits(original) }
        let made = Result { () throws(HTTPError) in try endpoint.request(options, baseURL: baseURL, accept: accept, encoder: .json) }
        let (next, result) = stubs.withLock { stubs in
            // In one step, so that concurrent calls get their answers in the order of the record.
            requested.append(original)
            if case .success(let request) = made { sent.append(request) }
            return (stub.map { stubs.take(from: $0) { $0.next() } }, stubs.result)
        }
        var request = try made.get()
        request.context.services = services
        do throws(HTTPError) {
            if Task.isCancelled { throw .cancelled }
            if let next {
                if next.delay > .zero {
                    do { try await time.sleep(for: next.delay) } catch { throw .cancelled }
                }
                return (request, await next.answer(original))
            }
            switch result {
            case .success(let data): return (request, .response(HTTPResponse(status: .ok, body: data)))
            case .failure(let error): throw error
            case nil:
                if defaultsToEmpty { return (request, .response(HTTPResponse(status: .noContent, body: Data()))) }
                throw .invalidRequest(unstubbed(request, type(of: original)))
            }
        } catch { throw error.completed(request: request, stage: .exchange) }
    }

    private func unstubbed(_ request: HTTPRequest, _ type: any Endpoint.Type) -> Explanation {
        Explanation("\(request) (\(type)) was not stubbed; stubbed: \(stubs.withLock { $0.names })")
    }

    /// Where endpoints without a base URL are: a name that never has an address (RFC 6761 §6.4).
    public let baseURL = URL(string: "http://mock.invalid/")
}

extension HTTPRequest {
    fileprivate var metadataOfAnswer: ResponseMetadata {
        var metadata = ResponseMetadata()
        metadata.request = self
        return metadata
    }
}
