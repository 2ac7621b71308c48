#if SwiftHTTPTypes
public import HTTPTypes
public import MartletClient
public import MartletEssentials

extension EndpointClient {
    /// Sends a request of swift-http-types, and returns the response with its body in memory; a status that is not accepted is thrown.
    ///
    /// ```swift
    /// let request = HTTPTypes::HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/users")
    /// let (response, body) = try await client.send(request)
    /// ```
    ///
    /// A request without scheme and authority is sent to its path below the client's base URL. See `Request.init(_:body:)`, which decodes
    /// the response.
    ///
    /// - Parameters:
    ///   - request: The method, the target and the header fields.
    ///   - body: The body of the request. Default: nil, none.
    ///   - options: Options for this call. With `CallOptions(validation: .none)`, responses of all statuses are returned. Default: none.
    /// - Throws: The client's error: `HTTPError.invalidURL` or `.invalidRequest` before anything is sent if Martlet can't send the request
    ///   unchanged, and `.invalidResponse` if swift-http-types can't express the response.
    @concurrent public func send(
        _ request: HTTPTypes::HTTPRequest, body: RequestBody? = nil, options: CallOptions = CallOptions()
    ) async throws(Failure) -> (response: HTTPTypes::HTTPResponse, body: Data) {
        let response = try await response(for: endpoint(request, body), options: options)
        return (try head(of: response), response.body)
    }

    /// Sends a request of swift-http-types, and returns the response as soon as its head has arrived, with a body to read as it arrives.
    ///
    /// Otherwise the contract is that of ``send(_:body:options:)``. Dropping the body unread stops the transfer.
    @concurrent public func stream(
        _ request: HTTPTypes::HTTPRequest, body: RequestBody? = nil, options: CallOptions = CallOptions()
    ) async throws(Failure) -> (response: HTTPTypes::HTTPResponse, body: HTTPBody) {
        let response = try await stream(endpoint(request, body), options: options)
        return (try head(of: response), response.body)
    }

    private func endpoint(_ request: HTTPTypes::HTTPRequest, _ body: RequestBody?) throws(Failure) -> Request<Data> {
        do throws(HTTPError) { return try Request(request, body: body) } catch { throw failure(for: error) }
    }

    private func head<Body>(of response: MartletHTTP::HTTPResponse<Body>) throws(Failure) -> HTTPTypes::HTTPResponse {
        do throws(HTTPError) { return try HTTPTypes::HTTPResponse(response) } catch {
            throw failure(for: error.completed(ifKnown: response.metadata.request, stage: .exchange))
        }
    }
}

extension Request where Response: Decodable {
    /// Creates a request from the method, the target and the header fields of a request of swift-http-types.
    ///
    /// ```swift
    /// let user = try await client.send(Request<User>(message))
    /// ```
    ///
    /// Without scheme and authority, the path is relative to the base URL, and logs and metrics show `{}` for it. Several `Cookie` fields
    /// are joined to one (RFC 9113 §8.2.3).
    ///
    /// - Throws: `.invalidURL` for a target that can't be sent unchanged, and `.invalidRequest` for fields that can't be converted and for
    ///   an extended CONNECT.
    public init(_ request: HTTPTypes::HTTPRequest, body: RequestBody? = nil) throws(HTTPError) {
        let method = HTTPMethod(request.method), headers = try MartletHTTP::HTTPFields(sending: request.headerFields)
        guard request.scheme == nil, request.authority == nil else {
            try self.init(method: method, url: request.exactURL(), headers: headers, body: body)
            return
        }
        try request.checkProtocol()
        let text = request.path ?? ""
        let path = Path(raw: text, template: "{}")
        if let problem = path.problem { throw .invalidURL(Explanation(problem)) }
        guard path.text.hasSameBytes(as: text) else {
            throw .invalidURL(Explanation("the path has a character that a URL can't contain: \(Redaction.address(text))"))
        }
        self.init(method: method, path: path, headers: headers, body: body)
    }
}
#endif
