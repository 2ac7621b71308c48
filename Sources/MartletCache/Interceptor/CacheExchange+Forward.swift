// Requests to the server: alone, shared with identical requests, and in the background.

/// The progress of a forwarded request.
private struct Flight: Sendable {
    var forward: CacheDecision.Forward
    /// The stored responses that belong to the request.
    var entries: [CacheEntry]
    /// The key that identical requests share.
    var key: CacheState.FlightKey
    /// The moment of ``CacheState/storedChanges`` at which `entries` were read.
    var moment: Int
    /// The number of flights in which the request took part, without flights that failed for their own request only.
    var waits = 0
    /// The failures of the flights of others.
    var failures = SharedFailures()
    /// The outcome of the last flight, and the request's part in it.
    var fetched = FetchOutcome(result: .failure(.cancelled), isStored: false)
    var role = FlightDecision.Role.started
    /// The stored response that replaces a failure, or that another request has brought.
    var stored: HTTPResponse<HTTPBody>?
}

extension CacheExchange {
    /// Returns the server's response, or a stored one that replaces a failure (RFC 5861 §4).
    ///
    /// - Parameter moment: The moment of ``CacheState/storedChanges`` at which `entries` were read.
    func send(
        _ forward: CacheDecision.Forward, _ entries: [CacheEntry], since moment: Int
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var flight = Flight(forward: forward, entries: entries, key: flightKey(entries), moment: moment)
        var decision = FlightDecision.decide
        while true {
            switch decision {
            case .decide:
                let isUnshareable = cache.unshareable.contains(flight.key, at: cache.time.instant)
                decision = .beforeSending(request, flight.forward.reason, isUnshareable: isUnshareable, waits: flight.waits)
            case .sendAlone: decision = await sendAlone(&flight)
            case .joinOrStart: decision = await joinOrStart(&flight)
            case .readStore(let policy): decision = await readStore(&flight, policy)
            case .takeResult: return try flight.fetched.result.get()
            case .serveStored:
                guard let stored = flight.stored else { return try flight.fetched.result.get() }
                return stored
            case .cancel: throw .cancelled
            }
        }
    }

    /// Sends the request for its own caller. Returns what follows.
    private func sendAlone(_ flight: inout Flight) async -> FlightDecision {
        flight.role = .started
        flight.fetched = await fetch(flight, isWaitedFor: { false })
        flight.stored = replacement(for: flight)
        if flight.fetched.isStored { cache.unshareable.remove(flight.key) }
        return .afterFlight(.started, hasReplacement: flight.stored != nil)
    }

    /// Waits for the identical request in flight, or sends this one for all that ask meanwhile. Returns what follows.
    private func joinOrStart(_ flight: inout Flight) async -> FlightDecision {
        let key = flight.key
        let (result, hasJoined) = await cache.flights.outcome(for: key) { [self, flight] in
            if cache.storedChanges.contains(key, since: flight.moment) {
                return FetchOutcome(result: .failure(.cancelled), isStored: true, isEarlier: true)
            }
            return await fetch(flight, isWaitedFor: { cache.flights.waiterCount(for: key) > 1 })
        }
        guard case .success(let fetched) = result else { return .cancel }
        flight.role = fetched.isEarlier ? .alreadyStored : hasJoined ? .joined : .started
        flight.fetched = fetched
        flight.stored = replacement(for: flight)
        let failure = flight.role == .joined ? fetched.failure(after: &flight.failures) : nil
        if failure != .own {
            flight.waits += 1
            flight.moment = cache.storedChanges.now
        }
        if flight.role == .started, fetched.isUnshareable(cache.settings) { cache.unshareable.add(key, at: cache.time.instant) }
        return .afterFlight(
            flight.role, policy: request.context.cachePolicy, isCancelled: Task.isCancelled, hasReplacement: flight.stored != nil,
            failure: failure)
    }

