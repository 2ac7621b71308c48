// Requests to the server: alone, shared with identical requests, and in the background.

extension CacheExchange {
    /// Returns the server's response, or a stored one that replaces a failure (RFC 5861 §4).
    ///
    /// - Parameter moment: The moment of ``CacheState/storedFlights`` at which `entries` were read.
    func send(
        _ forward: CacheDecision.Forward, _ entries: [CacheEntry], since moment: Int
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var (forward, entries, moment) = (forward, entries, moment)
        // At most twice: after waiting for a response with other selecting fields, the request may wait for one more.
        for _ in 0..<2 {
            let flight = flightKey(entries)
            guard canBeShared(forward), !cache.unshareable.contains(flight, at: cache.time.instant) else { break }
            let (result, hasJoined) = await cache.flights.outcome(for: flight) { [self, forward, entries, moment] in
                if cache.storedFlights.contains(flight, since: moment) {
                    return FetchOutcome(result: .failure(.cancelled), isStored: true, isEarlier: true)
                }
                return await fetch(forward, entries, isWaitedFor: { cache.flights.waiterCount(for: flight) > 1 })
            }
            guard case .success(let fetched) = result else { throw .cancelled }
            guard hasJoined || fetched.isEarlier else {
                if fetched.isUnshareable(cache.limits) { cache.unshareable.add(flight, at: cache.time.instant) }
                return try outcome(of: fetched, forward, entries)
            }
            if Task.isCancelled { throw .cancelled }
            if fetched.isFailure, let stale = replacement(for: fetched, forward, entries) { return stale }
            // An unreachable server concerns all callers. A timeout concerns only the caller whose time it was.
            if case .failure(.networkError(let failure)) = fetched.result { throw .networkError(failure) }
            moment = cache.storedFlights.now
            // A caller that also wants a response from the network has had the stored one.
            if fetched.isEarlier, request.context.cachePolicy == .cacheAndNetwork { continue }
            entries = fetched.isStored ? await self.entries() : []
            if entries.isEmpty { entries = fetched.shared.map { [$0] } ?? [] }
            guard !entries.isEmpty else { if fetched.isEarlier { continue } else { break } }
            // The caller's policy accepts a stored response of any age.
            let isElse = fetched.isEarlier && request.context.cachePolicy == .cacheElseNetwork
            switch decision(on: entries, isElse ? .cacheElseNetwork : .useProtocol) {
            case .reuse(let reuse):
                guard let made = response(for: reuse, entries), var response = await readable(made, of: reuse.response) else { break }
                response.metadata.cacheStatus?.isHit = false
                response.metadata.cacheStatus?.forwardReason = forward.reason
                response.metadata.cacheStatus?.isCollapsed = true
                return response
            case .forward(let other): forward = other
            case .unavailable: break
            }
        }
        let fetched = await fetch(forward, entries, isWaitedFor: { false })
        if fetched.isStored { cache.unshareable.remove(flightKey(entries)) }
        return try outcome(of: fetched, forward, entries)
    }

    /// Sends the request, and records it if its response was stored.
    private func fetch(
        _ forward: CacheDecision.Forward, _ entries: [CacheEntry], isWaitedFor: @Sendable () -> Bool
    ) async -> FetchOutcome {
        let fetched = await CacheFetch(exchange: self, forward: forward, entries: entries).run(isWaitedFor: isWaitedFor)
        if fetched.isStored { cache.storedFlights.add(flightKey(entries)) }
        return fetched
    }

