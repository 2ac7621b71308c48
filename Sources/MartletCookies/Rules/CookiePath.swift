/// Paths of cookies (RFC 6265bis §5.1.4).
enum CookiePath {
    /// Returns the path of a cookie without a valid `Path`: that of the request up to its last slash.
    static func defaultPath(of path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")), last > path.startIndex else {
            return "/"
        }
        return String(path[..<last])
    }

    /// Returns whether the path of a request is within the path of a cookie.
    static func matches(_ path: String, within cookiePath: String) -> Bool {
        let path = path.utf8, limit = cookiePath.utf8
        guard path.starts(with: limit) else { return false }
        return path.count == limit.count || limit.last == UInt8(ascii: "/") || path.dropFirst(limit.count).first == UInt8(ascii: "/")
    }
}
