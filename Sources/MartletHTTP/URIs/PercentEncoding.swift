internal import MartletEssentials

/// Percent-encoding (RFC 3986 §2.1) and its variant for forms (WHATWG URL §5), on bytes.
package enum PercentEncoding {
    // MARK: Encoding

    /// Escapes all bytes except the unreserved characters of RFC 3986 §2.3. Use it for untrusted values.
    package static func escape(_ text: some StringProtocol) -> String { escape(text, keeping: isUnreserved) }

    /// Escapes all bytes for which `isKept` returns false.
    static func escape(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isKept) { return String(text) }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Escapes a text as `application/x-www-form-urlencoded` (WHATWG URL §5.2). A space becomes `+`.
    package static func escapeForm(_ text: some StringProtocol) -> String {
        let escaped = escape(text) { isUnreserved($0) && $0 != UInt8(ascii: "~") || " *".utf8.contains($0) }
        guard escaped.utf8.contains(UInt8(ascii: " ")) else { return escaped }
        return String(decoding: escaped.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    /// Escapes characters that RFC 3986 forbids in a path and query, and keeps delimiters and escapes. Use it for literals.
    package static func escapeIllegal(_ text: String) -> String {
        if isLegal(text.utf8[...]) { return text }
        return URIText.escaped(text) { $0 != UInt8(ascii: "%") && isLegal($0) }
    }

    // MARK: Decoding

    /// Returns the bytes of a text with its escapes decoded. Malformed escapes stay unchanged.
    package static func unescape(_ text: some StringProtocol) -> [UInt8] { unescape(Array(text.utf8)[...]) }

    /// Returns bytes with their escapes decoded. Malformed escapes stay unchanged.
    static func unescape(_ source: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = source.startIndex
        while index < source.endIndex {
            let byte = escapedByte(in: source, at: index)
            bytes.append(byte ?? source[index])
            index += byte == nil ? 1 : 3
        }
        return bytes
    }

    /// Returns a text with its escapes decoded. Malformed escapes stay unchanged, and bytes that are not UTF-8 become U+FFFD.
    package static func unescapedText(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: unescape(text), as: UTF8.self)
    }

    /// Returns the decoded items of a query or form, in order. The value of an item without an equals sign is nil.
    package static func formPairs(_ text: some StringProtocol) -> [(name: String, value: String?)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { unescapedForm($0) }
            return (parts[0], parts.count > 1 ? parts[1] : nil)
        }
    }

    /// Returns a name or value of a form decoded (WHATWG URL §5.1): a `+` is a space.
    package static func unescapedForm(_ text: some StringProtocol) -> String {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: unescape(bytes[...]), as: UTF8.self)
    }

    /// Whether a path and query may contain the bytes as they are: RFC 3986 allows each, and each `%` begins an escape.
    static func isLegal(_ bytes: Substring.UTF8View) -> Bool {
        var hasEscapes = false
        for byte in bytes {
            guard isLegal(byte) else { return false }
            if byte == UInt8(ascii: "%") { hasEscapes = true }
        }
        return !hasEscapes || isWellFormed(Array(bytes)[...])
    }

    /// Whether each `%` begins an escape.
    static func isWellFormed(_ source: ArraySlice<UInt8>) -> Bool {
        source.indices.allSatisfy { source[$0] != UInt8(ascii: "%") || escapedByte(in: source, at: $0) != nil }
    }

    // MARK: Bytes

    /// The byte that the escape at `index` stands for, or nil if it is malformed or missing.
    private static func escapedByte(in source: ArraySlice<UInt8>, at index: Int) -> UInt8? {
        guard source[index] == UInt8(ascii: "%"), index + 2 < source.endIndex, let high = Hex.value(source[index + 1]),
            let low = Hex.value(source[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "%"), Hex.uppercaseDigit(byte >> 4), Hex.uppercaseDigit(byte & 15)]
    }

    /// Whether a byte is an unreserved character (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: Token.isAlphanumeric(byte)
        }
    }

    /// Whether RFC 3986 allows the byte in a path or query: unreserved characters and delimiters.
    private static func isLegal(_ byte: UInt8) -> Bool { isUnreserved(byte) || "!$&'()*+,;=:@/?%".utf8.contains(byte) }
}
