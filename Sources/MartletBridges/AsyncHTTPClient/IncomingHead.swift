#if AsyncHTTPClient
internal import MartletCodings
internal import MartletEssentials
internal import MartletHTTP
internal import NIOHTTP1

/// The head of a response, checked, and what its body will be.
final class IncomingHead: Sendable {
    /// What becomes of the bytes of the body.
    enum Body: Sendable, Hashable {
        /// There is none, whatever the fields say (RFC 9112 §6.3).
        case none
        /// It is collected in memory, of an announced length or not. It ends after `cut` bytes if it will be discarded.
        case collected(length: Int?, cut: Int?)
        case streamed(length: Int64?)
    }

    /// What a request requires of its response.
    struct Terms: Sendable {
        var limits = ResponseLimits()
        var isHead = false
        var isStreamed = false
        /// Whether the client follows redirects, whose bodies it discards.
        var followsRedirects = false
        /// Whether content codings are decoded.
        var decodes = true
        var maxContentCodings = TransportConfiguration().maxContentCodings
    }

    let status: HTTPStatus
    let version: MartletHTTP::HTTPVersion?
    let headers: HTTPFields
    let body: Body
    /// Decodes the body; nil if it has no content coding that is removed.
    // Proof: the exchange uses it only while it holds its lock, and once more when it has ended.
    nonisolated(unsafe) let decoder: ContentDecoder?

    /// - Throws: `.responseTooLarge` for a head, or an announced body, over a limit, and `.invalidResponse` for framing that could be
    ///   misread.
    init(_ head: HTTPResponseHead, for terms: Terms) throws(HTTPError) {
        status = HTTPStatus(rawValue: Int(head.status.code))
        version = IncomingHead.version(head.version)
        var headers = try IncomingHead.fields(head.headers, limits: terms.limits)
        guard status.rawValue != 101 else {
            let words = "the server switches protocols, which the request did not ask for (RFC 9110 §15.2.2)"
            throw .invalidResponse(Explanation(words, context: ErrorContext(stage: .exchange)))
        }
        let declared = try headers.declaredContentLength()
        guard !terms.isHead, !status.forbidsContent else {
            (body, decoder, self.headers) = (.none, nil, headers)
            return
        }
        try headers.checkTransferCoding()
        decoder = terms.decodes ? try ContentDecoder(takingCodingsFrom: &headers, atMost: max(1, terms.maxContentCodings)) : nil
        self.headers = headers
        let length = decoder == nil ? declared : nil
        if terms.isStreamed {
            body = .streamed(length: length)
            return
        }
        if terms.followsRedirects, status.isRedirect, headers.contains(.location) {
            body = .collected(length: nil, cut: terms.limits.redirectBodyBytes)
            return
        }
        if let length, length > Int64(terms.limits.bodyBytes) {
            throw .responseTooLarge(
                SizeLimitFailure(.body, limit: terms.limits.bodyBytes, context: ErrorContext(stage: .body)))
        }
        body = .collected(length: length.map { Int($0) }, cut: nil)
    }

    /// Returns the response with its body.
    func response(_ body: HTTPBody) -> HTTPResponse<HTTPBody> {
        var response = HTTPResponse(status: status, headers: headers, body: body)
        response.metadata.version = version
        response.metadata.wasContentCoded = decoder != nil
        return response
    }

    private static func version(_ version: NIOHTTP1::HTTPVersion) -> MartletHTTP::HTTPVersion? {
        switch (version.major, version.minor) {
        case (1, 0): .http10
        case (1, _): .http11
        case (2, _): .http2
        case (3, _): .http3
        default: nil
        }
    }

    private static func fields(_ headers: HTTPHeaders, limits: ResponseLimits) throws(HTTPError) -> HTTPFields {
        // A closure, because most heads have no error.
        let context = { ErrorContext(stage: .exchange) }
        guard headers.count <= limits.fieldCount else {
            throw .responseTooLarge(SizeLimitFailure(.fields, limit: limits.fieldCount, context: context()))
        }
        var byteCount = 0
        for (name, value) in headers { byteCount += name.utf8.count + value.utf8.count }
        // The size as transmitted, of a head in HTTP/1.1: with the status line, separators and line ends.
        guard 17 + byteCount + 4 * headers.count <= limits.headBytes else {
            throw .responseTooLarge(SizeLimitFailure(.head, limit: limits.headBytes, context: context()))
        }
        var fields = HTTPFields(lineCount: headers.count, byteCount: byteCount)
        for (name, value) in headers {
            var (name, value) = (name, value)
            let isPlain = name.withUTF8 { name in value.withUTF8 { value in fields.append(receivedName: name, value: value) } }
            // HTTP/2 can transmit these, and a line break would begin another field.
            guard isPlain || !value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
                let words = "the value of a field contains a line break or NUL (RFC 9113 §8.2.1)"
                throw .invalidResponse(Explanation(words, context: context()))
            }
        }
        return fields
    }
}
#endif
