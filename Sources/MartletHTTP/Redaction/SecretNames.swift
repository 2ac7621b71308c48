/// The names that indicate a secret value. One rule for redirects, links, stores, logs and recordings.
enum SecretNames {
    /// `code` and `key` are secrets in a query or form (an authorization code, an API key) and plain words in JSON (an error's code).
    static func contain(_ name: ArraySlice<UInt8>, isJSONMember: Bool = false) -> Bool {
        // What a name says it says at its end; what is longer than any name costs no more than one.
        let name = Name(decoded(name.suffix(longestName)))
        let words = isJSONMember ? secretWords : secretWordsOfPairs
        return name.parts.contains { words.contains($0) } || name.endings.contains { secretEndings.contains($0) }
            || hasSecretPart(name.letters)
    }

    /// By hand: the library's search for a part of a collection takes a thousand times as long.
    private static func hasSecretPart(_ letters: [UInt8]) -> Bool {
        letters.indices.contains { start in
            partsByLetter[Int(letters[start] & 0x7F)].contains { part in
                guard part.count <= letters.count - start else { return false }
                var place = 0
                while place < part.count, letters[start + place] == part[place] { place += 1 }
                return place == part.count
            }
        }
    }

    /// The parts by the letter that they begin with.
    private static let partsByLetter: [[[UInt8]]] = (0..<128).map { letter in secretParts.filter { Int($0[0]) == letter } }

    static let longestName = 256

    /// The maximum number of nested percent-encodings that are decoded.
    static let maxEncodings = 4

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
        "auth", "authentication", "bearer", "cvc", "cvv", "dpop", "jwt", "otp", "pass", "pin", "pw", "pwd", "sid", "sig", "ssn", "xauth",
    ]
    private static let secretWordsOfPairs = secretWords.union(["appid", "code", "key", "sas", "ticket"])
    private static let secretEndings: Set<String> = ["cvc", "cvv", "jwt", "otp", "pin", "pw", "pwd", "ssn"]
    private static let secretParts: [[UInt8]] = [
        "accesskey", "accountkey", "apikey", "appkey", "applicationkey", "assertion", "authcode", "authkey", "authorization",
        "backupcode", "cardnumber", "codeverifier", "confirmationcode", "consumerkey", "cookie", "credential", "csrf",
        "encryptionkey", "functionskey", "hmac", "licencekey", "licensekey", "masterkey", "mfacode", "oauthverifier",
        "onetimecode", "otpcode", "passcode", "passphrase", "passwd", "password", "privatekey", "recoverycode", "samlrequest",
        "samlresponse", "secret", "securitycode", "session", "sharedkey", "signature", "signingkey", "storagekey",
        "subscriptionkey", "token", "verificationcode",
    ].map { Array($0.utf8) }

    /// A name without the escapes of URLs and of JSON strings.
    private static func decoded(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = name
        // What is encoded may have been encoded before.
        for _ in 0..<maxEncodings where rest.contains(UInt8(ascii: "%")) { rest = percentDecoded(rest)[...] }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let code = JSONEscapes.number(after: rest) {
                rest = rest.dropFirst(5)
                decoded.append(code)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    /// Bytes without the escapes of URLs (RFC 3986 §2.1); what is no escape stays.
    static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = hexDigit(rest.first), let low = hexDigit(rest.dropFirst().first) {
                rest = rest.dropFirst(2)
                decoded.append(high << 4 | low)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static func hexDigit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case let byte? where (0x30...0x39).contains(byte): byte - 0x30
        case let byte? where (0x41...0x46).contains(byte): byte - 0x37
        case let byte? where (0x61...0x66).contains(byte): byte - 0x57
        default: nil
        }
    }
}
