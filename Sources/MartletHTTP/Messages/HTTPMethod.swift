/// What a request asks of its target (RFC 9110 §9).
///
/// Methods are case-sensitive. Any token is a method; the registered ones have names here:
///
/// ```swift
/// let purge: HTTPMethod = "PURGE"
/// ```
///
/// A method that is not a token (a space, a line break) is refused with `HTTPError.invalidRequest` when it is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it is written on the wire.
    public let rawValue: String

    /// A method by its wire name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A method by its wire name.
    public init(stringLiteral value: String) { rawValue = value }

    /// The wire name.
    public var description: String { rawValue }
}

extension HTTPMethod {
    /// Transfer a representation of the target (RFC 9110 §9.3.1).
    public static var get: Self { "GET" }
    /// As GET, without the content (RFC 9110 §9.3.2).
    public static var head: Self { "HEAD" }
    /// Process the content (RFC 9110 §9.3.3).
    public static var post: Self { "POST" }
    /// Replace the target with the content (RFC 9110 §9.3.4).
    public static var put: Self { "PUT" }
    /// Change the target by the content (RFC 5789).
    public static var patch: Self { "PATCH" }
    /// Remove the target (RFC 9110 §9.3.5).
    public static var delete: Self { "DELETE" }
    /// Ask what the target can do (RFC 9110 §9.3.7).
    public static var options: Self { "OPTIONS" }
    /// Echo the request (RFC 9110 §9.3.8). Must not have a body.
    public static var trace: Self { "TRACE" }
    /// Open a tunnel (RFC 9110 §9.3.6). A client cannot send it: proxies are a matter of the transport.
    public static var connect: Self { "CONNECT" }
}

extension HTTPMethod {
    /// The methods that a client can send: those of RFC 9110 §9.3 except CONNECT, and PATCH (RFC 5789).
    public static var standard: [Self] { [.get, .head, .post, .put, .patch, .delete, .options, .trace] }

    /// Whether the method asks for nothing but information (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
        default: false
        }
    }

    /// Whether sending it twice has the effect of sending it once (RFC 9110 §9.2.2): what may be sent again.
    public var isIdempotent: Bool {
        switch rawValue {
        case "PUT", "DELETE": true
        default: isSafe
        }
    }

    /// Whether it is a token, and so can be written on the wire (RFC 9110 §5.6.2).
    public var isValid: Bool { rawValue.isToken }
}
