internal import MartletEssentials

/// What must hold of a request before the library below a transport sees it. The client has checked it; a transport that is used by itself must too.
package enum RequestCheck {
    /// The text of the URL to send to, if the request can be sent.
    package static func url(of request: HTTPRequest) throws(HTTPError) -> String {
        guard request.method.isValid, request.method != .connect else {
            throw .invalidRequest(Explanation("\(Redaction.line(request.method.rawValue, limit: 40)) is not a method that can be sent"))
        }
        if let line = request.headers.firstInvalidLine {
            throw .invalidRequest(
                Explanation("the field \(line.name.isValid ? line.name.rawName : "whose name is no token") can't be sent"))
        }
        if request.method == .head, let body = request.body, body.length != 0 {
            throw .invalidRequest("a HEAD request has no body")
        }
        let text = request.url.absoluteString
        // A user and password in a URL are never sent: libcurl, for one, would make a Basic credential of them.
        let target = text.utf8.contains(UInt8(ascii: "@")) ? text.withoutUserInfo : text
        guard let authority = target.authorityAfterHTTPScheme else {
            throw .invalidURL(Explanation("not an http or https URL: \(Redaction.url(request.url))"))
        }
        // Libraries forgive a URL without a host (`https:///a.example`), and then go where nothing was looked up for: no pin, no proxy.
        guard let first = authority.first, !"/?#:@".utf8.contains(first) else {
            throw .invalidURL(Explanation("a URL without a host: \(Redaction.url(request.url))"))
        }
        return target
    }
}

extension String {
    /// What follows `http://` or `https://`, in any case; nil when it begins with neither.
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

    /// A URL without what stands before the `@` of its authority.
    var withoutUserInfo: String {
        guard let slashes = utf8.firstIndex(of: UInt8(ascii: "/")) else { return self }
        let authority = utf8.index(slashes, offsetBy: 2, limitedBy: utf8.endIndex) ?? utf8.endIndex
        let end = utf8[authority...].firstIndex { "/?#".utf8.contains($0) } ?? utf8.endIndex
        guard let at = utf8[authority..<end].lastIndex(of: UInt8(ascii: "@")) else { return self }
        return String(self[..<authority]) + String(self[utf8.index(after: at)...])
    }
}
