public import MartletEssentials

// The disfavoured variants for `Request` are for its static members, which can only be found through a parameter of this type.

extension EndpointClient {
    /// Returns a sequence of the stored value, even if it is stale, and then of the server's, unless the stored one is fresh. A view shows
    /// the first until the second arrives.
    ///
    /// ```swift
    /// for try await birds in client.values(ListBirds()) { show(birds) }
    /// ```
    ///
    /// The `CallOptions.cachePolicy` decides how many values there are:
    /// - `.useProtocol`, the default: one if the stored value is fresh. Two if it is stale, unless its server requires validation before
    ///   use (`must-revalidate`, `no-cache`). Otherwise only the server's.
    /// - `.cacheAndNetwork`: the stored value of any age, and then the server's.
    /// - Any other policy: the one value that the policy selects.
    ///
    /// Without a ``CacheInterceptor`` there is only the server's value. The second value is delivered even if it has not changed. A failure
    /// is thrown after the stored value. See ``responses(_:options:)-(E,_)`` for the responses around the values.
    public func values<E: Endpoint>(_ endpoint: E, options: CallOptions = CallOptions()) -> ValueSequence<E.Response, Failure> {
        sequence(endpoint, options, endpoint.decoding) { $0.body }
    }

    /// Returns a sequence of the stored value of a request, even if it is stale, and then of the server's, unless the stored one is fresh.
    ///
    /// ```swift
    /// for try await birds in client.values(Request<[Bird]>.get("birds")) { show(birds) }
    /// ```
    @_disfavoredOverload
    public func values<Response: Sendable>(
        _ request: Request<Response>, options: CallOptions = CallOptions()
    ) -> ValueSequence<Response, Failure> {
        sequence(request, options, request.decoding) { $0.body }
    }

    /// Returns a sequence of the stored value and then of the server's, unless the stored one is fresh, both decoded as `type`. The
    /// endpoint has no response type of its own.
    @_disfavoredOverload
    public func values<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) -> ValueSequence<Value, Failure> where E.Response == Data {
        sequence(endpoint, options, .decodable) { $0.body }
    }

    /// Returns a sequence of the stored response, even if it is stale, and then of the server's, unless the stored one is fresh. It is
    /// ``values(_:options:)-(E,_)`` with the status, header fields and cache status of each response.
    ///
    /// Nothing is sent before iteration. Each iteration is a separate call, and leaving the loop ends it. The call's error is thrown after
    /// the stored response.
    public func responses<E: Endpoint>(_ endpoint: E, options: CallOptions = CallOptions()) -> ValueSequence<
        HTTPResponse<E.Response>, Failure
    > {
        sequence(endpoint, options, endpoint.decoding) { $0 }
    }

    /// Returns a sequence of the stored response to a request, even if it is stale, and then of the server's, unless the stored one is
    /// fresh.
    @_disfavoredOverload
    public func responses<Response: Sendable>(
        _ request: Request<Response>, options: CallOptions = CallOptions()
    ) -> ValueSequence<HTTPResponse<Response>, Failure> {
        sequence(request, options, request.decoding) { $0 }
    }

    /// Returns a sequence of the stored response and then of the server's, unless the stored one is fresh, with bodies decoded as `type`.
    /// The endpoint has no response type of its own.
    @_disfavoredOverload
    public func responses<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type = Value.self, options: CallOptions = CallOptions()
    ) -> ValueSequence<HTTPResponse<Value>, Failure> where E.Response == Data {
        sequence(endpoint, options, .decodable) { $0 }
    }

    /// Returns a sequence of what `element` takes from the stored response and from the server's.
    private func sequence<E: Endpoint, Value: Sendable, Element: Sendable>(
        _ endpoint: E, _ options: CallOptions, _ decoding: ResponseDecoding<Value>,
        of element: @escaping @Sendable (HTTPResponse<Value>) -> Element
    ) -> ValueSequence<Element, Failure> {
        let decoder = decoder
        return ValueSequence {
            let reading = cachedReading(endpoint, options, decoding, decoder)
            return { () async throws(Failure) in try await reading.next().map(element) }
        }
    }

    private func cachedReading<E: Endpoint, Value: Sendable>(
        _ endpoint: E, _ options: CallOptions, _ decoding: ResponseDecoding<Value>, _ decoder: any BodyDecoder
    ) -> CachedReading<Value, Failure> {
        let validation = options.validation(of: endpoint)
        return CachedReading { early throws(Failure) in
            var options = options
            options.context.earlyAnswer = early
            return try await perform(endpoint, options: options, decoding: decoding)
        } value: { early in
            // A stored response that cannot be read or decoded is skipped.
            guard validation.accepts(early.response.status),
                let body = try? await early.response.body.collect(upTo: early.limits.bodyBytes)
            else { return nil }
            return try? decoding.value(of: early.response.map { _ in body }, with: decoder)
        }
    }
}
