#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CacheKey {
    /// The target of a URL as keys write it: scheme and host in lower case, no user, default port or fragment, a path of at least `/`.
    static func uri(of url: URL) -> String {
        let text = url.absoluteString
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return text }
        var start = bytes.index(after: colon)
        guard bytes[start...].starts(with: "//".utf8) else { return text }
        start = bytes.index(start, offsetBy: 2)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let stop = bytes[start..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? end
        var authority = text[start..<stop]
        if let user = authority.utf8.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.utf8.index(after: user)...] }
        let scheme = text[..<colon]
        let isPlain = scheme.utf8.allSatisfy { !isUpper($0) } && authority.utf8.allSatisfy { !isUpper($0) && $0 != UInt8(ascii: ":") }
        let hasPath = stop < end && bytes[stop] == UInt8(ascii: "/")
        if isPlain, hasPath, authority.startIndex == start { return end == bytes.endIndex ? text : String(text[..<end]) }
        let lower = scheme.lowercased()
        var host = authority.lowercased()
        let defaultPort = ["http": ":80", "https": ":443"][lower] ?? ":"
        for port in [defaultPort, ":"] where host.hasSuffix(port) { host.removeLast(port.utf8.count) }
        return lower + "://" + host + (hasPath ? "" : "/") + text[stop..<end]
    }

    private static func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
}
