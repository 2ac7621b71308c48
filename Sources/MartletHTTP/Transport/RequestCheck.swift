internal import MartletEssentials

/// Checks a request before a transport passes it to its library. The client has checked it already; a transport used directly has not.
package enum RequestCheck {
    /// Returns the text of the URL to send the request to. Throws if the request can't be sent.
    package static func url(of request: HTTPRequest) throws(HTTPError) -> String {
        guard request.method.isUsual || request.method.isValid && request.method != .connect else {
            throw .invalidRequest(Explanation("\(Redaction.line(request.method.rawValue, limit: 40)) is not a method that can be sent"))
        }
        if let line = request.headers.firstInvalidLine {
            throw .invalidRequest(
                Explanation("the field \(line.name.isValid ? line.name.rawName : "whose name is not a token") can't be sent"))
        }
        if request.method == .head, let body = request.body, body.length != 0 || body.hasTrailers {
            throw .invalidRequest("a HEAD request must not have a body")
        }
        let text = request.urlText
        if request.checkedOrigin != nil { return text }
        // A user name and password in a URL are never sent. libcurl, for example, would create a Basic credential from them.
        let target = text.utf8.contains(UInt8(ascii: "@")) ? text.withoutUserInfo : text
        guard let authority = target.authorityAfterHTTPScheme else {
            throw .invalidURL(Explanation("not an http or https URL: \(Redaction.url(request.url))"))
        }
        // Libraries accept a URL without a host (`https:///a.example`) and contact a host for which no pin and no proxy was looked up.
        guard let first = authority.first, !"/?#:@".utf8.contains(first) else {
            throw .invalidURL(Explanation("the URL has no host: \(Redaction.url(request.url))"))
        }
        return target
    }
}

extension String {
    /// The text after `http://` or `https://`, in any case, or nil if it begins with neither.
    fileprivate var authorityAfterHTTPScheme: Substring.UTF8View? {
        func rest(after scheme: StaticString) -> Substring.UTF8View? {
            let count = scheme.utf8CodeUnitCount
            guard utf8.count >= count,
                zip(utf8, UnsafeBufferPointer(start: scheme.utf8Start, count: count)).allSatisfy({ Token.lowercased($0) == $1 })
            else { return nil }
            return utf8.dropFirst(count)
        }
        return rest(after: "http://") ?? rest(after: "https://")
    }

    /// The URL without the user information before the `@` of its authority.
    var withoutUserInfo: String {
        guard let slashes = utf8.firstIndex(of: UInt8(ascii: "/")) else { return self }
        let authority = utf8.index(slashes, offsetBy: 2, limitedBy: utf8.endIndex) ?? utf8.endIndex
        let end = utf8[authority...].firstIndex { "/?#".utf8.contains($0) } ?? utf8.endIndex
        guard let at = utf8[authority..<end].lastIndex(of: UInt8(ascii: "@")) else { return self }
        return String(self[..<authority]) + String(self[utf8.index(after: at)...])
    }
}
