public import MartletEssentials

/// The parts of a multipart body, one after the other as they arrive (RFC 2046 §5.1).
///
/// ```swift
/// let response = try await client.stream(Request<Data>.get("changes"))
/// for try await part in response.parts() {
///     let change = try await part.body.collect(upTo: 1_000_000)
/// }
/// ```
///
/// A part comes as soon as its head is there, and its content as it arrives, with a bounded amount in memory. Asking for the next part skips
/// what is left of the one before, whose body then is `.bodyNotReplayable`. Leaving the loop early stops the transfer, unless a part's
/// body is still held. What stands before the first boundary (`MultipartLimits.headBytes` of it) and after the last
/// is ignored.
///
/// Throws what reading the body throws; `.invalidResponse` for a body that is not multipart or ends before its closing boundary (the
/// parts until then have been given); `.responseTooLarge` past a limit. Only CRLF ends a line.
public struct ReceivedParts: AsyncSequence, Sendable {
    /// A part of the body.
    public typealias Element = ReceivedPart

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
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let feed: Result<PartFeed, HTTPError>
        fileprivate let request: HTTPRequest?

        /// Whether the next part was received as a whole: nothing is waited for to read it.
        package var hasWholePart: Bool { (try? feed.get())?.hasWholePart ?? false }

        /// Whether the body ended before its closing boundary but was well formed up to there.
        package var isCutOff: Bool { (try? feed.get())?.isCutOff ?? false }

        /// The next part; nil after the last.
        public mutating func next() async throws(HTTPError) -> ReceivedPart? {
            do throws(HTTPError) {
                let feed = try feed.get()
                guard let (number, headers) = try await feed.nextPart() else { return nil }
                let body = HTTPBody(reader: PartReader(feed, part: number))
                return ReceivedPart(headers: headers, body: request.map(body.answering) ?? body)
            } catch { throw error.completed(ifKnown: request, stage: .body) }
        }
    }

    /// Begins to read. A body that is a stream can be read once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: parser.map { PartFeed(body, $0) }, request: request) }
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
    /// The parts of a multipart body with this boundary.
    public func parts(boundary: String, limits: MultipartLimits = MultipartLimits()) -> ReceivedParts {
        ReceivedParts(
            self, boundary: boundary, subject: "the boundary is “\(Redaction.line(boundary, limit: 80))”", limits: limits, request: nil)
    }
}

extension HTTPResponse where Body == HTTPBody {
    /// The parts of a multipart answer, with the boundary that its `Content-Type` names. Any other type is `.invalidResponse` when the
    /// first part is asked for.
    public func parts(limits: MultipartLimits = MultipartLimits()) -> ReceivedParts { parts(of: body, limits) }
}

extension HTTPResponse where Body == Data {
    /// The parts of a multipart answer that is in memory.
    public func parts(limits: MultipartLimits = MultipartLimits()) -> ReceivedParts { parts(of: HTTPBody(body), limits) }
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
