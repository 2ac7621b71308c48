package import MartletHTTP

#if canImport(FoundationNetworking)
internal import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension URLRequest {
    /// Creates a request for a task that gets the body separately.
    package init(withoutBodyOf request: HTTPRequest) throws(HTTPError) {
        let text = try RequestCheck.url(of: request)
        guard let url = URL(string: text) else { throw .invalidURL(Explanation("the URL is invalid: \(Redaction.url(request.url))")) }
        #if canImport(FoundationNetworking)
        if URLRequest.hasDotSegments(text) { throw .invalidRequest("URLSession resolves the dots in the path, which changes the path") }
        #endif
        if request.method == .get, let body = request.body, body.length != 0 {
            throw .invalidRequest("URLSession sends no body with a GET: use another method, or a transport that sends it")
        }
        if request.body?.hasTrailers == true { throw .invalidRequest("URLSession can't send trailers: use a transport that sends them") }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: SessionTimeouts.never)
        httpMethod = request.method.rawValue
        guard httpMethod == request.method.rawValue else {
            throw .invalidRequest(Explanation("URLSession sends \(httpMethod ?? "") instead of the method \(request.method)"))
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

/// The timeout for URLSession's own timers, which are not used: they count whole seconds, and on Linux fire immediately for less than one.
enum SessionTimeouts {
    /// A week, in seconds: longer than any deadline, and without overflow in milliseconds.
    static let never: Double = 604_800
}
