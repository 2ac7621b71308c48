public import MartletEssentials
internal import MartletSystem

/// A response message (RFC 9110 §3.4). Its body is a stream of bytes (`HTTPBody`), `Data`, or a decoded value.
public struct HTTPResponse<Body> {
    /// The status code.
    public var status: HTTPStatus
    /// The header fields.
    public var headers: HTTPFields
    /// The body.
    public var body: Body
    /// How the response was received: the request, the HTTP version, redirects, timings.
    public var metadata: ResponseMetadata

    /// Creates a response message.
    public init(status: HTTPStatus, headers: HTTPFields = [:], body: Body, metadata: ResponseMetadata = .init()) {
        self.status = status
        self.headers = headers
        self.body = body
        self.metadata = metadata
    }

    /// Returns the response with the same status, fields and metadata, and the body that `transform` returns.
    public consuming func map<NewBody, Failure: Error>(
        _ transform: (Body) throws(Failure) -> NewBody
    ) throws(Failure) -> HTTPResponse<NewBody> {
        HTTPResponse<NewBody>(status: status, headers: headers, body: try transform(body), metadata: metadata)
    }

    /// The links of the `Link` fields (RFC 8288), in order, resolved against the response's URL.
    ///
    /// ```swift
    /// let next = response.links.first { $0.isOwn && $0.isRelated(as: "next") }?.url
    /// ```
    public var links: [WebLink] {
        headers.values(for: .link).flatMap { WebLink.read($0, from: metadata.url) }
    }

    /// Returns the first link with this relation from the resource of this response, or nil if there is none.
    public func link(_ relation: String) -> WebLink? {
        links.first { $0.isOwn && $0.isRelated(as: relation) }
    }
}

extension HTTPResponse: Sendable where Body: Sendable {}

extension HTTPResponse: Equatable where Body: Equatable {
    /// Returns whether status, header fields and body are equal, whatever the metadata.
    public static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The status, the header fields and the start of a body in memory, with secrets redacted.
    public var description: String {
        let start = headers.isEmpty ? "\(status)" : "\(status), \(headers)"
        guard let bytes = body as? Data ?? (body as? HTTPBody)?.buffered, !bytes.isEmpty else { return start }
        return start + ", body: \(Redaction.body(bytes, type: headers[.contentType]))"
    }
}

/// How a response was received: the request, the HTTP version, redirects, timings and more.
public struct ResponseMetadata: Sendable {
    /// The request that led to this response, after redirects, or nil for a response created by hand.
    public var request: HTTPRequest? {
        get { details?.content.request }
        set { if newValue != nil || details != nil { changeDetails { $0.request = newValue } } }
    }
    /// The HTTP version of the response, or nil if the transport does not know it.
    public var version: HTTPVersion?
    /// The URLs that the call was redirected to, in order; the last one is that of this response. Empty without redirects.
    public var redirects: [URL] = []
    /// The trailer fields of a buffered body (RFC 9110 §6.5); always empty for a streamed one.
    public var trailers: HTTPFields = [:]
    /// Whether the transport decoded the body from a content coding such as gzip (RFC 9110 §8.4). If true, digests and ranges of the
    /// response describe the encoded bytes and not those of the body.
    public var wasContentCoded = false
    /// How long each phase of the last exchange took, or nil if the transport does not measure it.
    public var timings: Timings? {
        get { details?.content.timings }
        set { changeDetails { $0.timings = newValue } }
    }
    /// The IP address of the server, or of the proxy if one was used, or nil if the transport does not know it.
    public var remoteAddress: String? {
        get { details?.content.remoteAddress }
        set { changeDetails { $0.remoteAddress = newValue } }
    }
    /// Whether the connection had carried an earlier exchange, or nil if the transport does not know it.
    public var isConnectionReused: Bool? {
        get { details?.content.isConnectionReused }
        set { changeDetails { $0.isConnectionReused = newValue } }
    }

    /// How a cache handled the request, or nil if there was no cache.
    public var cacheStatus: CacheStatus? {
        get { details?.content.cacheStatus }
        set { changeDetails { $0.cacheStatus = newValue } }
    }

    /// The credential that the request was sent with, or nil if no interceptor attached one.
    ///
    /// Use it to renew the credential when the response body says that the server rejected it.
    public var credential: SentCredential?

    /// Creates empty metadata.
    public init() {}

    /// The URL of the request that led to this response, after redirects, or nil if it is not known.
    public var url: URL? { details?.content.request?.url }

    /// Whether the request is known, which costs less than reading it.
    package var hasRequest: Bool { details?.content.request != nil }

    // Boxed, so that responses stay cheap to pass.
    private var details: CopyOnWrite<Details>?

    /// Sets all three values together, which is cheaper than setting each.
    package mutating func record(_ timings: Timings, remoteAddress: String?, isConnectionReused: Bool) {
        changeDetails {
            $0.timings = timings
            $0.remoteAddress = remoteAddress
            $0.isConnectionReused = isConnectionReused
        }
    }

    private mutating func changeDetails(_ change: (inout Details) -> Void) {
        if details == nil { details = CopyOnWrite(Details()) }
        details?.change(change)
    }

    private struct Details: Sendable {
        var request: HTTPRequest?
        var timings: Timings?
        var remoteAddress: String?
        var isConnectionReused: Bool?
        var cacheStatus: CacheStatus?
    }

