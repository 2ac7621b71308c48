public import MartletEssentials

/// A request as `MockServer` received it.
public struct RecordedRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The request target as it was sent, percent-encoded, with its query: `/users/1?page=2`.
    public let target: String
    /// The version in the request line.
    public let version: HTTPVersion
    /// The fields, in their order and with their duplicates.
    public let headers: HTTPFields
    /// The content, without the framing of chunks.
    public let body: Data
    /// The fields after a chunked body.
    public let trailers: HTTPFields
    /// Which of the server's connections it came by, counted from 1: equal numbers mean that a connection was kept alive.
    public let connection: Int
    /// When it came.
    public let timing: Timing
    /// The bytes of request line and fields as they were received, the empty line included.
    public let receivedHead: Data
    /// The client's certificate as DER. Nil if it sent none, or if ``MockServer/TLS/asksForClientCertificate`` is false.
    public let clientCertificate: Data?

    /// When the parts of a request came, each counted from the start of the server by its ``MockServer/Options/time``.
    ///
    /// ```swift
    /// #expect(server.requests[1].timing.firstByte - server.requests[0].timing.body >= .seconds(2))  // the retry waited
    /// ```
    public struct Timing: Sendable, Hashable {
        /// The first byte of the request line.
        public let firstByte: Duration
        /// The end of the head, the empty line.
        public let head: Duration
        /// The last byte of the body and what belongs to it; without a body, the same as ``head``. Of a request that was answered before
        /// its body came, what had come by then.
        public let body: Duration
    }

    init(head: RequestHead, body: Data, trailers: HTTPFields, connection: Int, timing: Timing, clientCertificate: Data? = nil) {
        method = head.method
        target = head.target
        version = head.version
        headers = head.fields
        self.body = body
        self.trailers = trailers
        self.connection = connection
        self.timing = timing
        receivedHead = Data(head.received)
        self.clientCertificate = clientCertificate
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// The request line, with secrets of the query hidden.
    public var description: String { "\(method) \(Redaction.address(target)) \(version.rawValue)" }
}

extension RecordedRequest: CapturedRequest {
    /// The request's parts; the URL is the target, without scheme and host.
    public var snapshot: RequestSnapshot { RequestSnapshot(method: method, url: target, headers: headers, body: body) }
}
