internal import MartletEssentials

/// Reads the JSON parts of a multipart response.
struct JSONParts: Sendable {
    /// The content of a part, nil if it is empty, and the number of bytes that it counts toward the limit.
    typealias Part = (tree: JSONValue?, cost: Int)

    /// The response without its body.
    let head: HTTPResponse<Void>
    private var parts: ReceivedParts.Iterator
    /// The remaining bytes of a part that was returned early because its declared length was reached.
    private var rest: HTTPBody.AsyncIterator?
    /// Added to the size of each part, so that any number of empty parts stays within the limit.
    private static let partCost = 64

    init(_ response: HTTPResponse<HTTPBody>) {
        head = response.map { _ in }
        var limit = MultipartLimits(parts: nil)
        // No server writes such a preamble. A body with a wrong boundary could otherwise continue indefinitely without a part.
        limit.allowsForeignStart = false
        let hasBoundary = JSONParts.type(of: response)?["boundary"] != nil
        // "-" is the boundary of all known servers that declare none.
        let received = hasBoundary ? response.receivedParts(limits: limit) : response.body.receivedParts(boundary: "-", limits: limit)
        parts = received.makeIterator()
    }

    /// Whether a response is multipart.
    static func are(in response: HTTPResponse<HTTPBody>) -> Bool { type(of: response)?.type == "multipart" }

    private static func type(of response: HTTPResponse<HTTPBody>) -> MediaType? { response.headers[.contentType].flatMap { MediaType($0) } }

    /// Whether the body ended before its closing boundary but was well formed up to there.
    var isCutOff: Bool { parts.isCutOff }

    /// Whether the next part has been received completely, so that reading it does not wait.
    var hasWholePart: Bool { parts.hasWholePart }

    /// Returns the next part and the number of bytes that it counts, or nil after the last part. The tree is nil for an empty part.
    ///
    /// Throws `.responseTooLarge` for a part beyond `limit`, `.decodingFailed` for a part that is not JSON, and the errors of reading the
    /// body.
    mutating func next(upTo limit: Int) async throws(HTTPError) -> Part? {
        let skipped = try await skipRest(upTo: limit), limit = limit - skipped
        guard let part = try await parts.next() else { return nil }
        guard limit > JSONParts.partCost else { throw .responseTooLarge(SizeLimitFailure(limit: limit)) }
        let promised = (try? part.headers.declaredContentLength()) ?? nil
        var content = Data(), chunks = part.body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard content.count + chunk.count <= limit - JSONParts.partCost else { throw .responseTooLarge(SizeLimitFailure(limit: limit)) }
            content.append(chunk)
            // Many servers send the boundary of a part only with the next part. A declared length shows that the part is complete.
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
                    type: "JSON", reason: "a part is not valid JSON: \(error)", response: head.map { _ in content },
                    context: ErrorContext(request: head.metadata.request, stage: .decoding, underlying: error)))
        }
    }

    /// Skips what follows a part that was returned early, and returns the number of skipped bytes. Only white space is allowed there.
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