    /// Revalidates without a waiting caller, unless that is in progress already. The deadline of the caller's task does not bound it.
    func revalidateInBackground(_ forward: CacheDecision.Forward, _ entries: [CacheEntry]) {
        let flight = flightKey(entries)
        // After a failed revalidation, not every hit tries again.
        guard !cache.failedRevalidations.contains(flight, at: cache.time.instant) else { return }
        var request = request
        // The request belongs to no call, so it has its own deadline, and observers do not see it.
        let deadline = cache.time.instant + cache.limits.revalidationTimeout
        request.context.deadline = deadline
        request.context.record = CallRecord(time: cache.time)
        request.context[only: ObservedCall.self] = nil
        request.context.delivery = .streamed
        request.context.cachePolicy = .useProtocol
        // The complete stored response is revalidated, without the caller's range and conditions.
        for name in [HTTPFieldName.range, .ifRange, .ifNoneMatch, .ifModifiedSince] { request.headers.remove(name) }
        let exchange = CacheExchange(request, inBackgroundOf: self)
        cache.revalidations.withLock { running in
            guard running[flight] == nil, running.count < cache.limits.revalidations else { return }
            running[flight] = TaskDeadline.removed {
                Task {
                    if !(await exchange.revalidate(forward, entries, until: deadline)) {
                        exchange.cache.failedRevalidations.add(flight, at: exchange.cache.time.instant)
                    }
                    exchange.cache.revalidations.withLock { $0[flight] = nil }
                }
            }
        }
    }

    /// Revalidates. Returns whether the stored response has been updated.
    private func revalidate(
        _ forward: CacheDecision.Forward, _ entries: [CacheEntry], until deadline: ContinuousClock.Instant
    ) async -> Bool {
        do throws(HTTPError) {
            return try await race(
                { () throws(HTTPError) in
                    let fetched = await CacheFetch(exchange: self, forward: forward, entries: entries).run(isWaitedFor: { false })
                    // A streamed response is stored while it is read, until the store stops accepting it.
                    let response = try fetched.result.get()
                    guard !fetched.isStored, response.metadata.cacheStatus?.isStored == true else { return fetched.isStored }
                    var iterator = response.body.makeAsyncIterator()
                    while try await iterator.next() != nil {}
                    return true
                }, until: deadline, time: cache.time
            ) { ErrorContext(stage: .interceptor, detail: "the response did not arrive completely within the limit revalidationTimeout") }
        } catch {
            cache.report(.revalidationFailed(error))
            return false
        }
    }

    private func outcome(
        of fetched: FetchOutcome, _ forward: CacheDecision.Forward, _ entries: [CacheEntry]
    ) throws(HTTPError) -> HTTPResponse<HTTPBody> {
        if fetched.isFailure, let stale = replacement(for: fetched, forward, entries) { return stale }
        return try fetched.result.get()
    }

    /// Returns the stored response that may replace a failure.
    private func replacement(
        for fetched: FetchOutcome, _ forward: CacheDecision.Forward, _ entries: [CacheEntry]
    ) -> HTTPResponse<HTTPBody>? {
        guard let stored = forward.stored, request.context.cachePolicy != .reload else { return nil }
        let freshness = Freshness(of: stored, at: cache.time.now, settings: cache.settings)
        guard StaleRules.mayReplaceFailure(stored, freshness, request.headers, cache.settings),
            var response = staleResponse(stored, entries, reason: "stale-if-error")
        else { return nil }
        response.metadata.cacheStatus?.isHit = false
        response.metadata.cacheStatus?.forwardReason = forward.reason
        response.metadata.cacheStatus?.replacesFailure = true
        if case .success(let failed) = fetched.result { response.metadata.cacheStatus?.forwardStatus = failed.status }
        return response
    }

    /// Whether identical requests may wait for the response to this one.
    private func canBeShared(_ forward: CacheDecision.Forward) -> Bool {
        request.method == .get && forward.reason != .request && request.context.cachePolicy != .reload
            && !request.headers.contains(.range) && !Preconditions.arePresent(request.headers)
            && !Preconditions.areForTheServer(request.headers)
    }

    /// Returns the key that identical requests share, with the values of the fields that select stored responses.
    private func flightKey(_ entries: [CacheEntry]) -> CacheState.FlightKey {
        let names = Set(entries.flatMap { $0.response.variant.selectors.map(\.name) })
        return CacheState.FlightKey(key: key, variant: VaryRules.variant(of: request.headers, names: names.sorted()))
    }
}
