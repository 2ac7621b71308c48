internal import MartletEssentials
internal import MartletSystem

/// Stores a response: immediately if it is in memory, otherwise while it is read.
struct ResponseStorage: Sendable {
    let exchange: CacheExchange
    let times: CacheTimes
    /// The responses that were stored for the key when the request was sent. Without bodies, because a streamed response keeps this value
    /// until it has been read.
    let before: [StoredResponse]

    private var cache: CacheState { exchange.cache }

    /// The result of storing a response.
    struct Kept {
        /// The response for the caller.
        let response: HTTPResponse<HTTPBody>
        /// Whether it is stored already.
        var isStored = false
        /// The response for waiting callers. The store may not have it.
        var shared: CacheEntry?
    }

    /// Stores a response if allowed.
    func kept(_ response: HTTPResponse<HTTPBody>) async -> Kept {
        let head = response.map { _ in }
        guard StorageRules.mayStore(head, to: exchange.request, cache.settings), let stored = stored(head), !mayBeCut(response) else {
            return Kept(response: response)
        }
        var response = response
        guard exchange.isForRequestsLikeThis(stored, response.metadata.request) else {
            response.metadata.cacheStatus?.detail =
                "not stored: an interceptor after the cache added a field that may identify the user, a Host, or a field named by Vary"
            return Kept(response: response)
        }
        // A part with more bytes than it declares is not stored. A part with fewer, which some servers send, is stored, but never combined
        // with others.
        let partLength = stored.part.map { Int64($0.bounds.count) }
        if let partLength, let length = response.body.length, length > partLength { return Kept(response: response) }
        if response.body.buffered != nil {
            let isStored = await store(stored, response.body)
            response.metadata.cacheStatus?.isStored = isStored
            let isCurrent = !cache.invalidations.contains(exchange.key.uri, since: times.moment)
            return Kept(
                response: response, isStored: isStored, shared: isCurrent ? CacheEntry(response: stored, body: response.body) : nil)
        }
        guard let writer = await writer(for: stored, length: response.body.length) else { return Kept(response: response) }
        // If the body cannot be opened, its reader gets the error.
        guard let reader = try? response.body.reader() else { return Kept(response: response) }
        response.metadata.cacheStatus?.isStored = true
        let length = response.body.length
        let kept = StoringReader(reader, length: length ?? partLength, writer, endsUnwanted: exchange.isBackground) {
            // Reading took time, so a newer response may have been stored.
            let hasNewer = await cache.entries(for: stored.key).contains {
                $0.response.variant == stored.variant && $0.response.responseTime > stored.responseTime
            }
            if !hasNewer { await complete(writer, stored) }
        } failed: { [cache] in
            cache.failed($0)
        }
        response.body = HTTPBody(reader: kept, length: length)
        return Kept(response: response)
    }

    /// Stores a response whose body is in memory. Returns whether it was stored.
    func store(_ response: StoredResponse, _ body: HTTPBody) async -> Bool {
        guard let bytes = body.buffered, let writer = await writer(for: response, length: Int64(bytes.count)) else { return false }
        do throws(CacheStoreError) {
            if !bytes.isEmpty, !(try await writer.write(bytes)) { return false }
        } catch {
            cache.failed(error)
            return false
        }
        return await complete(writer, response)
    }

    /// Whether the body may be incomplete, because it belongs to a redirect that is followed, and only its beginning was read.
    private func mayBeCut(_ response: HTTPResponse<HTTPBody>) -> Bool {
        let context = exchange.request.context
        guard context.followsRedirects, response.status.kind == .redirection, let bytes = response.body.buffered else { return false }
        if let length = response.headers[.contentLength] { return Int(length) != bytes.count }
        return response.metadata.wasContentCoded || bytes.count > context.limits.redirectBodyBytes / 2
    }

    /// The maximum number of selecting fields. No server needs more, and more would slow down lookups.
    private static let maxSelectors = 100

