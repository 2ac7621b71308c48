public import MartletEssentials

extension EndpointClient {
    /// The stored value at once, though it is stale, and then the server's: a view shows the first, and the second when it comes.
    ///
    /// ```swift
    /// for try await birds in client.values(for: ListBirds()) { show(birds) }
    /// ```
    ///
    /// How many there are is up to the endpoint's ``CallOptions/cachePolicy``:
    /// - `.useProtocol`, the default: one, when what is stored is fresh; two when it is stale and its server does not forbid that it is shown
    ///   before it is validated (`must-revalidate`, `no-cache`); else the server's alone.
    /// - `.cacheAndNetwork`: whatever is stored, and then the server's.
    /// - any other: the one that the policy gives.
    ///
    /// Without a ``CacheInterceptor`` it is the server's alone. The second comes also when the server says that nothing has changed. A
    /// failure is thrown after the stored value. See ``responses(for:)`` for the responses around the values.
    public func values<E: Endpoint>(for endpoint: E) -> CachedValues<E.Response, Failure> {
        CachedValues(responses: responses(for: endpoint))
    }

    /// The stored value and then the server's, for a request: `values(for: .birds)`.
    public func values<Response: Sendable>(for request: Request<Response>) -> CachedValues<Response, Failure> {
        CachedValues(responses: responses(for: request))
    }

    /// The stored value and then the server's, of an endpoint that leaves its answer open, as the type the call names.
    @_disfavoredOverload
    public func values<E: Endpoint, Value: Decodable & Sendable>(
        for endpoint: E, as type: Value.Type = Value.self
    ) -> CachedValues<Value, Failure> where E.Response == Data {
        CachedValues(responses: cachedResponses(for: endpoint, decoding: .decodable))
    }

    /// The stored response at once, though it is stale, and then the server's: as ``values(for:)``, with status, fields and what the cache
    /// says of each.
    public func responses<E: Endpoint>(for endpoint: E) -> CachedResponses<E.Response, Failure> {
        cachedResponses(for: endpoint, decoding: endpoint.decoding)
    }

    /// The stored response and then the server's, for a request.
    public func responses<Response: Sendable>(for request: Request<Response>) -> CachedResponses<Response, Failure> {
        cachedResponses(for: request, decoding: request.decoding)
    }

    /// The stored response and then the server's, of an endpoint that leaves its answer open, with the body as the type the call names.
    @_disfavoredOverload
    public func responses<E: Endpoint, Value: Decodable & Sendable>(
        for endpoint: E, as type: Value.Type = Value.self
    ) -> CachedResponses<Value, Failure> where E.Response == Data {
        cachedResponses(for: endpoint, decoding: .decodable)
    }

    private func cachedResponses<E: Endpoint, Value: Sendable>(
        for endpoint: E, decoding: ResponseDecoding<Value>
    ) -> CachedResponses<Value, Failure> {
        let (validation, decoder) = (endpoint.validation, self.decoder)
        return CachedResponses {
            CachedReading { early throws(Failure) in
                var adjusted = AdjustedEndpoint(endpoint)
                adjusted.options.context.earlyAnswer = early
                return try await perform(adjusted, decoding: decoding)
            } value: { early in
                // What can't be read or decoded is no answer: the server's is waited for.
                guard validation.accepts(early.response.status),
                    let body = try? await early.response.body.collect(upTo: early.limits.bodyBytes)
                else { return nil }
                return try? decoding.value(of: early.response.map { _ in body }, with: decoder)
            }
        }
    }
}
