/// The masking of one text: its rules, the work that is left, and how deep in other texts the current part of it is.
///
/// A function returns all of its text masked, or, once ``limit`` bytes are written, the start of it.
struct Masking {
    let rules: Redactor
    let budget: MaskingBudget
    /// The number of bytes after which no more are needed.
    var limit: Int
    /// The number of nested pair values that contain the text. Only the outermost value is decoded.
    private var pairDepth = 0
    /// The number of nested JSON strings that contain the text.
    private(set) var stringDepth = 0
    static let maxDepth = 3

    init(rules: Redactor, budget: MaskingBudget, limit: Int = .max) {
        self.rules = rules
        self.budget = budget
        self.limit = limit
    }

    /// Returns the masking of a JSON string's content, of which this number of bytes is needed.
    func inString(limit: Int) -> Masking {
        var inner = self
        inner.stringDepth += 1
        inner.limit = limit
        return inner
    }

    /// Masks JSON by the names of its members, and other text as prose.
    func text(_ bytes: ArraySlice<UInt8>, isCut: Bool = false) -> [UInt8] {
        guard !budget.isSpent || bytes.isEmpty else { return Array(Redaction.mask.utf8) }
        return jsonInText(bytes) ?? (rules.isStandard ? ProseMasking.masked(bytes, by: self, isCut: isCut) : Array(bytes))
    }

    // MARK: URLs and forms

    private var pairMask: [UInt8] { Array((rules.style == .text ? Redaction.mask : PercentEncoding.escapeForm(Redaction.mask)).utf8) }

    func form(_ bytes: ArraySlice<UInt8>) -> [UInt8] { pairs(bytes, limit) { $0 == UInt8(ascii: "&") } }

    func address(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = [], rest = bytes
        budget.spend(bytes.count)
        if rules.isStandard, let user = Masking.user(in: bytes) {
            result = bytes[..<user.lowerBound] + pairMask
            rest = bytes[user.upperBound...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        result += pairs(path, limit - result.count, isPath: true) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ";") }
        return result.count < limit ? result + query(rest[path.endIndex...], limit - result.count) : result
    }

    /// Masks a query or a fragment, including the character that begins it.
    func query(_ bytes: ArraySlice<UInt8>, _ limit: Int) -> [UInt8] {
        pairs(bytes, limit) { byte in
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: ";"): true
            default: false
            }
        }
    }

    private func pairs(
        _ bytes: ArraySlice<UInt8>, _ limit: Int, isPath: Bool = false, separatedBy isSeparator: (UInt8) -> Bool
    ) -> [UInt8] {
        var result: [UInt8] = [], rest = bytes
        while !rest.isEmpty, result.count < limit {
            let pair = rest.prefix { !isSeparator($0) }
            budget.spend(pair.count + 1)
            let name = pair.prefix { $0 != UInt8(ascii: "=") }, isBare = name.endIndex == pair.endIndex
            // A path segment is not an item and may contain a colon: `/token:exchange`.
            let isSegment = isBare && isPath && !ProseMasking.isJSONWebToken(pair)
            let value = !isBare ? pair[name.endIndex...].dropFirst() : isSegment ? [] : pair
            let hasSecret = !value.isEmpty && (!isBare && rules.isSecret(name, isMember: false) || hidesSecret(value))
            result += hasSecret ? pair[..<value.startIndex] + pairMask : pair
            rest = rest[pair.endIndex...]
            if let separator = rest.popFirst() { result.append(separator) }
        }
        return result
    }

    /// Whether the escapes of values are decoded.
    var decodesValues: Bool { pairDepth == 0 }

    /// Whether a value, possibly percent-encoded several times, contains secrets: `{"password":…}`, `https://…?token=…`.
    ///
    /// It is read as it is, and with all escapes decoded.
    func hidesSecret(_ value: ArraySlice<UInt8>) -> Bool {
        guard pairDepth < Masking.maxDepth else { return false }
        var inner = self
        inner.pairDepth += 1
        inner.limit = .max
        let text = value.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        if inner.text(text[...]) != text { return true }
        guard decodesValues else { return false }
        var decoded = text
        for _ in 0..<SecretNames.maxEncodings where decoded.contains(UInt8(ascii: "%")) {
            budget.spend(decoded.count)
            decoded = PercentEncoding.unescape(decoded[...])
        }
        return decoded.count < text.count && inner.text(decoded[...]) != decoded
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
