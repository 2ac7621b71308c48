/// The text of a URI or of a reference to one (RFC 3986 §4.1), with each illegal character escaped and each escape kept.
///
/// `URL(string:)` escapes percent signs once more if another character of the component is illegal, and returns nil on older systems. A
/// legal text is the same URL on every system.
package struct URIText: Sendable {
    private var scheme: Substring?
    private var authority: String?
    private var path: String
    private var query: String?
    private var fragment: String?

    /// Creates the parts of a text (RFC 3986 appendix B). Returns nil for an invalid port or IPv6 address.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        var rest = Substring(text)
        fragment = rest.cut(from: "#").map { URIText.legal($0) }
        query = rest.cut(from: "?").map { URIText.legal($0) }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), URIText.isScheme(rest[..<colon]) {
            scheme = rest[..<colon]
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            // By bytes: a slash and a combining mark are one character.
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            guard let legal = URIText.authority(rest[..<end]) else { return nil }
            authority = legal
            rest = rest[end...]
        }
        path = URIText.legal(rest)
    }

    /// The URL, which is relative if the text is, or nil if it is not a URL.
    package var url: URL? { URL(string: text) }

    /// Whether the text has a scheme.
    package var isAbsolute: Bool { scheme != nil }

    private var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// Returns the text of the URI that this reference names in a document at `base` (RFC 3986 §5.2.2).
    package func resolved(against base: URIText) -> URIText {
        var target = self
        if scheme == nil { target.scheme = base.scheme }
        if scheme == nil, authority == nil {
            target.authority = base.authority
            if path.isEmpty {
                target.path = base.path
                target.query = query ?? base.query
                return target
            }
            if path.utf8.first != UInt8(ascii: "/") { target.path = base.folder + path }
        }
        target.path = URIText.withoutDotSegments(target.path)
        // Two slashes would begin an authority.
        if target.authority == nil, target.path.hasPrefix("//") { target.path = "/." + target.path }
        return target
    }

    /// The path up to its last slash (RFC 3986 §5.2.3).
    private var folder: Substring {
        if authority != nil, path.isEmpty { return "/" }
        return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    }
}

extension URIText {
    /// Returns a path, query or fragment with its illegal characters escaped.
    private static func legal(_ part: Substring) -> String { escaped(part) { isUnreserved($0) || "!$&'()*+,;=:@/?".utf8.contains($0) } }

    /// Returns a text with the bytes escaped for which `isLegal` returns false, among them each percent sign that begins no escape.
    ///
    /// - Parameter isLegal: Whether a byte stays. It returns false for a percent sign.
    package static func escaped(_ part: some StringProtocol, _ isLegal: (UInt8) -> Bool) -> String {
        if part.utf8.allSatisfy(isLegal) { return String(part) }
        let source = Array(part.utf8), digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for (index, byte) in source.enumerated() {
            if isLegal(byte) || isEscape(source[index...]) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "%") && bytes.count > 2
            && bytes.dropFirst().prefix(2).allSatisfy { isDigit($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// Returns a legal authority (RFC 3986 §3.2), or nil for an invalid port or IPv6 address. Backslashes are escaped, so that they end no
    /// host.
    private static func authority(_ text: Substring) -> String? {
        func isRegular(_ byte: UInt8) -> Bool { isUnreserved(byte) || "!$&'()*+,;=".utf8.contains(byte) }
        var user = "", host = text
        if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
            user = escaped(text[..<at]) { isRegular($0) || $0 == UInt8(ascii: ":") } + "@"
            host = text[text.utf8.index(after: at)...]
        }
        var literal = ""
        if host.utf8.first == UInt8(ascii: "[") {
            guard let end = host.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            literal = escaped(Substring(host[..<end].utf8.dropFirst())) { isRegular($0) || $0 == UInt8(ascii: ":") }
            literal = "[\(literal)]"
            host = host[host.utf8.index(after: end)...]
            guard host.isEmpty || host.utf8.first == UInt8(ascii: ":") else { return nil }
        }
        let port = host.cut(from: ":")
        if let port, !port.isEmpty, !port.utf8.allSatisfy(isDigit) || Int(port).map({ $0 > 65_535 }) ?? true { return nil }
        return user + literal + (internationalized(host) ?? escaped(host, isRegular)) + (port.map { ":" + $0 } ?? "")
    }

    /// Returns the ASCII form of a host that is not ASCII (RFC 5891) as Foundation forms it for the app's own URLs. Nil for other hosts,
    /// and where Foundation has no tables for it.
    private static func internationalized(_ host: Substring) -> String? {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }), host.utf8.allSatisfy({ $0 >= 0x80 || isUnreserved($0) }),
            let ascii = URL(string: "http://\(host)/")?.host,
            !ascii.isEmpty, ascii.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "-.".utf8.contains($0) })
        else { return nil }
        return ascii
    }

    /// Returns a path without the segments `.` and `..` (RFC 3986 §5.2.4).
    private static func withoutDotSegments(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let root = path.hasPrefix("/") ? 1 : 0
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            guard segment == "." || segment == ".." else {
                kept.append(segment)
                continue
            }
            if segment == "..", kept.count > root { kept.removeLast() }
            if index == segments.count - 1 { kept.append("") }
        }
        return kept.joined(separator: "/")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isUnreserved(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte) }
}

extension Substring {
    /// Removes the text from the first occurrence of an ASCII character. Returns the text after it, or nil without one.
    fileprivate mutating func cut(from mark: Unicode.Scalar) -> Substring? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
        defer { self = self[..<index] }
        return self[utf8.index(after: index)...]
    }
}
