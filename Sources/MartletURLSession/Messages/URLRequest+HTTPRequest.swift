package import MartletHTTP

#if canImport(FoundationNetworking)
internal import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension URLRequest {
    /// A request for a task that is given the body itself.
    package init(withoutBodyOf request: HTTPRequest) throws(HTTPError) {
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