    /// Looks at what other requests have stored or passed on. Returns what follows.
    private func readStore(_ flight: inout Flight, _ policy: CachePolicy) async -> FlightDecision {
        flight.entries = flight.fetched.isStored ? await entries() : []
        if flight.entries.isEmpty, let shared = flight.fetched.shared { flight.entries = [shared] }
        flight.key = flightKey(flight.entries)
        guard !flight.entries.isEmpty else { return .afterLookup(.nothing, flight.role) }
        switch decision(on: flight.entries, policy) {
        case .reuse(let reuse):
            guard let made = response(for: reuse, flight.entries), var response = await readable(made, of: reuse.response) else { break }
            response.metadata.cacheStatus?.isHit = false
            response.metadata.cacheStatus?.forwardReason = flight.forward.reason
            response.metadata.cacheStatus?.isCollapsed = true
            flight.stored = response
            return .afterLookup(.usable, flight.role)
        case .forward(let other): flight.forward = other
        case .unavailable: break
        }
        return .afterLookup(.unusable, flight.role)
    }

    /// Sends the request, and records it if its response was stored.
    private func fetch(_ flight: Flight, isWaitedFor: @Sendable () -> Bool) async -> FetchOutcome {
        let fetched = await CacheFetch(exchange: self, forward: flight.forward, entries: flight.entries).run(isWaitedFor: isWaitedFor)
        if fetched.isStored { cache.storedChanges.add(flight.key) }
        return fetched
    }

    /// Revalidates without a waiting caller, unless that is in progress already. The deadline of the caller's task does not bound it.
    func revalidateInBackground(_ forward: CacheDecision.Forward, _ entries: [CacheEntry]) {
        let flight = flightKey(entries)
        // After a failed revalidation, not every hit tries again.
        guard !cache.failedRevalidations.contains(flight, at: cache.time.instant) else { return }
        var request = request
        // The request belongs to no call, so it has its own deadline, and observers do not see it.
        let deadline = cache.time.instant + cache.settings.revalidationTimeout
        request.context.deadline = deadline
        request.context.record = CallRecord(time: cache.time)
        request.context.runningCall = nil
        request.context.streamsBody = true
        request.context.cachePolicy = .useProtocol
        // The complete stored response is revalidated, without the caller's range and conditions.
        for name in [HTTPFieldName.range, .ifRange, .ifNoneMatch, .ifModifiedSince] { request.headers.remove(name) }
        let exchange = CacheExchange(request, inBackgroundOf: self)
        cache.revalidations.withLock { running in
            guard running[flight] == nil, running.count < cache.settings.maxRevalidations else { return }
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

    /// Returns the stored response that replaces the outcome of a flight. Nil unless that is a failure that it may replace.
    private func replacement(for flight: Flight) -> HTTPResponse<HTTPBody>? {
        guard flight.fetched.isFailure, let stored = flight.forward.stored, request.context.cachePolicy != .reload else { return nil }
        let freshness = Freshness(of: stored, at: cache.time.now, settings: cache.settings)
        guard StaleRules.mayReplaceFailure(stored, freshness, request.headers, cache.settings),
            var response = staleResponse(stored, flight.entries, reason: "stale-if-error")
        else { return nil }
        response.metadata.cacheStatus?.isHit = false
        response.metadata.cacheStatus?.forwardReason = flight.forward.reason
        response.metadata.cacheStatus?.replacesFailure = true
        if case .success(let failed) = flight.fetched.result { response.metadata.cacheStatus?.forwardStatus = failed.status }
        return response
    }

    /// Returns the key that identical requests share, with the values of the fields that select stored responses.
    private func flightKey(_ entries: [CacheEntry]) -> CacheState.FlightKey {
        let names = Set(entries.flatMap { $0.response.variant.selectors.map(\.name) })
        return CacheState.FlightKey(key: key, variant: VaryRules.variant(of: request.headers, names: names.sorted()))
    }
}
