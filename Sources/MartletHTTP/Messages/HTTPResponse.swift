public import MartletEssentials

/// A response message (RFC 9110 §3.4) with a body of some type: bytes as they arrive (`HTTPBody`), `Data`, or a decoded value.
public struct HTTPResponse<Body> {
    /// The status code.
    public var status: HTTPStatus
    /// The fields.
    public var headers: HTTPFields
    /// The content.
    public var body: Body
    /// How the answer came: the request it answers, the protocol, redirects.
    public var metadata: ResponseMetadata

    /// A response message.
    public init(status: HTTPStatus, headers: HTTPFields = [:], body: Body, metadata: ResponseMetadata = .init()) {
        self.status = status
        self.headers = headers
        self.body = body
        self.metadata = metadata
    }

    /// The response with another body.
    public func map<NewBody, Failure: Error>(
        _ transform: (Body) throws(Failure) -> NewBody
    ) throws(Failure) -> HTTPResponse<NewBody> {
        HTTPResponse<NewBody>(status: status, headers: headers, body: try transform(body), metadata: metadata)
    }
}

extension HTTPResponse: Sendable where Body: Sendable {}

extension HTTPResponse: Equatable where Body: Equatable {
    /// Compares status, fields and body; how the answer came does not count.
    public static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The status, the fields and the start of a body in memory, secrets hidden.
    public var description: String {
        let start = headers.isEmpty ? "\(status)" : "\(status), \(headers)"
        guard let bytes = body as? Data ?? (body as? HTTPBody)?.buffered, !bytes.isEmpty else { return start }
        return start + ", body: \(Redaction.body(bytes, type: headers[.contentType]))"
    }
}

/// How an answer came.
public struct ResponseMetadata: Sendable {
    /// The request that was answered: the last one, after redirects. Nil for a response made by hand.
    public var request: HTTPRequest? {
        get { boxed?.request }
        set { boxed = newValue.map(BoxedRequest.init) }
    }
    /// The version of HTTP it came by, when the transport knows.
    public var version: HTTPVersion?
    /// Where the call was redirected to, hop by hop; empty when it was not.
    public var redirects: [URL] = []
    /// The fields that came after a buffered body (RFC 9110 §6.5).
    public var trailers: HTTPFields = [:]
    /// Whether the transport has undone a content coding (RFC 9110 §8.4): the body's bytes are then not those that digests and ranges
    /// of the answer are about.
    public var wasContentCoded = false
    /// How long it took, phase by phase, when the transport measures it.
    public var timings: Timings? {
        get { details?.content.timings }
        set { changeDetails { $0.timings = newValue } }
    }
    /// The IP address that answered (the proxy's, when there was one), when the transport knows.
    public var remoteAddress: String? {
        get { details?.content.remoteAddress }
        set { changeDetails { $0.remoteAddress = newValue } }
    }
    /// Whether it came over a connection that had carried another exchange before, when the transport knows.
    public var isConnectionReused: Bool? {
        get { details?.content.isConnectionReused }
        set { changeDetails { $0.isConnectionReused = newValue } }
    }

    /// How a cache has handled the request; nil when there was none.
    public var cacheStatus: CacheStatus? {
        get { details?.content.cacheStatus }
        set { changeDetails { $0.cacheStatus = newValue } }
    }

    /// What the request was authenticated with, for whoever learns from the body that the server refuses it; nil when no interceptor that
    /// gets credentials by itself put one on.
    public var credential: SentCredential?

    /// Metadata about nothing yet.
    public init() {}

    /// The URL that answered, after redirects.
    public var url: URL? { boxed?.request.url }

    // Boxed, so that responses stay cheap to pass.
    private var boxed: BoxedRequest?
    private var details: Details?

    /// Sets all three at once, which is cheaper.
    package mutating func record(_ timings: Timings, remoteAddress: String?, isConnectionReused: Bool) {
        let content = Details.Content(timings: timings, remoteAddress: remoteAddress, isConnectionReused: isConnectionReused)
        details = Details(content)
    }

    private mutating func changeDetails(_ change: (inout Details.Content) -> Void) {
        var content = details?.content ?? Details.Content()
        change(&content)
        details = Details(content)
    }

    /// What few read, of many answers.
    private final class Details: Sendable {
        struct Content: Sendable {
            var timings: Timings?
            var remoteAddress: String?
            var isConnectionReused: Bool?
            var cacheStatus: CacheStatus?
        }

        let content: Content
        init(_ content: Content) { self.content = content }
    }
}

extension ResponseMetadata: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The request, the version and the redirects, secrets hidden.
    public var description: String {
        let hops = redirects.isEmpty ? nil : "redirects: " + redirects.map { Redaction.url($0) }.joined(separator: ", ")
        return [request.map { "\($0)" }, version?.rawValue, hops, trailers.isEmpty ? nil : "trailers: \(trailers)"]
            .compactMap(\.self).joined(separator: ", ")
    }
}

/// A version of HTTP.
public enum HTTPVersion: String, Sendable, Hashable {
    /// HTTP/1.0 (RFC 1945).
    case http10 = "HTTP/1.0"
    /// HTTP/1.1 (RFC 9112).
    case http11 = "HTTP/1.1"
    /// HTTP/2 (RFC 9113).
    case http2 = "HTTP/2"
    /// HTTP/3 (RFC 9114).
    case http3 = "HTTP/3"
}
