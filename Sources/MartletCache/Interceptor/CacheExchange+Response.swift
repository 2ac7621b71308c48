internal import MartletEssentials
internal import MartletSystem

// Responses made of what is stored (RFC 9111 §4).

extension CacheExchange {
    /// The response that a decision means; nil when the bytes that are asked for are not there.
    func response(for reuse: CacheDecision.Reuse, _ entries: [CacheEntry]) -> HTTPResponse<HTTPBody>? {
        guard let entry = entries.first(where: { $0.response.id == reuse.response.id }) else { return nil }
        var status = CacheStatus(isHit: true, timeToLive: CacheExchange.wholeSeconds(reuse.freshness.remaining), detail: reuse.reason)
        status.isStale = !reuse.freshness.isFresh
        return response(of: entry, reuse.freshness, status)
    }

    /// The answer to a buffered call with its body in memory. Nil when the store can't give it: it is reported, and forgotten.
    func readable(_ response: HTTPResponse<HTTPBody>, of stored: StoredResponse) async -> HTTPResponse<HTTPBody>? {
        guard request.context.delivery == .buffered, response.body.buffered == nil else { return response }
        do throws(HTTPError) {
            let bytes = try await response.body.collect(upTo: request.context.limits.bodyBytes)
            return response.map { _ in HTTPBody(bytes) }
        } catch {
            switch error {
            // The caller's own limit, or end: reading it again says so.
            case .responseTooLarge, .cancelled: return response
            default: break
            }
            cache.failed(CacheStoreError(.corrupt, "a stored body can't be read", underlying: error))
            await cache.remove(stored)
            return nil
        }
    }

    /// A stale response as it is.
    func staleResponse(_ stored: StoredResponse, _ entries: [CacheEntry], reason: String) -> HTTPResponse<HTTPBody>? {
        let freshness = Freshness(of: stored, at: cache.time.now, settings: cache.settings)
        return response(for: CacheDecision.Reuse(response: stored, freshness: freshness, revalidates: false, reason: reason), entries)
    }

    /// A response with the body that is stored: whole, the part that is asked for, or none where the author has it already.
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

    /// The range that is asked for, when it is asked for of this very state (RFC 9110 §13.1.5).
    private func wantedRange(of stored: StoredResponse) -> ByteRange? {
        guard request.method == .get, stored.status == .ok, let range = request.headers[.range].flatMap({ ByteRange($0) }) else {
            return nil
        }
        guard let condition = request.headers[.ifRange] else { return range }
        return Validator(of: stored.headers)?.text == String(condition.trimmingWhitespace) ? range : nil
    }

    /// A range of what is stored, as a 206 (RFC 9110 §15.3.7).
    private func part(_ range: ByteRange, of entry: CacheEntry) -> HTTPResponse<HTTPBody>? {
        let stored = entry.response
        // A part that is longer than it says is no part of anything: a store may give what nobody has put there.
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
    /// Some of the bytes of a body that can be read again.
    fileprivate func part(from start: Int64, count: Int64) -> HTTPBody {
        if let buffered { return HTTPBody(Data(buffered.dropFirst(Int(start)).prefix(Int(count)))) }
        let whole = self
        return HTTPBody(length: count) { () throws(HTTPError) in SliceReader(try whole.reader(), start: start, count: count) }
    }
}

/// Reads some of the bytes of a body.
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
                throw .networkError(NetworkFailure(.other, "a stored body is shorter than it was"))
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
