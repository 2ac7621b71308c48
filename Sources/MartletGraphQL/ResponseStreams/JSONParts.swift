internal import MartletEssentials

/// The parts of a multipart answer whose contents are JSON.
struct JSONParts: Sendable {
    /// The content of a part, nil if it is empty, and the number of bytes that it counts for.
    typealias Part = (tree: JSONValue?, cost: Int)

    /// The answer but for its body.
    let head: HTTPResponse<Void>
    private var parts: ReceivedParts.Iterator
    /// What may be left of a part that was given by its length.
    private var rest: HTTPBody.AsyncIterator?
    /// A part is reckoned as so many bytes more than it has, lest any number of empty ones be free.
    private static let partCost = 64

    init(_ response: HTTPResponse<HTTPBody>) {
        head = response.map { _ in }
        var limit = MultipartLimits(parts: nil)
        // No server writes such a preamble. A body with a wrong boundary could otherwise continue indefinitely without a part.
        limit.allowsForeignStart = false
        let hasBoundary = JSONParts.type(of: response)?["boundary"] != nil
        // The boundary that all the servers have that name none.
        let received = hasBoundary ? response.receivedParts(limits: limit) : response.body.receivedParts(boundary: "-", limits: limit)
        parts = received.makeIterator()
    }

    /// Whether an answer is multipart.
    static func are(in response: HTTPResponse<HTTPBody>) -> Bool { type(of: response)?.type == "multipart" }

    private static func type(of response: HTTPResponse<HTTPBody>) -> MediaType? { response.headers[.contentType].flatMap { MediaType($0) } }

    /// Whether the body ended before its closing boundary but was well formed up to there.
    var isCutOff: Bool { parts.isCutOff }

    /// Whether the next part was received as a whole: nothing is waited for to read it.
    var hasWholePart: Bool { parts.hasWholePart }

    /// The next part, and how many bytes it counts for; nil after the last. The tree is nil for a part with nothing in it.
    ///
    /// Throws `.responseTooLarge` for one that counts for more than `limit`, `.decodingFailed` for one that is no JSON, and what reading throws.
    mutating func next(upTo limit: Int) async throws(HTTPError) -> Part? {
        let skipped = try await skipRest(upTo: limit), limit = limit - skipped
        guard let part = try await parts.next() else { return nil }
        guard limit > JSONParts.partCost else { throw .responseTooLarge(SizeLimitFailure(limit: limit)) }
        let promised = (try? part.headers.declaredContentLength()) ?? nil
        var content = Data(), chunks = part.body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard content.count + chunk.count <= limit - JSONParts.partCost else { throw .responseTooLarge(SizeLimitFailure(limit: limit)) }
            content.append(chunk)
            // Many servers write a part's boundary when the next part comes: by its length it can be told that it is here.
            if let promised, Int64(content.count) == promised, let tree = try? JSONValue(payload: content) {
                rest = chunks
                return (tree, skipped + content.count + JSONParts.partCost)
            }
        }
        let cost = skipped + content.count + JSONParts.partCost
        if Self.isBlank(content) { return (nil, cost) }
        do { return (try JSONValue(payload: content), cost) } catch {
            throw .decodingFailed(
                DecodingFailure(
                    type: "JSON", reason: "a part is no JSON: \(error)", response: head.map { _ in content },
                    context: ErrorContext(request: head.metadata.request, stage: .decoding, underlying: error)))
        }
    }

    /// Reads what is left of the last part, which its length has denied, and says how many bytes that was.
    private mutating func skipRest(upTo limit: Int) async throws(HTTPError) -> Int {
        guard var chunks = rest.take() else { return 0 }
        var count = 0
        while let chunk = try await chunks.next() {
            count += chunk.count
            guard count <= limit else { throw .responseTooLarge(SizeLimitFailure(limit: limit)) }
            guard Self.isBlank(chunk) else {
                throw .invalidResponse(Explanation("a part is longer than its Content-Length", context: ErrorContext(stage: .body)))
            }
        }
        return count
    }

    private static func isBlank(_ bytes: Data) -> Bool { bytes.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}
