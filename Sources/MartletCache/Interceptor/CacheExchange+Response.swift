internal import MartletEssentials
internal import MartletSystem

// Responses made from stored ones (RFC 9111 §4).

extension CacheExchange {
    /// Returns the response for a decision. Nil if the requested bytes are not stored.
    func response(for reuse: CacheDecision.Reuse, _ entries: [CacheEntry]) -> HTTPResponse<HTTPBody>? {
        guard let entry = entries.first(where: { $0.response.id == reuse.response.id }) else { return nil }
        var status = CacheStatus(isHit: true, timeToLive: CacheExchange.wholeSeconds(reuse.freshness.remaining), detail: reuse.reason)
        status.isStale = !reuse.freshness.isFresh
        return response(of: entry, reuse.freshness, status)
    }

    /// Reads the body into memory for a buffered call. Returns nil if the stored body is unreadable; it is then reported and removed.
    func readable(_ response: HTTPResponse<HTTPBody>, of stored: StoredResponse) async -> HTTPResponse<HTTPBody>? {
        guard !request.context.streamsBody, response.body.buffered == nil else { return response }
        do throws(HTTPError) {
            let bytes = try await response.body.collect(upTo: request.context.limits.bodyBytes)
            return response.map { _ in HTTPBody(bytes) }
        } catch {
            switch error {
            // The caller's own limit or cancellation. The caller gets the error when it reads the body.
            case .responseTooLarge, .cancelled: return response
            default: break
            }
            cache.failed(CacheStoreError(.corrupt, "a stored body could not be read and was removed", underlying: error))
            await cache.remove(stored)
            return nil
        }
    }

    /// Returns a stale response without revalidation.
    func staleResponse(_ stored: StoredResponse, _ entries: [CacheEntry], reason: String) -> HTTPResponse<HTTPBody>? {
        let freshness = Freshness(of: stored, at: cache.time.now, settings: cache.settings)
        return response(for: CacheDecision.Reuse(response: stored, freshness: freshness, revalidates: false, reason: reason), entries)
    }

    /// Returns a response with the stored body, the requested part of it, or a 304 if the caller's conditions match.
    func response(of entry: CacheEntry, _ freshness: Freshness, _ status: CacheStatus) -> HTTPResponse<HTTPBody>? {
        let stored = entry.response
        var response = HTTPResponse(status: stored.status, headers: stored.headers, body: entry.body)
        if Preconditions.arePresent(request.headers), Preconditions.matchNotModified(request.headers, for: stored) {
            response.status = .notModified
            response.body = .empty
            for name in [HTTPFieldName.contentLength, .contentEncoding, .contentType, .contentLanguage] { response.headers.remove(name) }
        } else if request.method == .head {
            response.body = .empty
        } else if let range = wantedRange(of: stored) {
            guard let part = part(range, of: entry) else { return nil }
            response = part
        } else if stored.part != nil {
            return nil
        }
        response.headers[.age] = String(CacheExchange.wholeSeconds(freshness.age))
        response.metadata.request = request
        response.metadata.wasContentCoded = stored.wasContentCoded
        response.metadata.cacheStatus = status
        return response
    }

    /// Returns the requested range, if `If-Range` is absent or matches the stored response (RFC 9110 §13.1.5).
    private func wantedRange(of stored: StoredResponse) -> ByteRange? {
        guard request.method == .get, stored.status == .ok, let range = request.headers[.range].flatMap({ ByteRange($0) }) else {
            return nil
        }
        guard let condition = request.headers[.ifRange] else { return range }
        return Validator(of: stored.headers)?.matches(condition) == true ? range : nil
    }

    /// Returns a range of the stored response as a 206 (RFC 9110 §15.3.7).
    private func part(_ range: ByteRange, of entry: CacheEntry) -> HTTPResponse<HTTPBody>? {
        let stored = entry.response
        // A stored part that is longer than its bounds is not used, because a store may return unexpected data.
        guard let count = entry.body.length, stored.part.map({ count <= Int64($0.bounds.count) }) ?? true else { return nil }
        let bounds = stored.part.map { range.bounds(of: $0, holding: count) } ?? range.bounds(ofWhole: count)
        guard let bounds else { return nil }
        let start = bounds.lowerBound - (stored.part?.bounds.lowerBound ?? 0)
        return HTTPResponse(
            status: .partialContent,
            headers: PartialContent.fields(stored, bounds: bounds, total: stored.part == nil ? count : stored.part?.total),
            body: entry.body.part(from: start, count: Int64(bounds.count)))
    }

    static func wholeSeconds(_ seconds: Double) -> Int { Int(max(-1e15, min(1e15, seconds.rounded(.down)))) }
}

extension HTTPBody {
    /// Returns a slice of a body that can be read more than once.
    fileprivate func part(from start: Int64, count: Int64) -> HTTPBody {
        if let buffered { return HTTPBody(Data(buffered.dropFirst(Int(start)).prefix(Int(count)))) }
        let whole = self
        return HTTPBody(length: count) { () throws(HTTPError) in SliceReader(try whole.reader(), start: start, count: count) }
    }
}

/// Reads a slice of a body.
private final class SliceReader: HTTPBodyReader {
    private let whole: any HTTPBodyReader
    private let state: Locked<(skip: Int64, left: Int64)>

    init(_ whole: any HTTPBodyReader, start: Int64, count: Int64) {
        self.whole = whole
        state = Locked((start, count))
    }

    func next() async throws(HTTPError) -> Data? {
        while state.withLock({ $0.left > 0 }) {
            let unwanted = state.withLock { $0.skip }
            if unwanted > 0 {
                let skipped = try await whole.skip(unwanted)
                state.withLock { $0.skip -= skipped }
            }
            guard let chunk = try await whole.next() else {
                throw .networkError(NetworkFailure(.other, "a stored body is shorter than its recorded length"))
            }
            let wanted = state.withLock { state in
                let skipped = min(state.skip, Int64(chunk.count))
                let wanted = Data(chunk.dropFirst(Int(skipped)).prefix(Int(clamping: state.left)))
                state.skip -= skipped
                state.left -= Int64(wanted.count)
                return wanted
            }
            if !wanted.isEmpty { return wanted }
        }
        whole.cancel(.cancelled)
        return nil
    }

    func cancel(_ reason: HTTPError) { whole.cancel(reason) }
}
