internal import MartletSystem

/// The names that indicate a secret value: one list for redirects, cache keys, `Vary`, logs, errors and recordings.
enum SecretNames {
    /// The number of bytes at the end of a name that are examined.
    static let maxLength = 256
    /// The maximum number of nested percent-encodings that are decoded.
    static let maxEncodings = 4

    /// The cached results. They depend on the name only, so sharing them in the process is safe.
    private static let known = Locked(BoundedMap<String, Bool>(limit: 1_000))
    private static let maxKnownLength = 64

    /// Whether a name is on the list. Results are cached, because checking a name is slow.
    static func contains(_ name: String) -> Bool {
        guard name.utf8.count <= maxKnownLength else { return contains(Array(name.utf8)[...], isMember: false) }
        if let isSecret = known.withLock({ $0[name] }) { return isSecret }
        let isSecret = contains(Array(name.utf8)[...], isMember: false)
        known.withLock { known in _ = known.insert(isSecret, for: name) }
        return isSecret
    }

    /// Whether a name is on the list, in any case, percent-encoded, or as a part of `user[password]` or `card.pin`.
    static func contains(_ name: ArraySlice<UInt8>, isMember: Bool) -> Bool {
        let words = isMember ? secretWords : secretWordsOfPairs
        var letters: [UInt8] = []
        for part in decoded(name.suffix(maxLength)).split(whereSeparator: { "[].".utf8.contains($0) }) {
            let parts = self.words(of: part), whole = parts.reduce([], +)
            if words.contains(String(decoding: whole, as: UTF8.self)) { return true }
            if let last = parts.last, secretEndings.contains(String(decoding: last, as: UTF8.self)) { return true }
            letters += whole
        }
        return hasSecretPart(letters)
    }

    private static func decoded(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = name
        for _ in 0..<maxEncodings where name.contains(UInt8(ascii: "%")) {
            name = PercentEncoding.unescape(String(decoding: name, as: UTF8.self))[...]
        }
        return name
    }

    /// Returns the words of `card_pin` or `cardPin`, in lower case.
    private static func words(of part: ArraySlice<UInt8>) -> [[UInt8]] {
        var words: [[UInt8]] = [[]], wasLowercase = false
        for byte in part {
            let letter = Token.lowercased(byte), isSeparator = "_- ".utf8.contains(byte)
            if isSeparator || letter != byte && wasLowercase { words.append([]) }
            if !isSeparator { words[words.count - 1].append(letter) }
            wasLowercase = letter == byte
        }
        return words
    }

    /// Searches by hand, because the library's search for a subsequence takes a thousand times as long.
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

    /// The secret parts, grouped by their first letter.
    private static let partsByLetter: [[[UInt8]]] = (0..<128).map { letter in secretParts.filter { Int($0[0]) == letter } }

    private static let secretWords: Set<String> = [
        "auth", "authentication", "bearer", "cvc", "cvv", "dpop", "jwt", "otp", "pass", "pin", "pw", "pwd", "sid", "sig", "ssn", "xauth",
    ]
    /// The words that are harmless in JSON (an error's code) and secret in a query, form or field (an authorization code, an API key).
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
}