    /// How long the phases of one exchange took, of which each is nil if it did not happen or was not measured.
    ///
    /// For example, a reused connection needs no name lookup.
    public struct Timings: Sendable, Hashable {
        /// The time in the transport's queue before the exchange began.
        public var queued: Duration?
        /// The time for resolving the host name.
        public var nameLookup: Duration?
        /// The time for connecting, without the name lookup and the TLS handshake.
        public var connect: Duration?
        /// The time for the TLS handshake.
        public var tls: Duration?
        /// The time from the start of the exchange to the first byte of the response. With URLSession it includes ``queued``. With libcurl
        /// it does not, nor a lookup made before libcurl gets the request. For a request with a body, it includes the time to send the
        /// body, and with libcurl interim responses, such as 100, do not count.
        public var firstByte: Duration?
        /// The time from the start of the exchange to the end of the response, or nil for a streamed body, which has not ended yet.
        public var total: Duration?

        /// Creates the timings of an exchange. Phases that are not given are nil.
        public init(
            queued: Duration? = nil, nameLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
            firstByte: Duration? = nil, total: Duration? = nil
        ) {
            self.queued = queued
            self.nameLookup = nameLookup
            self.connect = connect
            self.tls = tls
            self.firstByte = firstByte
            self.total = total
        }
    }
}

extension ResponseMetadata: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The request, the HTTP version and the redirects, with secrets redacted.
    public var description: String {
        let hops = redirects.isEmpty ? nil : "redirects: " + redirects.map { Redaction.url($0) }.joined(separator: ", ")
        return [request.map { "\($0)" }, version?.rawValue, hops, trailers.isEmpty ? nil : "trailers: \(trailers)"]
            .compactMap(\.self).joined(separator: ", ")
    }
}

/// A version of HTTP. It is described as in a status line and in the field `Via` (RFC 9110 §2.5): `HTTP/2`.
public enum HTTPVersion: String, Sendable, Hashable, CustomStringConvertible {
    /// HTTP/1.0 (RFC 1945).
    case http10 = "HTTP/1.0"
    /// HTTP/1.1 (RFC 9112).
    case http11 = "HTTP/1.1"
    /// HTTP/2 (RFC 9113).
    case http2 = "HTTP/2"
    /// HTTP/3 (RFC 9114).
    case http3 = "HTTP/3"

    /// The name and number, such as `HTTP/1.1` or `HTTP/2`.
    public var description: String { rawValue }
}

/// A handle that can renew the credential that a request was sent with, and does not reveal it.
///
/// `AuthInterceptor` attaches it to responses, because some servers reject a credential in the body of a 200 and not with a 401.
///
/// ```swift
/// if isSessionOver(response.body), try await response.metadata.credential?.renew() == true {
///     show(try await client.send(GetUser(id: 1)))  // sends the call again, once
/// }
/// ```
///
/// A custom authentication interceptor creates one whose closure does what the interceptor does after a 401.
public struct SentCredential: Sendable {
    // One reference, so that responses are cheap to pass.
    private let content: Content

    private final class Content: Sendable {
        let isRenewed: Bool
        let ask: @Sendable (Question) async throws(HTTPError) -> Bool

        init(_ isRenewed: Bool, _ ask: @escaping @Sendable (Question) async throws(HTTPError) -> Bool) {
            self.isRenewed = isRenewed
            self.ask = ask
        }
    }

    /// What is asked of the source of a credential. One closure answers both, because it is created for each request.
    package enum Question: Sendable {
        /// Whether a new credential is available, after a renewal.
        case renewal
        /// Whether a request would now be sent with this credential, or with another one of the same session.
        case isCurrent
    }

    /// Creates a handle to a credential from a closure that renews it.
    ///
    /// - Parameters:
    ///   - isRenewed: Whether this call already renewed the credential after the server rejected an earlier one.
    ///   - renew: Renews the credential once for all concurrent callers. Returns whether a new credential is available.
    public init(isRenewed: Bool = false, renew: @escaping @Sendable () async throws(HTTPError) -> Bool) {
        content = Content(isRenewed) { question throws(HTTPError) in
            switch question {
            case .renewal: try await renew()
            case .isCurrent: false
            }
        }
    }

    /// Creates a handle that also knows whether requests of a later moment are sent with a credential of the same session.
    package init(isRenewed: Bool, ask: @escaping @Sendable (Question) async throws(HTTPError) -> Bool) {
        content = Content(isRenewed, ask)
    }

    /// Returns whether a request would now be sent with this credential, or with another one of the same session; false if that is not
    /// known.
    package func isCurrent() async -> Bool { (try? await content.ask(.isCurrent)) ?? false }

    /// Returns the handle as that of a credential that this call has not renewed.
    package func withRenewal() -> SentCredential { SentCredential(isRenewed: false, ask: content.ask) }

    /// Whether this call already renewed the credential after a rejection. Renewing it again is unlikely to help.
    public var isRenewed: Bool { content.isRenewed }

    /// Renews this credential for all callers, unless it was replaced in the meantime, and returns whether a new one is available.
    ///
    /// Concurrent callers wait for one renewal, which the cancellation of a caller does not stop.
    ///
    /// - Returns: Whether a new credential is available, so that the request can be resent.
    /// - Throws: `.authenticationFailed` if the renewal fails, and `.cancelled`.
    public func renew() async throws(HTTPError) -> Bool { try await content.ask(.renewal) }
}

extension SentCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// A text that reveals nothing of the credential.
    public var description: String { "a credential" + (isRenewed ? ", renewed" : "") }
}
