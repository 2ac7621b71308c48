// Secrets that no name announces, and those that are wrapped in another encoding.

extension RedactedText {
    /// Hides what is recognised by itself: a JSON Web Token (RFC 7519 §3) and a private key in PEM (RFC 7468 §10).
    mutating func hideBareSecret(isAtWordStart: Bool) -> Bool {
        switch bytes[position] {
        case UInt8(ascii: "e"):
            guard isAtWordStart, let end = endOfWebToken() else { return false }
            hide(upTo: end)
            return true
        case UInt8(ascii: "-"):
            guard bytes[position...].starts(with: "-----BEGIN ".utf8), let end = endOfPrivateKey() else { return false }
            hide(upTo: end)
            return true
        default: return false
        }
    }

    /// Where the token ends that begins here: three parts in base64url, of which the first is a JSON object.
    private func endOfWebToken() -> Int? {
        guard bytes[position...].starts(with: "eyJ".utf8) else { return nil }
        let token = bytes[position...].prefix { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte.isASCIIAlphanumeric
        }
        guard token.count >= 20, token.count(where: { $0 == UInt8(ascii: ".") }) >= 1 else { return nil }
        return token.endIndex
    }

    /// Where the block ends that begins here, when its label says that it is a private key; a block that is cut has no end.
    private func endOfPrivateKey() -> Int? {
        let label = bytes[position...].dropFirst(11).prefix(60).prefix { $0 != UInt8(ascii: "-") }
        guard String(decoding: label, as: UTF8.self).hasSuffix("PRIVATE KEY") else { return nil }
        guard let end = bytes[label.endIndex...].firstRange(of: Array("-----END".utf8)) else { return bytes.endIndex }
        return bytes[end.upperBound...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") }.endIndex
    }

    /// Hides the value of a pair when what it is percent-encoded from has secrets: `variables=%7B%22password…`, `next=https%3A…token%3D…`.
    mutating func hideEncodedValue() {
        guard position >= decodedUpTo, depth < RedactedText.deepest else { return }
        let value = bytes[position...].prefix { !RedactedText.isPairSeparator($0) }
        decodedUpTo = value.endIndex
        var decoded = Array(value)
        // What is encoded may have been encoded before.
        for _ in depth..<RedactedText.deepest where decoded.contains(UInt8(ascii: "%")) {
            decoded = Redaction.percentDecoded(decoded[...])
            if RedactedText.hide(decoded[...], depth: RedactedText.deepest) != decoded { return hide(upTo: value.endIndex) }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
