internal import MartletEssentials

/// The times of a request and its response, and the moment from which invalidations count.
struct CacheTimes: Sendable {
    let request: Date
    let response: Date
    let moment: Int
}

/// One request from the cache to the server, and the handling of its response.
struct CacheFetch: Sendable {
    let exchange: CacheExchange
    let forward: CacheDecision.Forward
    let entries: [CacheEntry]

    private var cache: CacheState { exchange.cache }
    private var request: HTTPRequest { exchange.request }

    /// Sends the request, and stores the response if allowed.
    ///
    /// - Parameter isWaitedFor: Whether other callers wait for the response to be stored.
    func run(isWaitedFor: @Sendable () -> Bool) async -> FetchOutcome {
        do throws(HTTPError) {
            var (response, sent, times) = try await ask(manner)
            if let fetched = await understood(response, sent, times) { return fetched }
            let isUnusablePart = sent.isPartial && [.partialContent, .rangeNotSatisfiable].contains(response.status)
            if isUnusablePart || response.status == .notModified && sent.isConditional {
                // The response matches no stored one, so the whole resource is requested without conditions.
                (response, sent, times) = try await ask(.asIs)
            }
            if !request.context.streamsBody || isWaitedFor() { response = try await inMemory(response) }
            response.metadata.cacheStatus = status
            return await keep(response, times)
        } catch { return FetchOutcome(result: .failure(error), isStored: false) }
    }

    /// How the request is sent. A part is not completed if the result would exceed the limit for combined parts.
    private var manner: CacheDecision.Forward.Manner {
        guard forward.manner == .completing, let part = forward.stored?.part else { return forward.manner }
        return part.total ?? part.bounds.upperBound + 1 <= Int64(cache.settings.maxCombinedBytes) ? .completing : .asIs
    }

    /// The properties of the request that was sent.
    private struct Sent {
        let headers: HTTPFields
        let isConditional: Bool
        let isPartial: Bool
    }

    private func ask(_ manner: CacheDecision.Forward.Manner) async throws(HTTPError) -> (HTTPResponse<HTTPBody>, Sent, CacheTimes) {
        var request = request
        switch (manner, forward.stored) {
        case (.validating, .some(let stored)): request.headers = Preconditions.validating(stored, request.headers)
        case (.completing, .some(let stored)): request.headers = PartialContent.completing(stored, request.headers)
        default: break
        }
        if request.context.cachePolicy == .reload, !request.headers.contains(.cacheControl) { request.headers[.cacheControl] = "no-cache" }
        // An inner cache must not deliver an early response too.
        request.context.earlyAnswer = nil
        let (moment, requestTime) = (cache.invalidations.now, cache.time.now)
        let response = try await exchange.next(request)
        let own = self.request.headers
        let isConditional = Preconditions.arePresent(request.headers) && !Preconditions.arePresent(own)
        let sent = Sent(headers: request.headers, isConditional: isConditional, isPartial: manner == .completing)
        return (response, sent, CacheTimes(request: requestTime, response: cache.time.now, moment: moment))
    }

    /// Returns the outcome if the response concerns a stored one: a 304, the rest of a part, or the response to a HEAD. Otherwise nil.
    private func understood(_ response: HTTPResponse<HTTPBody>, _ sent: Sent, _ times: CacheTimes) async -> FetchOutcome? {
        guard let stored = forward.stored, let entry = entries.first(where: { $0.response.id == stored.id }) else { return nil }
        // A response obtained with fields that the cache has not seen does not concern the stored response.
        guard exchange.isForRequestsLikeThis(stored, response.metadata.request) else { return nil }
        if request.method == .head { return await headUpdate(entry, response, times) }
        if response.status == .notModified, forward.manner == .validating,
            Preconditions.isAbout(stored, notModified: response.headers, asked: sent.headers)
        {
            return await validated(entry, response.headers, times)
        }
        if response.status == .partialContent { return await combined(entry, response, times) }
        return nil
    }

    /// Handles a 304: the stored response is still valid (RFC 9111 §4.3.4).
    private func validated(_ entry: CacheEntry, _ headers: HTTPFields, _ times: CacheTimes) async -> FetchOutcome? {
        let updated = Freshening.updated(
            entry.response, by: headers, requestTime: times.request, responseTime: times.response, cache.settings)
        var isCurrent = await isLastWord(on: entry.response, times)
        if isCurrent { isCurrent = await exchange.update(updated) }
        var status = status
        status.forwardStatus = .notModified
        guard let made = response(of: CacheEntry(response: updated, body: entry.body), status),
            let response = await exchange.readable(made, of: updated)
        else { return nil }
        return FetchOutcome(result: .success(response), isStored: isCurrent)
    }

    /// Whether a response is the latest about a stored one: the target has not been invalidated since, and no response to a later request
    /// has updated it.
    private func isLastWord(on response: StoredResponse, _ times: CacheTimes) async -> Bool {
        guard !cache.invalidations.contains(exchange.key.uri, since: times.moment) else { return false }
        guard let current = await cache.entries(for: response.key).first(where: { $0.response.id == response.id })?.response else {
            return false
        }
        if current.isInvalidated, !response.isInvalidated { return false }
        return current.requestTime == response.requestTime || current.requestTime < times.request
    }

