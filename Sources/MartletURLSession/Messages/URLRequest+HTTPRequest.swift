public import MartletCore

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// A request of the URL loading system with the method, URL and fields of an ``HTTPRequest``, and its body when that is in memory.
    ///
    /// Throws `.invalidURL` and `.invalidRequest` for what can't be sent: on Linux a line break in a name or method would be written to
    /// the wire as it is, `get` would be sent as `GET`, and a path with the segments `.` or `..` as another path. Fields of the same name
    /// are joined with a comma; `Content-Length` is left to the URL loading system. A file or stream is left out, for it is given to an
    /// upload task.
    ///
    /// - Parameter request: what `Request.httpRequest(baseURL:)` gives, or one made by hand.
    public init(_ request: HTTPRequest) throws(HTTPError) {
        try self.init(withoutBodyOf: request)
        if let body = request.body?.buffered, !body.isEmpty { httpBody = body }
    }

    /// A request for a task that is given the body itself.
    init(withoutBodyOf request: HTTPRequest) throws(HTTPError) {
        let text = try RequestCheck.url(of: request)
        guard let url = URL(string: text) else { throw .invalidURL(Explanation("not a URL: \(Redaction.url(request.url))")) }
        #if canImport(FoundationNetworking)
        if URLRequest.hasDotSegments(text) { throw .invalidRequest("URLSession resolves the dots in the path, which is then another") }
        #endif
        if request.method == .get, let body = request.body, body.length != 0 {
            throw .invalidRequest("URLSession sends no body with a GET")
        }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: SessionTimeouts.never)
        httpMethod = request.method.rawValue
        guard httpMethod == request.method.rawValue else {
            throw .invalidRequest(Explanation("URLSession sends \(httpMethod ?? "") for \(request.method), which is another method"))
        }
        httpShouldHandleCookies = false
        for field in request.headers where field.name != .contentLength && field.name != .transferEncoding {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
    }
}

#if canImport(FoundationNetworking)
extension URLRequest {
    /// Whether the path of a URL has a segment `.` or `..` (RFC 3986 §5.2.4).
    private static func hasDotSegments(_ url: String) -> Bool {
        guard url.contains("/.") else { return false }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").dropFirst(2).contains { $0 == "." || $0 == ".." }
    }
}
#endif

/// URLSession's own timers count whole seconds, and on Linux fire at once for less than one: time is kept elsewhere.
enum SessionTimeouts {
    /// A week, in seconds: further than any deadline, and no overflow in milliseconds.
    static let never: Double = 604_800
}
