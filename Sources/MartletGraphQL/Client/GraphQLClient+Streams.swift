internal import MartletEssentials

// Responses that arrive in parts: those to @defer and @stream, and those of subscriptions.

extension GraphQLClient {
    /// Returns a sequence of the updates of a query or a mutation with `@defer` or `@stream`, each with all data received so far.
    public func updates<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<D, GraphQLError> {
        GraphQLUpdateSequence {
            let observed = ObservedReading { observe([operation.erased], options) }
            let reading = Reading(updateLoop(of: operation, options, observed))
            return { () async throws(GraphQLError) in
                // Invalidates after a failure too, because the server may have run the mutation.
                defer { forgetWhatUpdatesChanged(operation.erased, options) }
                return try await observed.next(result: { $0.result }) { () async throws(GraphQLError) in try await reading.next() }
            }
        }
    }

    private func updateLoop<D>(
        of operation: GraphQLOperation<D>, _ options: GraphQLCallOptions, _ observed: ObservedReading
    ) -> UpdateLoop<D> {
        UpdateLoop(
            of: operation, decoder: decoder, policy: options.errorPolicy.of(client: errorPolicy),
            maxBytes: (options.call.limits ?? client.configuration.limits).bodyBytes, time: client.time, calls: calls,
            renew: Self.renewCredential
        ) { () async throws(GraphQLError) in
            try operation.erased.check(for: [.query, .mutation])
            var endpoint = streamedEndpoint(operation.erased, options, try streamedPayload(operation.erased, options))
            endpoint.headers.addMissing([.accept: GraphQLMedia.acceptIncremental])
            endpoint.options = endpoint.options.observed(by: observed.call)
            do throws(HTTPError) {
                let response = try await client.stream(endpoint)
                observed.opened(response.map { _ in })
                return response
            } catch { throw .http(error) }
        }
    }

    /// Invalidates the types that a mutation's options name. These documents are sent unchanged, without `__typename`, so responses name no
    /// types.
    private func forgetWhatUpdatesChanged(_ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions) {
        guard operation.kind == .mutation else { return }
        shared.mutationCount.withLock { $0 += 1 }
        configuration.cache?.invalidate(types: options.cacheTypes)
    }

    /// Returns a sequence of a subscription's results, which reconnects when the connection is lost.
    public func subscribe<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<D, GraphQLError>
    {
        let client = self
        var settings = options.subscription ?? configuration.subscriptions
        settings.idleTimeout = options.call.idleTimeout ?? settings.idleTimeout
        let used = settings
        let target = SubscriptionTarget(
            operationName: operation.operationName,
            prepare: { () throws(GraphQLError) in try client.subscriptionRequest(operation.erased, options, used) },
            renew: Self.renewCredential, options: used, policy: options.errorPolicy.of(client: errorPolicy), time: self.client.time,
            random: self.client.random, decoder: decoder, calls: calls, observe: { client.observe([operation.erased], options) })
        return GraphQLSubscriptionSequence(target)
    }

    /// Renews a credential without the call's deadline, which ended with the head: the rejection may arrive much later.
    @Sendable private static func renewCredential(_ head: HTTPResponse<Void>?) async throws(GraphQLError) -> Bool {
        guard let credential = head?.metadata.credential, !credential.isRenewed else { return false }
        do throws(HTTPError) { return try await credential.renew() } catch { throw .http(error) }
    }

    private func subscriptionRequest(
        _ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions, _ settings: GraphQLSubscriptionOptions
    ) throws(GraphQLError) -> SubscriptionRequest {
        try operation.check(for: [.subscription])
        let payload = try streamedPayload(operation, options)
        return SubscriptionRequest(
            operation: operation, payload: payload, maxMessageBytes: settings.maxMessageBytes, client: client,
            post: streamedEndpoint(operation, options, payload), owner: shared, scope: configuration.scope,
            maxSharedMessageBytes: maxSharedMessageBytes, idleTimeout: settings.idleTimeout)
    }

    /// Returns a request whose response is read as it arrives, without an `Accept` field.
    private func streamedEndpoint(_ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions, _ payload: Data) -> GraphQLEndpoint {
        var headers = options.headers
        headers.addMissing(configuration.headers)
        var endpoint = GraphQLEndpoint([operation], target: target, headers: headers, timeout: options.timeout, options: options.call)
        endpoint.body = .data(payload, contentType: "application/json")
        return endpoint
    }

    private func streamedPayload(_ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions) throws(GraphQLError) -> Data {
        let form = try configuration.persistedQueries.form(of: operation)
        let payload = OperationPayload(operation, form, extensions: options.extensions)
        let encoded = try payload.encoded(with: configuration.encoder)
        guard encoded.uploads.isEmpty else {
            throw .invalidOperation(Explanation("\(operation) has uploads, which subscriptions and incremental delivery do not support"))
        }
        return encoded.json
    }
}
