/// The name of a header field: a token that is compared without regard to case (RFC 9110 §5.1).
///
/// It keeps its original case. Declare names of your own as static members:
///
/// ```swift
/// extension HTTPFieldName { static var requestID: Self { "X-Request-ID" } }
/// ```
public struct HTTPFieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name in its original case.
    public let rawName: String

    /// Creates a name without checking it; sending a name that is not a token fails with `HTTPError.invalidRequest`.
    public init(_ rawName: String) { self.rawName = rawName }

    /// Creates a name from a literal without checking it.
    public init(stringLiteral value: String) { rawName = value }

    /// The name in its original case.
    public var description: String { rawName }

    /// The name in lower case, as HTTP/2 sends it.
    public var canonicalName: String { rawName.lowercased() }

    /// Whether the name is a token (RFC 9110 §5.6.2), so that it can be sent.
    public var isValid: Bool { rawName.isToken }

    /// Returns whether both names are equal without regard to the case of ASCII letters.
    public static func == (left: Self, right: Self) -> Bool { left.rawName.equalsIgnoringCase(right.rawName) }

    /// Hashes the lower-case form.
    public func hash(into hasher: inout Hasher) {
        for byte in rawName.utf8 { hasher.combine(Token.lowercased(byte)) }
    }

    /// Whether the name indicates a credential, such as `Authorization`, `Cookie`, or a name with a word such as "token" or "password".
    /// Further such names are `X-Api-Key`, and names with "secret", "session" or "signature".
    ///
    /// Such fields are hidden in logs, errors and recordings. Like all fields that are not known to be harmless, they are not sent to
    /// another origin, and are stored only as a digest. Mark other fields with ``HTTPFields/markAsCredential(_:)``.
    public var isAlwaysCredential: Bool { SecretNames.contains(rawName) }

    /// `Accept` (RFC 9110 §12.5.1).
    public static var accept: Self { "Accept" }
    /// `Accept-Encoding` (RFC 9110 §12.5.3).
    public static var acceptEncoding: Self { "Accept-Encoding" }
    /// `Accept-Language` (RFC 9110 §12.5.4).
    public static var acceptLanguage: Self { "Accept-Language" }
    /// `Age` (RFC 9111 §5.1).
    public static var age: Self { "Age" }
    /// `Allow` (RFC 9110 §10.2.1).
    public static var allow: Self { "Allow" }
    /// `Authorization` (RFC 9110 §11.6.2): a credential.
    public static var authorization: Self { "Authorization" }
    /// `Cache-Control` (RFC 9111 §5.2).
    public static var cacheControl: Self { "Cache-Control" }
    /// `Connection` (RFC 9110 §7.6.1).
    public static var connection: Self { "Connection" }
    /// `Content-Disposition` (RFC 6266).
    public static var contentDisposition: Self { "Content-Disposition" }
    /// `Content-Encoding` (RFC 9110 §8.4).
    public static var contentEncoding: Self { "Content-Encoding" }
    /// `Content-Language` (RFC 9110 §8.5).
    public static var contentLanguage: Self { "Content-Language" }
    /// `Content-Length` (RFC 9110 §8.6). The transport writes it from the body.
    public static var contentLength: Self { "Content-Length" }
    /// `Content-Location` (RFC 9110 §8.7).
    public static var contentLocation: Self { "Content-Location" }
    /// `Content-Range` (RFC 9110 §14.4).
    public static var contentRange: Self { "Content-Range" }
    /// `Content-Type` (RFC 9110 §8.3).
    public static var contentType: Self { "Content-Type" }
    /// `Cookie` (RFC 6265 §5.4): a credential.
    public static var cookie: Self { "Cookie" }
    /// `Date` (RFC 9110 §6.6.1).
    public static var date: Self { "Date" }
    /// `ETag` (RFC 9110 §8.8.3).
    public static var eTag: Self { "ETag" }
    /// `Expect` (RFC 9110 §10.1.1).
    public static var expect: Self { "Expect" }
    /// `Expires` (RFC 9111 §5.3).
    public static var expires: Self { "Expires" }
    /// `Host` (RFC 9110 §7.2). The transport writes it from the URL unless it is set.
    public static var host: Self { "Host" }
    /// `Idempotency-Key`, by which a server recognizes a request that is sent again.
    public static var idempotencyKey: Self { "Idempotency-Key" }
    /// `If-Match` (RFC 9110 §13.1.1).
    public static var ifMatch: Self { "If-Match" }
    /// `If-Modified-Since` (RFC 9110 §13.1.3).
    public static var ifModifiedSince: Self { "If-Modified-Since" }
    /// `If-None-Match` (RFC 9110 §13.1.2).
    public static var ifNoneMatch: Self { "If-None-Match" }
    /// `If-Range` (RFC 9110 §13.1.5).
    public static var ifRange: Self { "If-Range" }
    /// `If-Unmodified-Since` (RFC 9110 §13.1.4).
    public static var ifUnmodifiedSince: Self { "If-Unmodified-Since" }
    /// `Last-Modified` (RFC 9110 §8.8.2).
    public static var lastModified: Self { "Last-Modified" }
    /// `Link` (RFC 8288).
    public static var link: Self { "Link" }
    /// `Location` (RFC 9110 §10.2.2).
    public static var location: Self { "Location" }
    /// `Origin` (RFC 6454 §7).
    public static var origin: Self { "Origin" }
    /// `Pragma` (RFC 9111 §5.4).
    public static var pragma: Self { "Pragma" }
    /// `Proxy-Authenticate` (RFC 9110 §11.7.1).
    public static var proxyAuthenticate: Self { "Proxy-Authenticate" }
    /// `Proxy-Authorization` (RFC 9110 §11.7.2): a credential.
    public static var proxyAuthorization: Self { "Proxy-Authorization" }
    /// `Range` (RFC 9110 §14.2).
    public static var range: Self { "Range" }
    /// `Referer` (RFC 9110 §10.1.3).
    public static var referer: Self { "Referer" }
    /// `Retry-After` (RFC 9110 §10.2.3).
    public static var retryAfter: Self { "Retry-After" }
    /// `Set-Cookie` (RFC 6265 §4.1). Its values are never joined.
    public static var setCookie: Self { "Set-Cookie" }
    /// `TE` (RFC 9110 §10.1.4).
    public static var te: Self { "TE" }
    /// `Transfer-Encoding` (RFC 9112 §6.1). The transport writes it.
    public static var transferEncoding: Self { "Transfer-Encoding" }
    /// `User-Agent` (RFC 9110 §10.1.5).
    public static var userAgent: Self { "User-Agent" }
    /// `Vary` (RFC 9110 §12.5.5).
    public static var vary: Self { "Vary" }
    /// `WWW-Authenticate` (RFC 9110 §11.6.1).
    public static var wwwAuthenticate: Self { "WWW-Authenticate" }
}
