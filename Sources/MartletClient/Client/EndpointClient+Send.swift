public import MartletEssentials

// Every method that takes an endpoint has a variant for `Request`, so that a request defined as a static member is sent by its short name.

extension EndpointClient {
    // MARK: The value

    /// Sends an endpoint and returns the decoded body of its response; a status that is not accepted is thrown.
    ///
    /// - Parameters:
    ///   - endpoint: The operation to send.
    ///   - options: Options for this call. They override those of the endpoint and the client. Default: none.
    /// - Throws: The client's error, such as `HTTPError.statusCode` for a status that is not accepted.
    @concurrent public func send<E: Endpoint>(
        _ endpoint: E, options: CallOptions = CallOptions()
    ) async throws(Failure) -> E.Response {
        try await perform(endpoint, options: options, decoding: endpoint.decoding).body
    }

    /// Sends a request, as in `send(.users(page: 2))`, and returns the decoded body of its response.
    @_disfavoredOverload
    @concurrent public func send<Response: Sendable>(
        _ request: Request<Response>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Response {
        try await perform(request, options: options, decoding: request.decoding).body
    }

    /// Sends an endpoint without a response type, such as an enum case, and returns the body decoded as the type that the call names.
    @_disfavoredOverload
    @concurrent public func send<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Value where E.Response == Data {
        try await perform(endpoint, options: options, decoding: .decodable).body
    }

    /// Sends a request and returns the body decoded as the type that the call names, as in `send(.get("birds"), as: [Bird].self)`.
    @concurrent public func send<Value: Decodable & Sendable>(
        _ request: Request<Data>, as type: Value.Type, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Value {
        try await perform(request, options: options, decoding: .decodable).body
    }

    // MARK: The value, discardable

    /// Sends an endpoint whose response has no value, and ignores the body; the returned `EmptyResponse` can be discarded.
    @discardableResult
    @concurrent public func send<E: Endpoint>(
        _ endpoint: E, options: CallOptions = CallOptions()
    ) async throws(Failure) -> EmptyResponse where E.Response == EmptyResponse {
        try await perform(endpoint, options: options, decoding: endpoint.decoding).body
    }

    /// Sends a request whose response has no value, and ignores the body; the returned `EmptyResponse` can be discarded.
    @discardableResult
    @concurrent public func send(
        _ request: Request<EmptyResponse>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> EmptyResponse {
        try await perform(request, options: options, decoding: request.decoding).body
    }

    /// Sends an endpoint without a response type, such as an enum case, and returns the bytes of the body, which can be discarded.
    @discardableResult
    @concurrent public func send<E: Endpoint>(
        _ endpoint: E, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Data where E.Response == Data {
        try await perform(endpoint, options: options, decoding: endpoint.decoding).body
    }

    /// Sends a request and returns the bytes of the body, which can be discarded.
    @_disfavoredOverload
    @discardableResult
    @concurrent public func send(_ request: Request<Data>, options: CallOptions = CallOptions()) async throws(Failure) -> Data {
        try await perform(request, options: options, decoding: request.decoding).body
    }

    /// Sends an endpoint without a response type, such as an enum case, and ignores the body of its response. The call passes
    /// `EmptyResponse.self` and may discard the result.
    @discardableResult
    @concurrent public func send<E: Endpoint>(
        _ endpoint: E, as type: EmptyResponse.Type, options: CallOptions = CallOptions()
    ) async throws(Failure) -> EmptyResponse where E.Response == Data {
        try await perform(endpoint, options: options, decoding: .decodable).body
    }

    /// Sends a request and ignores the body of its response. The call passes `EmptyResponse.self` and may discard the result.
    @discardableResult
    @concurrent public func send(
        _ request: Request<Data>, as type: EmptyResponse.Type, options: CallOptions = CallOptions()
    ) async throws(Failure) -> EmptyResponse {
        try await perform(request, options: options, decoding: .decodable).body
    }

    // MARK: The envelope

    /// Sends an endpoint and returns its status, header fields and decoded body; a status that is not accepted is thrown.
    @concurrent public func response<E: Endpoint>(
        for endpoint: E, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<E.Response> {
        try await perform(endpoint, options: options, decoding: endpoint.decoding)
    }

    /// Sends a request and returns the status, header fields and decoded body; a status that is not accepted is thrown.
    @concurrent public func response<Response: Sendable>(
        for request: Request<Response>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<Response> {
        try await perform(request, options: options, decoding: request.decoding)
    }

    /// Sends an endpoint without a response type and returns the status, header fields and body, decoded as the type that the call names.
    @_disfavoredOverload
    @concurrent public func response<E: Endpoint, Value: Decodable & Sendable>(
        for endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<Value> where E.Response == Data {
        try await perform(endpoint, options: options, decoding: .decodable)
    }

    /// Sends a request and returns the status, header fields and the bytes of the body; a status that is not accepted is thrown.
    @concurrent public func response(
        for request: Request<Data>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<Data> {
        try await perform(request, options: options, decoding: request.decoding)
    }

    /// Sends a request and returns the status, header fields and body, decoded as the type that the call names.
    @concurrent public func response<Value: Decodable & Sendable>(
        for request: Request<Data>, as type: Value.Type, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<Value> {
        try await perform(request, options: options, decoding: .decodable)
    }

    // MARK: The result

    /// Sends an endpoint and returns the decoded body of its response, or the error, as a `Result`. Its error type survives in closures and
    /// tasks.
    @concurrent public func result<E: Endpoint>(
        of endpoint: E, options: CallOptions = CallOptions()
    ) async -> Result<E.Response, Failure> {
        do { return .success(try await send(endpoint, options: options)) } catch { return .failure(error) }
    }

    /// Sends a request and returns the decoded body of its response, or the error, as a `Result`. Its error type survives in closures and
    /// tasks.
    @concurrent public func result<Response: Sendable>(
        of request: Request<Response>, options: CallOptions = CallOptions()
    ) async -> Result<Response, Failure> {
        do { return .success(try await send(request, options: options)) } catch { return .failure(error) }
    }

    /// Sends an endpoint without a response type and returns the body decoded as the type that the call names, or the error, as a `Result`.
    @_disfavoredOverload
    @concurrent public func result<E: Endpoint, Value: Decodable & Sendable>(
        of endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) async -> Result<Value, Failure> where E.Response == Data {
        do { return .success(try await send(endpoint, as: type, options: options)) } catch { return .failure(error) }
    }

    /// Sends a request and returns the bytes of the body, or the error, as a `Result`.
    @concurrent public func result(of request: Request<Data>, options: CallOptions = CallOptions()) async -> Result<Data, Failure> {
        do { return .success(try await send(request, options: options)) } catch { return .failure(error) }
    }

    /// Sends a request and returns the body decoded as the type that the call names, or the error, as a `Result`.
    @concurrent public func result<Value: Decodable & Sendable>(
        of request: Request<Data>, as type: Value.Type, options: CallOptions = CallOptions()
    ) async -> Result<Value, Failure> {
        do { return .success(try await send(request, as: type, options: options)) } catch { return .failure(error) }
    }

    // MARK: The body as it arrives

    /// Sends an endpoint and returns the response as soon as its head has arrived, with a body to read as it arrives. See
    /// ``stream(_:options:)-(E,_)``.
    @concurrent public func stream<E: Endpoint>(_ endpoint: E) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await stream(endpoint, options: CallOptions())
    }

    /// Sends a request and returns the response as soon as its head has arrived, with a body to read as it arrives. See
    /// ``stream(_:options:)-(E,_)``.
    @concurrent public func stream<Response: Sendable>(
        _ request: Request<Response>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await streamEndpoint(request, options)
    }

    /// Calls the protocol's requirement. With a generic endpoint, the call can't resolve to the variant for requests.
    private func streamEndpoint<E: Endpoint>(_ endpoint: E, _ options: CallOptions) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await stream(endpoint, options: options)
    }
}
