/// A response's status code (RFC 9110 §15). Any number is allowed; registered codes have constants.
///
/// ```swift
/// if response.status == .notFound || response.status == 410 { … }
/// ```
public struct HTTPStatus: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The status code as a number.
    public let rawValue: Int

    /// Creates a status from any number, without checking it.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates a status from a literal with its code, without checking it.
    public init(integerLiteral value: Int) { rawValue = value }

    /// Returns whether the left code is the smaller number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The code and, if it is registered, its reason phrase, such as `404 Not Found`.
    public var description: String { reasonPhrase.isEmpty ? String(rawValue) : String(rawValue) + " " + reasonPhrase }

    /// The class of a status code, which its first digit defines (RFC 9110 §15).
    public enum Kind: Sendable, Hashable {
        /// 1xx: an interim response.
        case informational
        /// 2xx: the request succeeded.
        case successful
        /// 3xx: further action is needed, such as a request to another URL.
        case redirection
        /// 4xx: the request is at fault.
        case clientError
        /// 5xx: the server is at fault.
        case serverError
        /// A number outside the range from 100 to 599.
        case invalid
    }

    /// The class of the status code.
    public var kind: Kind {
        switch rawValue {
        case 100...199: .informational
        case 200...299: .successful
        case 300...399: .redirection
        case 400...499: .clientError
        case 500...599: .serverError
        default: .invalid
        }
    }

    /// Whether a response with this status has no body, whatever its header fields say (RFC 9110 §6.4.1).
    public var forbidsContent: Bool { kind == .informational || self == .noContent || self == .notModified }

    /// 101 Switching Protocols.
    public static var switchingProtocols: Self { 101 }
    /// 200 OK.
    public static var ok: Self { 200 }
    /// 201 Created.
    public static var created: Self { 201 }
    /// 202 Accepted.
    public static var accepted: Self { 202 }
    /// 204 No Content.
    public static var noContent: Self { 204 }
    /// 206 Partial Content.
    public static var partialContent: Self { 206 }
    /// 301 Moved Permanently.
    public static var movedPermanently: Self { 301 }
    /// 302 Found.
    public static var found: Self { 302 }
    /// 303 See Other.
    public static var seeOther: Self { 303 }
    /// 304 Not Modified.
    public static var notModified: Self { 304 }
    /// 307 Temporary Redirect.
    public static var temporaryRedirect: Self { 307 }
    /// 308 Permanent Redirect.
    public static var permanentRedirect: Self { 308 }
    /// 400 Bad Request.
    public static var badRequest: Self { 400 }
    /// 401 Unauthorized.
    public static var unauthorized: Self { 401 }
    /// 403 Forbidden.
    public static var forbidden: Self { 403 }
    /// 404 Not Found.
    public static var notFound: Self { 404 }
    /// 407 Proxy Authentication Required.
    public static var proxyAuthenticationRequired: Self { 407 }
    /// 408 Request Timeout.
    public static var requestTimeout: Self { 408 }
    /// 409 Conflict.
    public static var conflict: Self { 409 }
    /// 410 Gone.
    public static var gone: Self { 410 }
    /// 412 Precondition Failed.
    public static var preconditionFailed: Self { 412 }
    /// 413 Content Too Large.
    public static var contentTooLarge: Self { 413 }
    /// 416 Range Not Satisfiable.
    public static var rangeNotSatisfiable: Self { 416 }
    /// 422 Unprocessable Content.
    public static var unprocessableContent: Self { 422 }
    /// 429 Too Many Requests (RFC 6585 §4).
    public static var tooManyRequests: Self { 429 }
    /// 500 Internal Server Error.
    public static var internalServerError: Self { 500 }
    /// 502 Bad Gateway.
    public static var badGateway: Self { 502 }
    /// 503 Service Unavailable.
    public static var serviceUnavailable: Self { 503 }
    /// 504 Gateway Timeout.
    public static var gatewayTimeout: Self { 504 }

    /// Whether the status is a redirect that a client follows if the response has a `Location`.
    package var isRedirect: Bool {
        switch self {
        case .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect: true
        default: false
        }
    }

    /// The registered reason phrase (RFC 9110 §15 and the IANA registry), or an empty string. It does not come from the server.
    public var reasonPhrase: String { Self.reasonPhrases[rawValue] ?? "" }

    private static let reasonPhrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
        426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates", 507: "Insufficient Storage",
        508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
    ]
}
