public import MartletEssentials

// A call takes any endpoint, and `.get("users/1")` is one (`Endpoint+Methods.swift`). Each further overload says why it exists.

extension EndpointClient {
    // MARK: The value

    /// Sends an endpoint and returns the decoded body of its response; a status that is not accepted is thrown.
    ///
    /// ```swift
    /// let user = try await client.send(GetUser(id: 1))
    /// let friends: [User] = try await client.send(.get("users/1/friends"))
    /// ```
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

    // Only these results can be discarded without a warning. `Value` instead of `E.Response`, because otherwise the compiler's message for
    // a wrong argument of `.get` names the protocol.
    /// Sends an endpoint whose response has no value or no type, and returns an `EmptyResponse` or the bytes of the body, which can be
    /// discarded.
    @discardableResult
    @concurrent public func send<E: Endpoint, Value: _DiscardableResponse>(
        _ endpoint: E, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Value where E.Response == Value {
        try await perform(endpoint, options: options, decoding: endpoint.decoding).body
    }

    // The response type of such an endpoint is `Data`. Disfavored, because `.get("users")` has a response type of its own if the context
    // names one.
    /// Sends an endpoint without a response type, such as an enum case, and returns the body decoded as the type that the call names, as in
    /// `send(API.list, as: [User].self)` or `send(.get("users"), as: [User].self)`.
    @_disfavoredOverload
    @concurrent public func send<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Value where E.Response == Data {
        try await perform(endpoint, options: options, decoding: .decodable).body
    }

    // The result of the general overload must not be discardable.
    /// Sends an endpoint without a response type, such as an enum case, and ignores the body of its response. The call passes
    /// `EmptyResponse.self` and may discard the result.
    @discardableResult
    @concurrent public func send<E: Endpoint>(
        _ endpoint: E, as type: EmptyResponse.Type, options: CallOptions = CallOptions()
    ) async throws(Failure) -> EmptyResponse where E.Response == Data {
        try await perform(endpoint, options: options, decoding: .decodable).body
    }

    // Static members of `Request` can only be found through a parameter of this type.
    /// Sends a request that an extension of `Request` defines, as in `send(.users(page: 2))`, and returns the decoded body of its response.
    @_disfavoredOverload
    @concurrent public func send<Response: Sendable>(
        _ request: Request<Response>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Response {
        try await perform(request, options: options, decoding: request.decoding).body
    }

    // As above, discardable.
    /// Sends a request that an extension of `Request` defines and whose response has no value, as in `send(.signOut)`. The result can be
    /// discarded.
    @_disfavoredOverload
    @discardableResult
    @concurrent public func send<Value: _DiscardableResponse>(
        _ request: Request<Value>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> Value {
        try await perform(request, options: options, decoding: request.decoding).body
    }

    // MARK: The envelope

    /// Sends an endpoint and returns its status, header fields and decoded body; a status that is not accepted is thrown.
    @concurrent public func response<E: Endpoint>(
        for endpoint: E, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<E.Response> {
        try await perform(endpoint, options: options, decoding: endpoint.decoding)
    }

    // See `send`.
    /// Sends an endpoint without a response type and returns the status, header fields and body, decoded as the type that the call names.
    @_disfavoredOverload
    @concurrent public func response<E: Endpoint, Value: Decodable & Sendable>(
        for endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<Value> where E.Response == Data {
        try await perform(endpoint, options: options, decoding: .decodable)
    }

    // See `send`.
    /// Sends a request that an extension of `Request` defines, and returns the status, header fields and decoded body.
    @_disfavoredOverload
    @concurrent public func response<Response: Sendable>(
        for request: Request<Response>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<Response> {
        try await perform(request, options: options, decoding: request.decoding)
    }

    // MARK: The result

    /// Sends an endpoint and returns the decoded body of its response, or the error, as a `Result`. Its error type survives in closures and
    /// tasks.
    @concurrent public func result<E: Endpoint>(
        of endpoint: E, options: CallOptions = CallOptions()
    ) async -> Result<E.Response, Failure> {
        do { return .success(try await send(endpoint, options: options)) } catch { return .failure(error) }
    }

    // See `send`.
    /// Sends an endpoint without a response type and returns the body decoded as the type that the call names, or the error, as a `Result`.
    @_disfavoredOverload
    @concurrent public func result<E: Endpoint, Value: Decodable & Sendable>(
        of endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) async -> Result<Value, Failure> where E.Response == Data {
        do { return .success(try await send(endpoint, as: type, options: options)) } catch { return .failure(error) }
    }

    // See `send`.
    /// Sends a request that an extension of `Request` defines, and returns the decoded body of its response, or the error, as a `Result`.
    @_disfavoredOverload
    @concurrent public func result<Response: Sendable>(
        of request: Request<Response>, options: CallOptions = CallOptions()
    ) async -> Result<Response, Failure> {
        do { return .success(try await send(request, options: options)) } catch { return .failure(error) }
    }

    // MARK: The body as it arrives

    // A requirement of a protocol can't have default arguments.
    /// Sends an endpoint and returns the response as soon as its head has arrived, with a body to read as it arrives. See
    /// ``stream(_:options:)-(E,_)``.
    @concurrent public func stream<E: Endpoint>(_ endpoint: E) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await stream(endpoint, options: CallOptions())
    }

    // See `send`.
    /// Sends a request that an extension of `Request` defines, and returns the response as soon as its head has arrived. See
    /// ``stream(_:options:)-(E,_)``.
    @_disfavoredOverload
    @concurrent public func stream<Response: Sendable>(
        _ request: Request<Response>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await stream(request, options: options)  // The requirement: this variant is disfavoured.
    }

    // A stream has no response type, so that nothing could name that of `.get`.
    /// Sends a request without a response type, as in `stream(.get("song"))`, and returns the response as soon as its head has arrived. See
    /// ``stream(_:options:)-(E,_)``.
    @_disfavoredOverload
    @concurrent public func stream(
        _ request: Request<Data>, options: CallOptions = CallOptions()
    ) async throws(Failure) -> HTTPResponse<HTTPBody> {
        try await stream(request, options: options)
    }
}