    /// Handles a response to HEAD: updates or invalidates the stored response, and returns the new one (RFC 9111 §4.3.5).
    private func headUpdate(_ entry: CacheEntry, _ response: HTTPResponse<HTTPBody>, _ times: CacheTimes) async -> FetchOutcome {
        var response = response
        response.metadata.cacheStatus = status
        let fetched = FetchOutcome(result: .success(response), isStored: false)
        guard response.status == .ok, entry.response.status == .ok, await isLastWord(on: entry.response, times) else { return fetched }
        let isAbout = Freshening.isAbout(entry.response, head: response.headers, bodyLength: entry.body.length)
        _ = await exchange.update(
            isAbout
                ? Freshening.updated(
                    entry.response, by: response.headers, requestTime: times.request, responseTime: times.response, cache.settings)
                : entry.response.with(isInvalidated: true))
        return fetched
    }

    /// Combines a further part with the stored one (RFC 9111 §3.4). Returns nil if that is not allowed.
    private func combined(_ entry: CacheEntry, _ response: HTTPResponse<HTTPBody>, _ times: CacheTimes) async -> FetchOutcome? {
        let head = response.map { _ in }
        guard let part = PartialContent.part(of: head), let length = entry.body.length,
            StorageRules.mayStore(head, to: request, cache.settings),
            let union = PartialContent.union(of: entry.response, holding: length, and: part, response.headers),
            let new = await bytes(of: part, in: response.body, besides: length),
            let old = try? await entry.body.collect(upTo: cache.settings.maxCombinedBytes)
        else { return nil }
        let updated = Freshening.updated(
            entry.response, by: response.headers, requestTime: times.request, responseTime: times.response, cache.settings)
        var headers = updated.headers
        headers[.contentLength] = union.total.map(String.init)
        let whole = updated.with(id: cache.makeName(), key: exchange.key(of: headers), headers: headers, part: .some(union.part))
        let body = HTTPBody(union.bytes(old, new))
        let isStored = await ResponseStorage(exchange: exchange, times: times, before: entries.map(\.response)).store(whole, body)
        var status = status
        status.forwardStatus = .partialContent
        status.isStored = isStored
        guard request.headers[.range] == nil else {
            // The caller asked for this range only.
            var response = response
            response.metadata.cacheStatus = status
            return FetchOutcome(result: .success(response), isStored: isStored)
        }
        guard let answer = self.response(of: CacheEntry(response: whole, body: body), status) else { return nil }
        return FetchOutcome(result: .success(answer), isStored: isStored)
    }

    /// Reads the bytes of a further part. A stream is read only if it has exactly the missing bytes of a whole response.
    private func bytes(of part: StoredResponse.Part, in body: HTTPBody, besides length: Int64) async -> Data? {
        let count = Int64(part.bounds.count), most = Int64(cache.settings.maxCombinedBytes)
        guard count <= most, length <= most - count, body.buffered != nil || manner == .completing && body.length == count else {
            return nil
        }
        let bytes = try? await body.collect(upTo: cache.settings.maxCombinedBytes)
        return bytes.flatMap { Int64($0.count) == count ? $0 : nil }
    }

    private func keep(_ response: HTTPResponse<HTTPBody>, _ times: CacheTimes) async -> FetchOutcome {
        guard request.method == .get else { return FetchOutcome(result: .success(response), isStored: false) }
        let kept = await ResponseStorage(exchange: exchange, times: times, before: entries.map(\.response)).kept(response)
        if !kept.response.metadata.isBeingStored, let stored = forward.stored, [200, 203, 204, 404, 410].contains(response.status) {
            // The new response must not be stored, and it makes the stored one obsolete.
            await cache.remove(stored)
        }
        return FetchOutcome(result: .success(kept.response), isStored: kept.isStored, shared: kept.shared)
    }

    private func response(of entry: CacheEntry, _ status: CacheStatus) -> HTTPResponse<HTTPBody>? {
        let freshness = Freshness(of: entry.response, at: cache.time.now, settings: cache.settings)
        var status = status
        status.timeToLive = CacheExchange.wholeSeconds(freshness.remaining)
        return exchange.response(of: entry, freshness, status)
    }

    private var status: CacheStatus { CacheStatus(isHit: false, forwardReason: forward.reason) }

    /// Reads a short body into memory, so that waiting callers can share it.
    private func inMemory(_ response: HTTPResponse<HTTPBody>) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard response.body.buffered == nil else { return response }
        if request.context.streamsBody {
            guard let length = response.body.length, length <= Int64(cache.settings.maxSharedStreamBytes) else { return response }
        }
        let bytes = try await response.body.collect(upTo: request.context.limits.bodyBytes)
        return response.map { _ in HTTPBody(bytes) }
    }
}

extension ResponseMetadata {
    fileprivate var isBeingStored: Bool { cacheStatus?.isStored ?? false }
}
