/// Which names say that what stands beside them is a secret.
extension Redaction {
    /// Whether a query item, form field or JSON member of this name looks like a secret.
    ///
    /// The name may be percent-encoded, and have parts: `user[password]`, `card.pin`.
    package static func isSecret(_ name: some StringProtocol) -> Bool { isSecret(name: Array(name.utf8)[...]) }

    /// `code` and `key` are secrets in a query or form (an authorization code, an API key) and plain words in JSON (an error's code).
    static func isSecret(name: ArraySlice<UInt8>, isJSONMember: Bool = false) -> Bool {
        // What a name says it says at its end; what is longer than any name costs no more than one.
        let name = Name(decoded(name.suffix(longestName)))
        let words = isJSONMember ? secretWords : secretWords.union(secretPairWords)
        return name.parts.contains { words.contains($0) } || name.endings.contains { secretEndings.contains($0) }
            || secretParts.contains { name.letters.contains($0) }
    }

    static let longestName = 256

    /// A name in lower case, without `_` and `-`.
    private struct Name {
        /// `user` and `cardpin` of `user[card_pin]`.
        var parts: [String] = []
        /// The last word of each part: `user` and `pin`.
        var endings: [String] = []
        /// All of it.
        var letters: [UInt8] = []

        private var part: [UInt8] = []
        private var word: [UInt8] = []

        init(_ bytes: [UInt8]) {
            var wasLowercase = false
            for byte in bytes {
                let isUppercase = byte != Token.lowercased(byte)
                switch byte {
                case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "): word = []
                case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "."): endPart()
                default:
                    // cardPin
                    if isUppercase, wasLowercase { word = [] }
                    part.append(Token.lowercased(byte))
                    word.append(Token.lowercased(byte))
                    letters.append(Token.lowercased(byte))
                }
                wasLowercase = !isUppercase
            }
            endPart()
        }

        private mutating func endPart() {
            parts.append(String(decoding: part, as: UTF8.self))
            endings.append(String(decoding: word, as: UTF8.self))
            part = []
            word = []
        }
    }

    private static let secretWords: Set<String> = [
        "auth", "bearer", "cvc", "cvv", "jwt", "otp", "pass", "pin", "pwd", "sid", "sig", "ssn",
    ]
    private static let secretPairWords: Set<String> = ["code", "key"]
    private static let secretEndings: Set<String> = ["cvc", "cvv", "jwt", "otp", "pin", "pwd", "ssn"]
    private static let secretParts: [[UInt8]] = [
        "accesskey", "apikey", "assertion", "authorization", "cardnumber", "codeverifier", "cookie", "credential", "passphrase", "passwd",
        "password", "privatekey", "secret", "session", "signature", "token",
    ].map { Array($0.utf8) }

    /// A name without the escapes of URLs and of JSON strings.
    private static func decoded(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                rest = rest.dropFirst(2)
                decoded.append(code)
            } else if byte == UInt8(ascii: "\\"), let code = JSONEscapes.number(after: rest) {
                rest = rest.dropFirst(5)
                decoded.append(code)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}
