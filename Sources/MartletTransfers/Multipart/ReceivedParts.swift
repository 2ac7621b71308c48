public import MartletEssentials

/// The parts of a multipart body, one after the other as they arrive (RFC 2046 §5.1).
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
            parser = .failure(.invalidResponse(Explanation("\(subject), which is no multipart type with a boundary")))
        }
    }

    /// Reads the parts in order.
    package struct Iterator: Sendable {
        fileprivate let feed: Result<PartFeed, HTTPError>
        fileprivate let request: HTTPRequest?

        /// Whether the next part was received as a whole: nothing is waited for to read it.
        package var hasWholePart: Bool { (try? feed.get())?.hasWholePart ?? false }

        /// Whether the body ended before its closing boundary but was well formed up to there.
        package var isCutOff: Bool { (try? feed.get())?.isCutOff ?? false }

        /// The next part; nil after the last.
        package mutating func next() async throws(HTTPError) -> ReceivedPart? {
            do throws(HTTPError) {
                let feed = try feed.get()
                guard let (number, headers) = try await feed.nextPart() else { return nil }
                let body = HTTPBody(reader: PartReader(feed, part: number))
                return ReceivedPart(headers: headers, body: request.map(body.answering) ?? body)
            } catch { throw error.completed(ifKnown: request, stage: .body) }
        }
    }

    /// Begins to read. A body that is a stream can be read once.
    package func makeIterator() -> Iterator { Iterator(feed: parser.map { PartFeed(body, $0) }, request: request) }

    fileprivate var sequence: ValueSequence<ReceivedPart, HTTPError> {
        ValueSequence {
            var parts = makeIterator()
            return { () async throws(HTTPError) in try await parts.next() }
        }
    }
}

/// One part of a multipart body that is being received.
public struct ReceivedPart: Sendable {
    /// The part's fields.
    public let headers: HTTPFields
    /// The part's content, byte by byte as it was sent. To be read before the next part is asked for.
    public let body: HTTPBody

    /// What the part is for, and its names.
    public var disposition: ContentDisposition? { headers["Content-Disposition"].flatMap { ContentDisposition($0) } }

    /// The name of the form's field.
    public var name: String? { disposition?.name }

    /// The media type; nil when there is none that can be read. RFC 2046 §5.1 then takes it for `text/plain`.
    public var contentType: MediaType? { headers[.contentType].flatMap { MediaType($0) } }
}

extension HTTPBody {
    /// Returns the parts of a multipart body with this boundary: see `HTTPResponse.parts(maxHeadBytes:maxParts:)`.
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
    /// Returns the parts of a multipart response as they arrive (RFC 2046 §5.1), with the boundary that its `Content-Type` names.
    ///
    /// ```swift
    /// let response = try await client.stream(Request<Data>.get("changes"))
    /// for try await part in response.parts() {
    ///     let change = try await part.body.collect(upTo: 1_000_000)
    /// }
    /// ```
    ///
    /// A part is returned when its head has arrived, and its content is read as it arrives, with a bounded amount in memory. Requesting the next
    /// part skips the rest of the one before, whose body then is `.bodyNotReplayable`. Leaving the loop early stops the transfer, unless a
    /// part's body is still held. Bytes before the first boundary (`maxHeadBytes` of them) and after the last are ignored.
    ///
    /// The sequence throws what reading the body throws; `.invalidResponse` for a body that is not multipart or ends before its closing boundary
    /// (the parts before that have been returned); `.responseTooLarge` beyond a limit. Only CRLF ends a line.
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
    /// Returns the parts of a multipart response that is in memory: see `parts(maxHeadBytes:maxParts:)` of a streamed response.
    public func parts(maxHeadBytes: Int = 16 * 1024, maxParts: Int? = 10_000) -> ValueSequence<ReceivedPart, HTTPError> {
        parts(of: HTTPBody(body), MultipartLimits(headBytes: maxHeadBytes, parts: maxParts)).sequence
    }
}

extension HTTPResponse {
    fileprivate func parts(of body: HTTPBody, _ limits: MultipartLimits) -> ReceivedParts {
        let text = headers[.contentType] ?? ""
        let type = MediaType(text)
        let subject = text.isEmpty ? "the answer has no Content-Type" : "the answer is \(Redaction.line(text, limit: 100))"
        let boundary = type?.type == "multipart" ? type?["boundary"] : nil
        return ReceivedParts(body, boundary: boundary, subject: subject, limits: limits, request: metadata.request)
    }
}
