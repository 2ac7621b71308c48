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
    ///
    /// Each byte is read once.
    static func contains(_ name: ArraySlice<UInt8>, isMember: Bool) -> Bool {
        if name.count == harmlessName.count, name.elementsEqual(harmlessName, by: { Token.lowercased($0) == $1 }) { return false }
        let words = SecretNames.words, kinds: WordAutomaton.Kinds = isMember ? .word : [.word, .wordOfPair]
        // The letters of the whole name, of its part between brackets or dots, and of the last word of the part.
        var all = WordAutomaton.start, part = WordAutomaton.start, word = WordAutomaton.start, wasLowercase = false
        func isSecretPart() -> Bool { !words.whole(part).isDisjoint(with: kinds) || words.whole(word).contains(.ending) }
        for byte in decoded(name.suffix(maxLength)) {
            let letter = Token.lowercased(byte)
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "."):
                if isSecretPart() { return true }
                (part, word, wasLowercase) = (WordAutomaton.start, WordAutomaton.start, false)
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "): (word, wasLowercase) = (WordAutomaton.start, true)
            default:
                if letter != byte, wasLowercase { word = WordAutomaton.start }
                wasLowercase = letter == byte
                all = words.state(searching: all, letter)
                if words.found(all).contains(.part) { return true }
                part = words.state(spelling: part, letter)
                word = words.state(spelling: word, letter)
            }
        }
        return isSecretPart()
    }

    private static func decoded(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = name
        for _ in 0..<maxEncodings where name.contains(UInt8(ascii: "%")) { name = PercentEncoding.unescape(name)[...] }
        return name
    }

    private static let words = WordAutomaton(
        secretWords.map { ($0, .word) } + secretWordsOfPairs.map { ($0, .wordOfPair) } + secretEndings.map { ($0, .ending) }
            + secretParts.map { ($0, .part) })

    /// A field whose value is only `true`.
    private static let harmlessName = Array("access-control-allow-credentials".utf8)

    private static let secretWords = [
        "auth", "authentication", "bearer", "cvc", "cvv", "dpop", "jwt", "mfa", "otp", "pass", "pin", "pw", "pwd", "sid", "sig", "ssn",
        "totp", "xauth",
    ]
    /// The words that are harmless in JSON (an error's code) and secret in a query, form or field (an authorization code, an API key).
    private static let secretWordsOfPairs = ["appid", "code", "key", "sas", "ticket"]
    private static let secretEndings = ["cvc", "cvv", "jwt", "otp", "pin", "pw", "pwd", "ssn", "totp"]
    private static let secretParts = [
        "accesskey", "accountkey", "apikey", "appkey", "applicationkey", "assertion", "authcode", "authkey", "authorization",
        "backupcode", "cardnumber", "codeverifier", "confirmationcode", "consumerkey", "cookie", "credential", "csrf",
        "devicecode", "encryptionkey", "functionskey", "hmac", "licencekey", "licensekey", "masterkey", "mfacode", "oauthverifier",
        "onetimecode", "otpcode", "passcode", "passphrase", "passwd", "password", "privatekey", "recoverycode", "samlrequest",
        "samlresponse", "secret", "securitycode", "sessid", "session", "sharedkey", "signature", "signingkey", "storagekey",
        "subscriptionkey", "token", "usercode", "verificationcode", "xsrf",
    ]
}

extension WordAutomaton.Kinds {
    /// A secret as the whole name, or as a whole part of one.
    fileprivate static let word = Self(rawValue: 1)
    /// A secret as the whole name, or a whole part of one, in a query, form or field.
    fileprivate static let wordOfPair = Self(rawValue: 2)
    /// A secret as the last word of a name.
    fileprivate static let ending = Self(rawValue: 4)
    /// A secret anywhere in a name.
    fileprivate static let part = Self(rawValue: 8)
}
