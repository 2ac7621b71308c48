internal import MartletEssentials
internal import MartletSystem

/// Puts an answer into the store: at once when it is in memory, else as it is read.
struct ResponseStorage: Sendable {
    let exchange: CacheExchange
    let times: CacheTimes
    /// The stored responses for the key when the request was sent, without their bodies: a body that is read as it arrives keeps this value.
    let before: [StoredResponse]

    private var cache: CacheState { exchange.cache }

    /// What became of an answer.
    struct Kept {
        /// As it is to be handed on.
        let response: HTTPResponse<HTTPBody>
        /// Whether it is stored already.
        var isStored = false
        /// What others who wait for it may be given, though the store may not have it.
        var shared: CacheEntry?
    }

    /// Keeps an answer, if it may be kept.
    func kept(_ response: HTTPResponse<HTTPBody>) async -> Kept {
        let head = response.map { _ in }
        guard StorageRules.mayStore(head, to: exchange.request, cache.settings), let stored = stored(head), !mayBeCut(response) else {
            return Kept(response: response)
        }
        var response = response
        guard exchange.isForRequestsLikeThis(stored, response.metadata.request) else {
            response.metadata.cacheStatus?.detail =
                "not stored: credentials, a Host, or fields that Vary names, were added inside the cache"
            return Kept(response: response)
        }
        // Who sends more bytes than they name is not believed in any of them. Fewer, which some servers send, are used for what they are, and
        // never put together with others.
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
        // A body that can't be opened says so to whoever reads it.
        guard let reader = try? response.body.reader() else { return Kept(response: response) }
        response.metadata.cacheStatus?.isStored = true
        let length = response.body.length
        let kept = StoringReader(reader, length: length ?? partLength, writer, endsUnwanted: exchange.isBackground) {
            // Reading has taken its time: a newer answer may be there.
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

    /// Stores a response whose body is in memory; whether it is stored.
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

    /// Whether the end of a body may be missing: that of a redirect that is followed, which nobody sees.
    private func mayBeCut(_ response: HTTPResponse<HTTPBody>) -> Bool {
        let context = exchange.request.context
        guard context.followsRedirects, response.status.kind == .redirection, let bytes = response.body.buffered else { return false }
        if let length = response.headers[.contentLength] { return Int(length) != bytes.count }
        return response.metadata.wasContentCoded || bytes.count > context.limits.redirectBodyBytes / 2
    }

    /// More fields than any server chooses by make finding slow.
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
            // A part is stored as what it is of: an answer says anew which bytes it has.
            status = .ok
            headers.remove(.contentRange)
            headers[.contentLength] = part.total.map(String.init)
        }
        return StoredResponse(
            id: cache.makeName(), key: exchange.key, variant: variant, status: status, headers: headers,
            requestTime: times.request,
            responseTime: times.response, part: part, wasContentCoded: response.metadata.wasContentCoded)
    }

    /// Whether the whole is stored and fresh, in place of which no part is kept.
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

    /// Makes a response findable, unless its target was invalidated since it was asked for; and the oldest of too many variants go.
    @discardableResult
    private func complete(_ writer: any CacheWriter, _ response: StoredResponse) async -> Bool {
        guard !cache.invalidations.contains(exchange.key.uri, since: times.moment) else { return false }
        do { try await writer.finish() } catch {
            cache.failed(error)
            return false
        }
        let others = before.filter { $0.variant != response.variant }.sorted { $0.responseTime < $1.responseTime }
        for extra in others.prefix(max(0, others.count + 1 - cache.limits.variants)) { await cache.remove(extra) }
        guard cache.invalidations.contains(exchange.key.uri, since: times.moment) else { return true }
        // It was invalidated while it was being finished.
        await cache.remove(response)
        return false
    }
}

/// Reads a body and writes it into a store on the way. A body that is not read to its end leaves nothing there.
private final class StoringReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let length: Int64?
    /// Whether the bytes are for the store alone.
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

    /// Lets go of the writer, outside the lock: it may have a deinit of its own.
    private func letGo() {
        _ = state.withLock { $0.writer.take() }
    }

    func cancel(_ reason: HTTPError) {
        letGo()
        reader.cancel(reason)
    }
}
