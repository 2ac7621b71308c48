/// A request method (RFC 9110 §9).
///
/// Methods are case-sensitive. Any token is a valid method; the registered methods have constants:
///
/// ```swift
/// let purge: HTTPMethod = "PURGE"
/// ```
///
/// A method that is not a token, such as one with a space or a line break, fails with `HTTPError.invalidRequest` when it is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CaseIterable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name of the method in requests, such as `GET`.
    public let rawValue: String

    /// Creates a method from its name, which is case-sensitive and is checked when a request is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a method from a literal with its name, which is case-sensitive.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name of the method in requests.
    public var description: String { rawValue }

    /// GET transfers a representation of the target (RFC 9110 §9.3.1).
    public static var get: Self { "GET" }
    /// HEAD is GET without the response body (RFC 9110 §9.3.2).
    public static var head: Self { "HEAD" }
    /// POST makes the target process the request body (RFC 9110 §9.3.3).
    public static var post: Self { "POST" }
    /// PUT replaces the target with the request body (RFC 9110 §9.3.4).
    public static var put: Self { "PUT" }
    /// PATCH changes the target as the request body describes (RFC 5789).
    public static var patch: Self { "PATCH" }
    /// DELETE removes the target (RFC 9110 §9.3.5).
    public static var delete: Self { "DELETE" }
    /// OPTIONS asks which communication options the target supports (RFC 9110 §9.3.7).
    public static var options: Self { "OPTIONS" }
    /// TRACE makes the server echo the request (RFC 9110 §9.3.8). It must not have a body.
    public static var trace: Self { "TRACE" }
    /// CONNECT opens a tunnel through a proxy (RFC 9110 §9.3.6). Requests can't use it: the transport opens tunnels itself.
    public static var connect: Self { "CONNECT" }

    /// The standard methods, as ``standard`` lists them.
    public static var allCases: [Self] { standard }

    /// The methods of RFC 9110 §9.3 except CONNECT, which clients can't send, and PATCH (RFC 5789).
    public static var standard: [Self] { [.get, .head, .post, .put, .patch, .delete, .options, .trace] }

    /// Whether the method only reads, as GET, HEAD, OPTIONS, TRACE (RFC 9110 §9.2.1) and QUERY do; false for unknown methods.
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
        default: false
        }
    }

    /// Whether sending a request twice has the same effect as sending it once (RFC 9110 §9.2.2); false for unknown methods.
    ///
    /// True for the safe methods, PUT and DELETE. Only requests with an idempotent method are resent without an `Idempotency-Key`.
    public var isIdempotent: Bool {
        switch rawValue {
        case "PUT", "DELETE": true
        default: isSafe
        }
    }

    /// Whether the method is a token and can be sent (RFC 9110 §5.6.2).
    public var isValid: Bool { isUsual || rawValue.isToken }

    /// Whether the method is GET, POST, PUT, PATCH or DELETE, which need no further check.
    package var isUsual: Bool {
        switch rawValue {
        case "GET", "POST", "PUT", "PATCH", "DELETE": true
        default: false
        }
    }
}
