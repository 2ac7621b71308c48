/// The parts of a `Set-Cookie` line (RFC 6265bis §5.6), before they are compared with the request.
struct SetCookieLine: Sendable, Equatable {
    var name: String
    var value: String
    /// The lifetime in seconds of the last valid `Max-Age`, zero or less if the cookie has expired, or nil.
    var maxAge: Int?
    /// The last valid `Expires` in seconds since 1970, or nil.
    var expires: Int?
    /// The last `Domain` in lower case without its leading dot, or an empty text.
    var domain = ""
    /// The last `Path`, or nil if it is missing or does not begin with a slash.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified

    /// Parses a line, or throws the reason why it must be ignored.
    init(_ line: [UInt8], limits: CookieJar.Limits) throws(CookieRejection) {
        guard !line.contains(where: SetCookieLine.isControl) else { throw .controlCharacter }
        // Bytes, not characters: a semicolon with a combining mark is another character.
        let parts = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let (name, value) = SetCookieLine.pair(parts[0]) ?? ([], SetCookieLine.trimmed(parts[0]))
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard name.count + value.count <= limits.cookieBytes else { throw .tooLarge }
        self.name = SetCookieLine.text(name)
        self.value = SetCookieLine.text(value)
        for part in parts.dropFirst() {
            let (name, value) = SetCookieLine.pair(part) ?? (SetCookieLine.trimmed(part), [])
            if value.count <= limits.attributeBytes { read(SetCookieLine.lowercased(name), value) }
        }
    }

    /// Uses an attribute (RFC 6265bis §5.6.1 to §5.6.7) whose name is in lower case. Unknown and malformed ones are ignored.
    private mutating func read(_ name: String, _ value: ArraySlice<UInt8>) {
        switch name {
        case "expires": expires = CookieDate.seconds(in: value) ?? expires
        case "max-age": maxAge = SetCookieLine.seconds(value) ?? maxAge
        case "domain":
            domain = SetCookieLine.lowercased(value.first == UInt8(ascii: ".") ? value.dropFirst() : value)
        case "path": path = value.first == UInt8(ascii: "/") ? SetCookieLine.text(value) : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(rawValue: SetCookieLine.lowercased(value)) ?? .unspecified
        default: break
        }
    }

    /// Returns the number of a `Max-Age`, or nil if it is not one. Numbers that are too large are limited.
    private static func seconds(_ value: ArraySlice<UInt8>) -> Int? {
        let digits = value.first == UInt8(ascii: "-") ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(Token.isDigit) else { return nil }
        guard digits.count == value.count else { return 0 }
        return Int(text(digits)) ?? .max
    }

    /// Splits bytes at the first equals sign, without white space around the parts. Returns nil without an equals sign.
    static func pair(_ part: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        part.firstIndex(of: UInt8(ascii: "=")).map { (trimmed(part[..<$0]), trimmed(part[($0 + 1)...])) }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop(while: Token.isWhitespace)
        return start[..<((start.lastIndex { !Token.isWhitespace($0) }).map { $0 + 1 } ?? start.startIndex)]
    }

    /// Returns a text with its ASCII letters in lower case. The lower case of other characters may be ASCII.
    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String { text(bytes.map(Token.lowercased)[...]) }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(validUTF8: bytes) ?? String(latin1: bytes) }

    /// Whether a byte makes a line invalid: a control character except the tab (RFC 6265bis §5.6).
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}
