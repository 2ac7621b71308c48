public import MartletClient
internal import MartletURLSession

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSession {
    /// Sends a typed request with this session and its configuration, and returns the decoded body; a status that is not accepted is
    /// thrown.
    ///
    /// ```swift
    /// let user = try await URLSession.shared.send(Request<User>.get("users/7"), baseURL: url)
    /// ```
    ///
    /// Redirects, cookies, cache, credentials and timeouts are those of the session. Encoding, validation, decoding, errors and the total
    /// timeout are those of `HTTPClient`. Interceptors, streams and size limits require an `HTTPClient` over `URLSessionTransport`.
    /// Using an invalidated session is a programming error, as with every other use of it.
    ///
    /// On Linux, a 401 that asks for credentials that the session does not have ends with a timeout, because FoundationNetworking never
    /// finishes it.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - baseURL: The URL that the path is relative to. Default: nil.
    ///   - encoder: The encoder for the body, query or form. Default: `.json`.
    ///   - decoder: The decoder for the response. Default: `.json`.
    /// - Throws: `HTTPError`.
    @_disfavoredOverload
    public func send<Response: Sendable>(
        _ request: Request<Response>, baseURL: URL? = nil, encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json
    ) async throws(HTTPError) -> Response {
        try await client(baseURL, encoder, decoder).send(request)
    }

    /// Sends a typed request with this session and returns the status, header fields and decoded body; a status that is not accepted is
    /// thrown.
    ///
    /// See ``send(_:baseURL:encoder:decoder:)-(Request<Response>,_,_,_)``.
    @_disfavoredOverload
    public func response<Response: Sendable>(
        for request: Request<Response>, baseURL: URL? = nil, encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json
    ) async throws(HTTPError) -> HTTPResponse<Response> {
        try await client(baseURL, encoder, decoder).response(for: request)
    }

    /// Sends an endpoint with this session and returns the decoded body of its response; a status that is not accepted is thrown.
    ///
    /// See ``send(_:baseURL:encoder:decoder:)-(Request<Response>,_,_,_)``.
    public func send<E: Endpoint>(
        _ endpoint: E, baseURL: URL? = nil, encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json
    ) async throws(HTTPError) -> E.Response {
        try await client(baseURL, encoder, decoder).send(endpoint)
    }

    /// Sends an endpoint without a response type with this session, and returns the body of its response decoded as `type`.
    @_disfavoredOverload
    public func send<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type = Value.self, baseURL: URL? = nil, encoder: any BodyEncoder = .json,
        decoder: any BodyDecoder = .json
    ) async throws(HTTPError) -> Value where E.Response == Data {
        try await client(baseURL, encoder, decoder).send(endpoint, as: type)
    }

    /// Sends an endpoint with this session and returns the status, header fields and decoded body; a status that is not accepted is thrown.
    public func response<E: Endpoint>(
        for endpoint: E, baseURL: URL? = nil, encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json
    ) async throws(HTTPError) -> HTTPResponse<E.Response> {
        try await client(baseURL, encoder, decoder).response(for: endpoint)
    }

    private func client(_ baseURL: URL?, _ encoder: any BodyEncoder, _ decoder: any BodyDecoder) -> HTTPClient {
        HTTPClient(
            baseURL: baseURL, transport: BorrowedSession(self), encoder: encoder, decoder: decoder,
            configuration: .init(redirects: .none, headers: [:]))
    }
}
