/// Masks secrets: by names in URLs, forms and JSON, and with ``ProseMasking`` in other text.
package struct Redactor: Sendable {
    /// The style of masks.
    package enum Style: Sendable {
        /// For people: a secret value is replaced with one mask.
        case text
        /// For a recorded request: the values within a secret JSON value are replaced, and masks in URLs and forms are percent-encoded.
        case request
        /// Like `request`, and numbers become 0 and Boolean values false, so that the response can still be decoded.
        case response
    }

    private let names: Set<String>
    private let isStandard: Bool
    let style: Style
    /// The number of nested pair values that contain this text. Only the outermost value is decoded.
    private var depth = 0
    /// The number of nested JSON strings that contain this text.
    var stringDepth = 0
    static let maxDepth = 3

    /// - Parameters:
    ///   - names: Additional secret names, in lower case.
    ///   - isStandard: Whether the standard list of secret names applies too.
    package init(names: Set<String> = [], isStandard: Bool = true, style: Style = .text) {
        self.names = names
        self.isStandard = isStandard
        self.style = style
    }

    /// Whether the value with this name is a secret.
    package func isSecret(_ name: some StringProtocol, isMember: Bool = false) -> Bool {
        isNamed(name) || isStandard && Redaction.isSecret(name, isMember: isMember)
    }

    func isSecret(_ name: ArraySlice<UInt8>, isMember: Bool) -> Bool {
        !names.isEmpty && isNamed(String(decoding: name, as: UTF8.self)) || isStandard && SecretNames.contains(name, isMember: isMember)
    }

    /// Whether a name, which may be percent-encoded, is one of the additional names.
    package func isNamed(_ name: some StringProtocol) -> Bool {
        guard !names.isEmpty else { return false }
        return names.contains(name.lowercased())
            || names.contains(String(decoding: PercentEncoding.unescape(name), as: UTF8.self).lowercased())
    }

    /// Returns a text with its secrets masked: JSON by the names of its members, and other text as prose.
    ///
    /// - Parameter isCut: Whether the text is truncated, so that names after the end may declare earlier values secret.
    package func text(_ text: some StringProtocol, isCut: Bool = false) -> String {
        let bytes = Array(text.utf8), masked = masked(bytes[...], isCut: isCut)
        return masked == bytes ? String(text) : String(decoding: masked, as: UTF8.self)
    }

    func masked(_ bytes: ArraySlice<UInt8>, isCut: Bool = false) -> [UInt8] {
        json(bytes) ?? (isStandard ? ProseMasking.masked(bytes, by: self, isCut: isCut) : Array(bytes))
    }
}

// MARK: - URLs and forms

extension Redactor {
    private var pairMask: [UInt8] { Array((style == .text ? Redaction.mask : PercentEncoding.escapeForm(Redaction.mask)).utf8) }

    /// Returns a form with secret values masked (WHATWG URL §5.1).
    package func form(_ text: String) -> String {
        String(decoding: pairs(Array(text.utf8)[...], separators: "&".utf8), as: UTF8.self)
    }

    /// Returns a URL or a part of one, with user, password and secret values masked.
    package func address(_ text: some StringProtocol) -> String { String(decoding: address(Array(text.utf8)[...]), as: UTF8.self) }

    func address(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = [], rest = bytes
        if isStandard, let user = Redactor.user(in: bytes) {
            result = bytes[..<user.lowerBound] + pairMask
            rest = bytes[user.upperBound...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        result += pairs(path, separators: "/;".utf8)
        return result + query(rest[path.endIndex...])
    }

    /// Masks a query or a fragment, including the character that begins it.
    func query(_ bytes: ArraySlice<UInt8>) -> [UInt8] { pairs(bytes, separators: "?#&;".utf8) }

    private func pairs(_ bytes: ArraySlice<UInt8>, separators: String.UTF8View) -> [UInt8] {
        var result: [UInt8] = [], rest = bytes
        while !rest.isEmpty {
            let pair = rest.prefix { !separators.contains($0) }
            let name = pair.prefix { $0 != UInt8(ascii: "=") }, isBare = name.endIndex == pair.endIndex
            // A path segment is not an item and may contain a colon: `/token:exchange`.
            let isSegment = isBare && separators.contains(UInt8(ascii: "/")) && !ProseMasking.isJSONWebToken(pair)
            let value = !isBare ? pair[name.endIndex...].dropFirst() : isSegment ? [] : pair
            let hasSecret = !value.isEmpty && (!isBare && isSecret(name, isMember: false) || hidesSecret(value))
            result += hasSecret ? pair[..<value.startIndex] + pairMask : pair
            rest = rest[pair.endIndex...]
            if let separator = rest.popFirst() { result.append(separator) }
        }
        return result
    }

    /// Whether a value, possibly percent-encoded several times, contains secrets: `{"password":…}`, `https://…?token=…`.
    func hidesSecret(_ value: ArraySlice<UInt8>) -> Bool {
        guard depth < Redactor.maxDepth else { return false }
        var inner = self, text = value.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        inner.depth += 1
        for _ in 0...(depth == 0 ? SecretNames.maxEncodings : 0) {
            if inner.masked(text[...]) != text { return true }
            let decoded = text.contains(UInt8(ascii: "%")) ? PercentEncoding.unescape(String(decoding: text, as: UTF8.self)) : text
            if decoded == text { return false }
            text = decoded
        }
        return false
    }

    /// Returns the range of the user and password of a URL, if it has any: `//user:password@host`, `mailto:user:password@host`.
    private static func user(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let slash = UInt8(ascii: "/")
        // Without `firstRange(of:)`, which took a third of the time to redact a URL.
        if let first = path.indices.dropLast().first(where: { path[$0] == slash && path[$0 + 1] == slash }) {
            let start = first + 2
            let authority = path[start...].prefix { $0 != UInt8(ascii: "/") }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return start..<at }
            // A password with a slash, or a text truncated within a password, shows as an invalid port or as an authority that is too long.
            guard authority.count > maxAuthorityLength || hasInvalidPort(authority) else { return nil }
            return start..<(bytes[start...].lastIndex(of: UInt8(ascii: "@")) ?? bytes.endIndex)
        }
        guard let at = path.lastIndex(of: UInt8(ascii: "@")), let colon = path[..<at].firstIndex(of: UInt8(ascii: ":")),
            !path[..<colon].elementsEqual("mailto".utf8, by: { Token.lowercased($0) == $1 })
                || path[colon..<at].dropFirst().contains(UInt8(ascii: ":"))
        else { return nil }
        return colon + 1..<at
    }

    /// The maximum length of a host (RFC 1035 §2.3.4) and a port.
    private static let maxAuthorityLength = 253 + 6

    private static func hasInvalidPort(_ authority: ArraySlice<UInt8>) -> Bool {
        var authority = authority
        // Without punctuation that ends a sentence.
        while let last = authority.last, ".,;:!)}".utf8.contains(last) { authority.removeLast() }
        guard authority.first != UInt8(ascii: "["), let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return false }
        return !authority[colon...].dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
