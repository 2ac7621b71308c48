public import Martlet

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
/// A stub for the endpoint's type is asked first, then ``result``. A call with neither throws `.invalidRequest`, with the list of
/// what was stubbed. Validation and decoding are real: a status that the endpoint does not accept throws `.statusCode`, a body that does
/// not fit the answer's type `.decodingFailed`. Each mock is on its own, and any number of calls may be made at once.
public final class HTTPClientMock: HTTPClientProtocol {
    private struct State {
        var result: Result<Data, HTTPError>?
        /// In the order in which they were made.
        var stubs: [(type: ObjectIdentifier, stub: EndpointStub)] = []

        mutating func set(_ stub: EndpointStub, for type: any Endpoint.Type) {
            stubs.removeAll { $0.type == ObjectIdentifier(type) }
            stubs.append((ObjectIdentifier(type), stub))
        }
    }

    private let state = Locked(State())
    private let requested = Recorder<any Endpoint>()
    private let decoder: any BodyDecoder
    private let time: any TimeSource

    /// A mock that decodes with `decoder` and waits on `time`. Defaults: `.json`, the system's.
    public init(decoder: any BodyDecoder = .json, time: any TimeSource = .system) {
        self.decoder = decoder
        self.time = time
    }

    // MARK: Stubs

    /// What every call without a stub of its own gets: a body with status 200, or an error. Default: nil.
    public var result: Result<Data, HTTPError>? {
        get { state.withLock { $0.result } }
        set { state.withLock { $0.result = newValue } }
    }

    /// Answers calls of one type of endpoint with what `answer` makes of each; a second stub for a type replaces the first.
    public func on<E: Endpoint>(_ type: E.Type, answer: @escaping @Sendable (E) async throws(HTTPError) -> E.Response) {
        let stub = EndpointStub(type) { endpoint in
            do throws(HTTPError) { return .success(try await answer(endpoint)) } catch { return .failure(error) }
        }
        state.withLock { $0.set(stub, for: type) }
    }

    /// Answers calls of one type of endpoint, in this order; the last answer stays. A second stub for a type replaces the first.
    public func on<E: Endpoint>(_ type: E.Type, _ answer: StubbedAnswer<E.Response>, _ more: StubbedAnswer<E.Response>...) {
        let stub = EndpointStub(type, [answer] + more)
        state.withLock { $0.set(stub, for: type) }
    }

    /// Throws when there are stubs, or answers of stubs, that no call has asked for, and names them.
    public func verify() throws(UnusedStubsError) {
        try UnusedStubsError.check(state.withLock { $0.stubs.compactMap(\.stub.unused) })
    }

    // MARK: What was asked for

    /// The endpoints and requests that were asked for, in order.
    public var requestedEndpoints: [any Endpoint] { requested.values }

    /// The endpoints of one type that were asked for, in order.
    public func requested<E: Endpoint>(_ type: E.Type) -> [E] { requestedEndpoints.compactMap { $0 as? E } }

    /// The first `count` endpoints, as soon as so many have been asked for.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    public func waitForRequests(_ count: Int = 1) async throws(CancellationError) -> [any Endpoint] { try await requested.first(count) }

    // MARK: Answering

    /// Gives the stub's value, or validates and decodes its response or ``result``.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        switch try await answer(to: endpoint) {
        case .failure(let error): throw error
        case .response(let response): return try decoding.value(of: try accepted(response, by: endpoint), with: decoder)
        case .value(let value):
            if let value = value as? Value { return HTTPResponse(status: .ok, body: value) }
            guard let data = value as? Data else {
                throw .invalidRequest("the stub for \(E.self) gave \(Swift.type(of: value)) and the call wants \(Value.self)")
            }
            return try decoding.value(of: HTTPResponse(status: .ok, body: data), with: decoder)
        }
    }

    /// Gives the bytes of the stub's value, when they are `Data`, or of its response or ``result``.
    @concurrent public func stream<E: Endpoint>(_ endpoint: E) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        switch try await answer(to: endpoint) {
        case .failure(let error): throw error
        case .response(let response): return try accepted(response, by: endpoint).map { HTTPBody($0) }
        case .value(let value):
            guard let data = value as? Data else {
                throw .invalidRequest("the stub for \(E.self) does not give Data, and the call wants a stream")
            }
            return HTTPResponse(status: .ok, body: HTTPBody(data))
        }
    }

    private func accepted(_ response: HTTPResponse<Data>, by endpoint: some Endpoint) throws(HTTPError) -> HTTPResponse<Data> {
        guard endpoint.validation.accepts(response.status) else { throw .statusCode(response) }
        return response
    }

    private func answer<E: Endpoint>(to endpoint: E) async throws(HTTPError) -> EndpointStub.Answer {
        let (next, result) = state.withLock { state in
            // In one step, so that concurrent calls get their answers in the order of the record.
            requested.append(endpoint)
            let place = state.stubs.firstIndex { $0.type == ObjectIdentifier(E.self) }
            return (place.map { state.stubs[$0].stub.next() }, state.result)
        }
        if Task.isCancelled { throw .cancelled }
        if let next {
            if next.delay > .zero {
                do { try await time.sleep(for: next.delay) } catch { throw .cancelled }
            }
            return await next.answer(endpoint)
        }
        switch result {
        case .success(let data): return .response(HTTPResponse(status: .ok, body: data))
        case .failure(let error): return .failure(error)
        case nil: throw .invalidRequest(unstubbed(endpoint))
        }
    }

    private func unstubbed<E: Endpoint>(_ endpoint: E) -> Explanation {
        let names = state.withLock { $0.stubs.map(\.stub.name) }
        let list = names.isEmpty ? "nothing" : names.joined(separator: ", ")
        let target = Redaction.address(endpoint.url?.absoluteString ?? "\(endpoint.path)")
        return Explanation("\(endpoint.method) \(target) (\(E.self)) was not stubbed; stubbed: \(list)")
    }
}
