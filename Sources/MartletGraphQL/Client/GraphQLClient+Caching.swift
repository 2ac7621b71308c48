internal import MartletEssentials

extension GraphQLClient {
    /// Returns the response from the cache or the server, as the call's policy says. A mutation invalidates the types it changed.
    func response<D: Decodable & Sendable>(
        to call: OperationCall, through cache: GraphQLDocumentCache
    ) async throws(GraphQLError) -> GraphQLResponse<D> {
        guard call.definition.kind == .query else { return try await changing(call, cache) }
        let policy = call.options.cachePolicy ?? configuration.cachePolicy
        guard policy != .noStore, let key = await cacheKey(of: call) else {
            if policy == .cacheOnly { throw .notCached }
            return try await ask(call).response
        }
        switch policy {
        case .networkOnly, .noStore: break
        case .cacheFirst: if let kept: GraphQLResponse<D> = kept(key, of: call, cache, freshOnly: true) { return kept }
        case .cacheOnly:
            if let kept: GraphQLResponse<D> = kept(key, of: call, cache, freshOnly: true) { return kept }
            throw .notCached
        case .cacheAndNetwork:
            guard let kept: GraphQLResponse<D> = kept(key, of: call, cache, freshOnly: false) else { break }
            // The caller has a stored response already. The new one is for later calls, so the caller's deadline does not bound it.
            var later = call
            later.observed = observe([call.operation], call.options)
            let asking = later
            TaskDeadline.removed {
                _ = Task {
                    _ = try? await observing(asking.observed, asking.options) { () async throws(GraphQLError) -> GraphQLResponse<D> in
                        try await asked(asking, keeping: key, cache)
                    }
                }
            }
            return kept
        }
        return try await asked(call, keeping: key, cache)
    }

    /// Returns the stored response decoded for the call, or nil when none is stored or it does not match the type.
    func kept<D: Decodable & Sendable>(
        _ key: GraphQLDocumentCache.Key, of call: OperationCall, _ cache: GraphQLDocumentCache, freshOnly: Bool
    ) -> GraphQLResponse<D>? {
        cache.adopt(client.time)
        guard let (bytes, age) = cache.answer(for: key, freshOnly: freshOnly), var response = try? read(bytes, of: call, as: D.self) else {
            return nil
        }
        response.cacheAge = age
        return response
    }

    /// Asks the server, and stores a response without errors.
    func asked<D: Decodable & Sendable>(
        _ call: OperationCall, keeping key: GraphQLDocumentCache.Key, _ cache: GraphQLDocumentCache
    ) async throws(GraphQLError) -> GraphQLResponse<D> {
        cache.adopt(client.time)
        let moment = cache.moment
        let (response, bytes): (GraphQLResponse<D>, HTTPResponse<Data>) = try await ask(call)
        guard isAttributed(bytes.metadata, to: call), await configuration.scope?() ?? "" == key.scope else { return response }
        if response.result.isComplete, let types = TypeNames.read(from: bytes.body) {
            let options = call.options
            cache.store(bytes, types: types.union(options.cacheTypes), for: key, timeToLive: options.cacheTimeToLive, since: moment)
        }
        return response
    }

    /// Sends a mutation, and invalidates the responses that contain types from its own response or from the call's options.
    private func changing<D: Decodable & Sendable>(_ call: OperationCall, _ cache: GraphQLDocumentCache) async throws(GraphQLError)
        -> GraphQLResponse<D>
    {
        // Invalidates after a failure too, because the server may have run the mutation.
        defer { cache.invalidate(types: call.options.cacheTypes) }
        let (response, bytes): (GraphQLResponse<D>, HTTPResponse<Data>) = try await ask(call)
        forget(TypeNames.read(from: bytes.body), cache)
        return response
    }

    /// Invalidates the responses that contain types changed by a batch with mutations or named by its options.
    func forgetWhatChanged(_ calls: [OperationCall], _ options: GraphQLCallOptions, _ answer: HTTPResponse<Data>?) {
        guard let cache = configuration.cache, calls.contains(where: { $0.definition.kind == .mutation }) else { return }
        cache.invalidate(types: options.cacheTypes)
        if let answer { forget(TypeNames.read(from: answer.body), cache) }
    }

    /// Invalidates the responses with these types, or all responses when the types are unknown.
    private func forget(_ types: Set<String>?, _ cache: GraphQLDocumentCache) {
        if let types { cache.invalidate(types: types) } else { cache.removeAll() }
    }

    /// Returns the key of a call's response, or nil for a call with uploads and for a call whose user is unknown.
    func cacheKey(of call: OperationCall) async -> GraphQLDocumentCache.Key? {
        guard call.payload.uploads.isEmpty else { return nil }
        let made = made(call)
        if configuration.scope == nil, client.mayAddCredential(to: made) { return nil }
        var headers = made.headers
        headers.removePersonal(naming: made.context.harmlessFields)
        let place = target.url?.absoluteString ?? "\(client.baseURL?.absoluteString ?? "") \(target.path.text)"
        return GraphQLDocumentCache.Key(
            target: place, payload: call.payload.json, headers: headers, scope: await configuration.scope?() ?? "",
            identity: RequestIdentity(of: made))
    }

    /// Whether a response is valid for every call with the same key.
    func isAttributed(_ metadata: ResponseMetadata, to call: OperationCall) -> Bool {
        ResponseAttribution.isKnown(metadata, to: made(call), hasScope: configuration.scope != nil)
    }

    /// Returns the request of a call before interceptors run, without its parameters.
    private func made(_ call: OperationCall) -> HTTPRequest {
        let url = target.url ?? client.baseURL ?? URL(filePath: "/")
        let request = HTTPRequest(method: .post, url: url, headers: headers(call.options))
        return client.completed(request)
    }
}