    private func stored(_ response: HTTPResponse<Void>) -> StoredResponse? {
        guard let variant = VaryRules.variant(of: exchange.request.headers, for: response.headers),
            variant.selectors.count <= ResponseStorage.maxSelectors
        else { return nil }
        var headers = StorageRules.storedFields(response.headers, received: times.response, cache.settings)
        var status = response.status
        let part = PartialContent.part(of: response)
        if let part {
            guard !hasFreshWhole else { return nil }
            // A part is stored as the 200 that it belongs to. Responses made from it state their own range.
            status = .ok
            headers.remove(.contentRange)
            headers[.contentLength] = part.total.map(String.init)
        }
        return StoredResponse(
            id: cache.makeName(), key: exchange.key(of: headers), variant: variant, status: status, headers: headers,
            requestTime: times.request,
            responseTime: times.response, part: part, wasContentCoded: response.metadata.wasContentCoded)
    }

    /// Whether the whole response is stored and fresh. Parts are then not stored.
    private var hasFreshWhole: Bool {
        before.contains { stored in
            stored.part == nil && VaryRules.fits(stored, exchange.request.headers)
                && Freshness(of: stored, at: times.response, settings: cache.settings).isFresh
        }
    }

    private func writer(for response: StoredResponse, length: Int64?) async -> (any CacheWriter)? {
        guard !cache.invalidations.contains(exchange.key.uri, since: times.moment) else { return nil }
        do { return try await cache.store.writer(for: response, length: length) } catch {
            cache.failed(error)
            return nil
        }
    }

    /// Makes a response available, unless its target was invalidated since the request. Removes the oldest variants beyond the limit.
    @discardableResult
    private func complete(_ writer: any CacheWriter, _ response: StoredResponse) async -> Bool {
        guard !cache.invalidations.contains(exchange.key.uri, since: times.moment) else { return false }
        do { try await writer.finish() } catch {
            cache.failed(error)
            return false
        }
        let others = before.filter { $0.key == response.key && $0.variant != response.variant }.sorted { $0.responseTime < $1.responseTime }
        for extra in others.prefix(max(0, others.count + 1 - cache.settings.maxVariants)) { await cache.remove(extra) }
        guard cache.invalidations.contains(exchange.key.uri, since: times.moment) else { return true }
        // The target was invalidated while the response was being completed.
        await cache.remove(response)
        return false
    }
}

/// Reads a body and writes it to a store. A body that is not read to its end is not stored.
private final class StoringReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let length: Int64?
    /// Whether the bytes are only for the store.
    private let endsUnwanted: Bool
    private let state: Locked<(writer: (any CacheWriter)?, count: Int64)>
    private let complete: @Sendable () async -> Void
    private let failed: @Sendable (CacheStoreError) -> Void

    init(
        _ reader: any HTTPBodyReader, length: Int64?, _ writer: any CacheWriter, endsUnwanted: Bool,
        complete: @escaping @Sendable () async -> Void,
        failed: @escaping @Sendable (CacheStoreError) -> Void
    ) {
        self.reader = reader
        self.length = length
        self.endsUnwanted = endsUnwanted
        self.complete = complete
        self.failed = failed
        state = Locked((writer, 0))
    }

    func next() async throws(HTTPError) -> Data? {
        let next: Data?
        do { next = try await reader.next() } catch {
            letGo()
            throw error
        }
        guard let chunk = next else {
            let (writer, count) = state.withLock { ($0.writer.take(), $0.count) }
            if writer != nil, length == nil || length == count { await complete() }
            return nil
        }
        let writer = state.withLock { state in
            state.count += Int64(chunk.count)
            return state.writer
        }
        if let writer { await write(chunk, writer) }
        guard endsUnwanted, state.withLock({ $0.writer == nil }) else { return chunk }
        reader.cancel(.cancelled)
        return nil
    }

    private func write(_ chunk: Data, _ writer: any CacheWriter) async {
        var isWanted = false
        do throws(CacheStoreError) { isWanted = try await writer.write(chunk) } catch { failed(error) }
        if !isWanted { letGo() }
    }

    /// Releases the writer outside the lock, because it may have a deinit of its own.
    private func letGo() {
        _ = state.withLock { $0.writer.take() }
    }

    func cancel(_ reason: HTTPError) {
        letGo()
        reader.cancel(reason)
    }
}
