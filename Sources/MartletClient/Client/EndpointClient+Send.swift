public import MartletEssentials

// Whatever takes an endpoint has a twin for `Request`, so that a request defined as a static member is sent by its short name.

extension EndpointClient {
    // MARK: The value

    /// Sends an endpoint and gives its answer.
    @concurrent public func send<E: Endpoint>(_ endpoint: E) async throws(Failure) -> E.Response {
        try await perform(endpoint, decoding: endpoint.decoding).body
    }

    /// Sends a request and gives its answer: `send(.users(page: 2))`.
    @concurrent public func send<Response: Sendable>(_ request: Request<Response>) async throws(Failure) -> Response {
        try await perform(request, decoding: request.decoding).body
    }

    /// Sends an endpoint that leaves its answer open, such as an enum case, and gives the answer as the type the call names.
    @_disfavoredOverload
    @concurrent public func send<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type = Value.self
    ) async throws(Failure) -> Value where E.Response == Data {
        try await perform(endpoint, decoding: .decodable).body
    }

    /// Sends an endpoint whose answer may be ignored.
    @discardableResult
    @concurrent public func send<E: Endpoint>(_ endpoint: E) async throws(Failure) -> EmptyResponse where E.Response == EmptyResponse {
        try await perform(endpoint, decoding: endpoint.decoding).body
    }

    /// Sends a request whose answer may be ignored.
    @discardableResult
    @concurrent public func send(_ request: Request<EmptyResponse>) async throws(Failure) -> EmptyResponse {
        try await perform(request, decoding: request.decoding).body
    }

    // MARK: The envelope

    /// Sends an endpoint and gives the whole response: status, fields and the decoded body.
    @concurrent public func response<E: Endpoint>(for endpoint: E) async throws(Failure) -> HTTPResponse<E.Response> {
        try await perform(endpoint, decoding: endpoint.decoding)
    }

    /// Sends a request and gives the whole response: status, fields and the decoded body.
    @concurrent public func response<Response: Sendable>(
        for request: Request<Response>
    ) async throws(Failure) -> HTTPResponse<Response> {
        try await perform(request, decoding: request.decoding)
    }

    /// Sends an endpoint that leaves its answer open, and gives the whole response with the body as the type the call names.
    @_disfavoredOverload
    @concurrent public func response<E: Endpoint, Value: Decodable & Sendable>(
        for endpoint: E, as type: Value.Type = Value.self
    ) async throws(Failure) -> HTTPResponse<Value> where E.Response == Data {
        try await perform(endpoint, decoding: .decodable)
    }

    // MARK: The result

    /// Sends an endpoint and gives its answer or the error as a value, whose type survives in closures and tasks.
    @concurrent public func result<E: Endpoint>(of endpoint: E) async -> Result<E.Response, Failure> {
        do { return .success(try await send(endpoint)) } catch { return .failure(error) }
    }

    /// Sends a request and gives its answer or the error as a value, whose type survives in closures and tasks.
    @concurrent public func result<Response: Sendable>(of request: Request<Response>) async -> Result<Response, Failure> {
        do { return .success(try await send(request)) } catch { return .failure(error) }
    }

    /// Sends an endpoint that leaves its answer open, and gives the answer as the type the call names, or the error, as a value.
    @_disfavoredOverload
    @concurrent public func result<E: Endpoint, Value: Decodable & Sendable>(
        of endpoint: E, as type: Value.Type = Value.self
    ) async -> Result<Value, Failure> where E.Response == Data {
        do { return .success(try await send(endpoint, as: type)) } catch { return .failure(error) }
    }

    // MARK: The body as it arrives

    /// Sends a request and gives the response as soon as its head is there: see ``stream(_:)-(Endpoint)``.
    @concurrent public func stream<Response: Sendable>(_ request: Request<Response>) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await streamEndpoint(request)
    }

    /// Generic over the endpoint alone, so that it means the function of the protocol and not its twin for requests.
    private func streamEndpoint<E: Endpoint>(_ endpoint: E) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await stream(endpoint)
    }
}
