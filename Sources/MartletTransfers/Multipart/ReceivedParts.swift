public import MartletEssentials

/// The parts of a multipart body, in order as they arrive (RFC 2046 §5.1).
package struct ReceivedParts: Sendable {
    private let body: HTTPBody
    private let parser: Result<MultipartParser, HTTPError>
    private let request: HTTPRequest?

    init(_ body: HTTPBody, boundary: String?, subject: String, limits: MultipartLimits, request: HTTPRequest?) {
        self.body = body
        self.request = request
        if let boundary, let parser = MultipartParser(boundary: boundary, limits: limits) {
            self.parser = .success(parser)
        } else {
            parser = .failure(.invalidResponse(Explanation("\(subject); a multipart type with a boundary is required")))
        }
    }

    /// Reads the parts in order.
    package struct Iterator: Sendable {
        fileprivate let feed: Result<PartFeed, HTTPError>
        fileprivate let request: HTTPRequest?

        /// Whether the next part has arrived completely, so that reading it does not wait.
        package var hasWholePart: Bool { (try? feed.get())?.hasWholePart ?? false }

        /// Whether the body ended before its closing boundary but was well formed up to there.
        package var isCutOff: Bool { (try? feed.get())?.isCutOff ?? false }

        /// Returns the next part, or nil after the last.
        package mutating func next() async throws(HTTPError) -> ReceivedPart? {
            do throws(HTTPError) {
                let feed = try feed.get()
                guard let (number, headers) = try await feed.nextPart() else { return nil }
                let body = HTTPBody(reader: PartReader(feed, part: number))
                return ReceivedPart(headers: headers, body: request.map(body.answering) ?? body)
            } catch { throw error.completed(ifKnown: request, stage: .body) }
        }
    }

    /// Begins to read. A streamed body can be read once.
    package func makeIterator() -> Iterator { Iterator(feed: parser.map { PartFeed(body, $0) }, request: request) }

    fileprivate var sequence: ValueSequence<ReceivedPart, HTTPError> {
        ValueSequence {
            var parts = makeIterator()
            return { () async throws(HTTPError) in try await parts.next() }
        }
    }
}

/// A part of a multipart response, with its header fields and content.
public struct ReceivedPart: Sendable {
    /// The header fields of the part.
    public let headers: HTTPFields
    /// The content of the part as it was sent, which must be read before the next part is requested.
    public let body: HTTPBody

    /// The `Content-Disposition` of the part, with its names, or nil if it is missing or malformed.
    public var disposition: ContentDisposition? { headers["Content-Disposition"].flatMap { ContentDisposition($0) } }

    /// The name of the form field, or nil if the part has no name.
    public var name: String? { disposition?.name }

    /// The media type of the part's content, or nil if it is missing or malformed. RFC 2046 §5.1 then assumes `text/plain`.
    public var contentType: MediaType? { headers[.contentType].flatMap { MediaType($0) } }
}

extension HTTPBody {
    /// Returns a sequence of the parts of a multipart body with this boundary, as they arrive. See
    /// `HTTPResponse.parts(maxHeadBytes:maxParts:)`.
    ///
    /// - Parameters:
    ///   - boundary: The boundary, without the hyphens before it.
    ///   - maxHeadBytes: The maximum size of a part's head, and of the preamble before the first boundary, in bytes. Default: 16 KiB.
    ///   - maxParts: The maximum number of parts. Default: 10,000; nil for no limit.
    public func parts(
        boundary: String, maxHeadBytes: Int = 16 * 1024, maxParts: Int? = 10_000
    ) -> ValueSequence<ReceivedPart, HTTPError> {
        receivedParts(boundary: boundary, limits: MultipartLimits(headBytes: maxHeadBytes, parts: maxParts)).sequence
    }

    package func receivedParts(boundary: String, limits: MultipartLimits) -> ReceivedParts {
        ReceivedParts(
            self, boundary: boundary, subject: "the boundary is “\(Redaction.line(boundary, limit: 80))”", limits: limits, request: nil)
    }
}

extension HTTPResponse where Body == HTTPBody {
    /// Returns a sequence of the parts of a multipart response as they arrive (RFC 2046 §5.1), with the boundary in its `Content-Type`.
    ///
    /// ```swift
    /// let response = try await client.stream(Request<Data>.get("changes"))
    /// for try await part in response.parts() {
    ///     let change = try await part.body.collect(upTo: 1_000_000)
    /// }
    /// ```
    ///
    /// A part is returned when its head has arrived. Its content is read as it arrives, with a bounded amount in memory. Requesting the
    /// next part skips the rest of the previous one, whose body then throws `.bodyNotReplayable`. Leaving the loop early stops the
    /// transfer, unless a part's body is still held. Bytes before the first boundary (at most `maxHeadBytes`) and after the last are
    /// ignored. Only CRLF ends a line.
    ///
    /// The sequence throws the errors of reading the body; `.invalidResponse` for a body that is not multipart or ends before its closing
    /// boundary, after the parts before that; and `.responseTooLarge` for an exceeded limit.
    ///
    /// - Parameters:
    ///   - maxHeadBytes: The maximum size of a part's head, and of the preamble before the first boundary, in bytes. Default: 16 KiB.
    ///   - maxParts: The maximum number of parts. Default: 10,000; nil for no limit.
    public func parts(maxHeadBytes: Int = 16 * 1024, maxParts: Int? = 10_000) -> ValueSequence<ReceivedPart, HTTPError> {
        receivedParts(limits: MultipartLimits(headBytes: maxHeadBytes, parts: maxParts)).sequence
    }

    package func receivedParts(limits: MultipartLimits) -> ReceivedParts { parts(of: body, limits) }
}

extension HTTPResponse where Body == Data {
    /// Returns a sequence of the parts of a multipart response that is in memory. See `parts(maxHeadBytes:maxParts:)` of a streamed
    /// response.
    public func parts(maxHeadBytes: Int = 16 * 1024, maxParts: Int? = 10_000) -> ValueSequence<ReceivedPart, HTTPError> {
        parts(of: HTTPBody(body), MultipartLimits(headBytes: maxHeadBytes, parts: maxParts)).sequence
    }
}

extension HTTPResponse {
    fileprivate func parts(of body: HTTPBody, _ limits: MultipartLimits) -> ReceivedParts {
        let text = headers[.contentType] ?? ""
        let type = MediaType(text)
        let subject = text.isEmpty ? "the response has no Content-Type" : "the Content-Type is \(Redaction.line(text, limit: 100))"
        let boundary = type?.type == "multipart" ? type?["boundary"] : nil
        return ReceivedParts(body, boundary: boundary, subject: subject, limits: limits, request: metadata.request)
    }
}
