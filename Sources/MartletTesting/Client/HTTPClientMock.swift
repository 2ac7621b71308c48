public import Foundation
public import Martlet
import MartletCore

/// A client that answers without a network: for tests of what takes an `any HTTPClientProtocol`.
///
/// ```swift
/// let mock = HTTPClientMock()
/// mock.on(GetUser.self) { endpoint in User(id: endpoint.id, name: "n") }
/// #expect(try await UserRepository(http: mock).user(3).name == "n")
/// ```
///
/// A stub for the endpoint's type is asked first, then ``result``. A call with neither throws `.invalidRequest`, with the list of
/// what was stubbed. Decoding is real: a body that does not fit the answer's type throws `.decodingFailed`.
public final class HTTPClientMock: HTTPClientProtocol {
    private typealias Stub = @Sendable (any Endpoint) async -> Result<any Sendable, HTTPError>

    private struct State {
        var result: Result<Data, HTTPError>?
        var stubs: [ObjectIdentifier: (name: String, answer: Stub)] = [:]
        var requested: [any Endpoint] = []
    }

    private let state = Locked(State())
    private let decoder: any BodyDecoder

    /// A mock that decodes with `decoder`. Default: `.json`.
    public init(decoder: any BodyDecoder = .json) { self.decoder = decoder }

    /// What every call without a stub of its own gets: a body with status 200, or an error. Default: nil.
    public var result: Result<Data, HTTPError>? {
        get { state.withLock { $0.result } }
        set { state.withLock { $0.result = newValue } }
    }

    /// The endpoints and requests that were asked for, in order.
    public var requestedEndpoints: [any Endpoint] { state.withLock { $0.requested } }

    /// Answers calls of one type of endpoint; a second stub for a type replaces the first.
    public func on<E: Endpoint>(_ type: E.Type, answer: @escaping @Sendable (E) async throws(HTTPError) -> E.Response) {
        let stub: Stub = { endpoint in
            guard let endpoint = endpoint as? E else {
                return .failure(.invalidRequest("a stub for \(E.self) was asked for another endpoint"))
            }
            do throws(HTTPError) { return .success(try await answer(endpoint)) } catch { return .failure(error) }
        }
        state.withLock { $0.stubs[ObjectIdentifier(type)] = ("\(type)", stub) }
    }

    /// Gives the stub's value, or decodes ``result``.
    @concurrent public func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        let answer = try await answer(to: endpoint)
        if let value = answer as? Value { return HTTPResponse(status: .ok, body: value) }
        guard let data = answer as? Data else {
            throw .invalidRequest("the stub for \(E.self) gave \(type(of: answer)) and the call wants \(Value.self)")
        }
        return try decoding.value(of: HTTPResponse(status: .ok, body: data), with: decoder)
    }

    /// Gives the bytes of the stub's value, when they are `Data`, or of ``result``.
    @concurrent public func stream<E: Endpoint>(_ endpoint: E) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let data = try await answer(to: endpoint) as? Data else {
            throw .invalidRequest("the stub for \(E.self) does not give Data, and the call wants a stream")
        }
        return HTTPResponse(status: .ok, body: HTTPBody(data))
    }

    private func answer<E: Endpoint>(to endpoint: E) async throws(HTTPError) -> any Sendable {
        let (stub, result, stubbed) = state.withLock { state in
            state.requested.append(endpoint)
            return (state.stubs[ObjectIdentifier(E.self)]?.answer, state.result, state.stubs.values.map(\.name).sorted())
        }
        if Task.isCancelled { throw .cancelled }
        if let stub { return try await stub(endpoint).get() }
        if let result { return try result.get() }
        let list = stubbed.isEmpty ? "nothing" : stubbed.joined(separator: ", ")
        throw .invalidRequest("\(endpoint.method) \(endpoint.path) (\(E.self)) was not stubbed; stubbed: \(list)")
    }
}
