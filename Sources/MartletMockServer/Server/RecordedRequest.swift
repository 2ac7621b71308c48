public import MartletEssentials

/// A request as `MockServer` received it.
public struct RecordedRequest: Sendable, CustomStringConvertible, CapturedRequest {
    /// The request method.
    public let method: HTTPMethod
    /// The request target as sent, percent-encoded and with its query, such as `/users/1?page=2`.
    public let target: String
    /// The HTTP version in the request line.
    public let version: HTTPVersion
    /// The header fields, with order and duplicates.
    public let headers: HTTPFields
    /// The body without the framing of chunks.
    public let body: Data
    /// The trailer fields of a chunked body, or empty fields.
    public let trailers: HTTPFields
    /// The number of the connection over which the request arrived, counted from 1. Requests with equal numbers used the same connection.
    public let connection: Int
    /// The times at which the first byte of the request line, the end of the head and the last byte of the body arrived, counted from the
    /// start of the server and measured by ``MockServer/Options/time``.
    ///
    /// ```swift
    /// #expect(server.requests[1].timing.firstByte - server.requests[0].timing.body >= .seconds(2))  // the retry waited
    /// ```
    ///
    /// Without a body, `body` equals `head`. If the server responded before the body was complete, it is the time of the last byte received
    /// by then.
    public let timing: (firstByte: Duration, head: Duration, body: Duration)
    /// The bytes of the request line and header fields as received, including the empty line.
    public let receivedHead: Data
    /// The client's certificate as DER, or nil if it sent none or was not asked for one (``MockServer/TLS/asksForClientCertificate``).
    public let clientCertificate: Data?

    init(
        head: RequestHead, body: Data, trailers: HTTPFields, connection: Int, timing: (firstByte: Duration, head: Duration, body: Duration),
        clientCertificate: Data? = nil
    ) {
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

    /// Creates the record of a request for a connection in memory, which takes no time. It has no body.
    init(_ request: HTTPRequest, connection: Int) {
        method = request.method
        target = request.snapshot.target
        version = .http11
        headers = request.headers
        body = Data()
        trailers = [:]
        self.connection = connection
        timing = (.zero, .zero, .zero)
        let lines = request.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        receivedHead = Data("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n".utf8)
        clientCertificate = nil
    }

    /// The request line with secrets in the query masked.
    public var description: String { "\(method) \(Redaction.address(target)) \(version.rawValue)" }

    /// The method, URL, header fields and body of the request. The URL is the target without scheme and host.
    public var snapshot: RequestSnapshot { RequestSnapshot(method: method, url: target, headers: headers, body: body) }
}
