/// The secrets that are known by their shape, whatever their names: JSON Web Tokens, keys with the prefix of their service, tokens of
/// Telegram bots, Basic credentials, and the paths of hooks.
enum KnownSecrets {
    // MARK: Tokens and keys

    /// Whether a word looks like a JSON Web Token (RFC 7519).
    static func isJSONWebToken(_ word: ArraySlice<UInt8>) -> Bool {
        word.starts(with: "eyJ".utf8) && word.count >= 20 && word.contains(UInt8(ascii: "."))
    }

    /// Whether a word is a key: `AKIA…` of AWS, `ghp_…` of GitHub, `sk_live_…` of Stripe, `xoxb-…` of Slack, and others of ``shapes``.
    ///
    /// It may follow a dot or bracket within the word. Each byte is read a few times at most.
    static func isKey(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= minKeyLength else { return false }
        var isStart = true
        for (place, byte) in zip(word.indices, word) {
            if isStart, firstBytes.contains(byte), shapes.contains(where: { $0.matches(word[place...]) }) { return true }
            isStart = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[")
        }
        return false
    }

    /// Returns the end of a Telegram bot's token that begins with a word, such as `123456:ABC-…` or `bot123456:ABC-…`, or nil.
    static func endOfBotToken(_ word: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> Int? {
        let number = word.starts(with: "bot".utf8) ? word.dropFirst(3) : word
        guard (6...12).contains(number.count), number.allSatisfy(Token.isDigit) else { return nil }
        let rest = bytes[word.endIndex...]
        let sign = rest.first == UInt8(ascii: ":") ? 1 : rest.starts(with: "%3A".utf8) || rest.starts(with: "%3a".utf8) ? 3 : 0
        let token = rest.dropFirst(sign).prefix(while: isInKey)
        return sign > 0 && token.count >= 30 ? token.endIndex : nil
    }

    /// Whether a segment of a path is a token or key.
    static func isSecret(segment: ArraySlice<UInt8>) -> Bool {
        isJSONWebToken(segment) || isKey(segment) || endOfBotToken(segment.prefix(while: Token.isAlphanumeric), in: segment) != nil
    }

    /// How the keys of a service begin, and how many characters of a key follow at least.
    private struct Shape: Sendable {
        let prefix: [UInt8]
        let count: Int
        /// Whether all keys contain a digit. It tells them from words that begin alike.
        var hasDigit = false
        /// Whether all characters of a key are digits and capitals, and none follow.
        var isIdentifier = false

        func matches(_ word: ArraySlice<UInt8>) -> Bool {
            guard word.starts(with: prefix) else { return false }
            // A key's bytes beyond these are not examined, so that a long word costs no more.
            let key = word.dropFirst(prefix.count).prefix(maxExamined).prefix(while: isInKey)
            if isIdentifier { return key.count == count && key.allSatisfy(isInIdentifier) }
            return key.count >= count && (!hasDigit || key.contains(where: Token.isDigit))
        }
    }

    private static let maxExamined = 48
    private static let minKeyLength = 15

    private static let shapes: [Shape] =
        // GitHub, GitLab
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { Shape(prefix: Array($0.utf8), count: 30) }
        + ["github_pat_", "glpat-"].map { Shape(prefix: Array($0.utf8), count: 16) }
        // Stripe and its webhooks
        + ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"].map { Shape(prefix: Array($0.utf8), count: 16) }
        // Slack
        + ["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-", "xapp-"].map {
            Shape(prefix: Array($0.utf8), count: 10, hasDigit: true)
        }
        // OpenAI, Anthropic and others; npm; SendGrid; Google
        + [
            Shape(prefix: Array("sk-".utf8), count: 20, hasDigit: true), Shape(prefix: Array("npm_".utf8), count: 36, hasDigit: true),
            Shape(prefix: Array("SG.".utf8), count: 20), Shape(prefix: Array("AIza".utf8), count: 30),
        ]
        // AWS
        + ["AKIA", "ASIA"].map { Shape(prefix: Array($0.utf8), count: 16, isIdentifier: true) }

    private static let firstBytes = Set(shapes.compactMap(\.prefix.first))

    private static func isInKey(_ byte: UInt8) -> Bool {
        Token.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    // MARK: Basic credentials

    /// Whether the text after `Basic` is a user and a password in Base64 (RFC 7617), and not a word.
    static func isBasicCredential(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count >= 8 else { return false }
        var bits = 0, count = 0, decoded: [UInt8] = []
        for value in text.lazy.prefix(while: { $0 != UInt8(ascii: "=") }).map(sixBits) {
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        // A word such as “Operations” may decode to bytes with a colon, but rarely to text.
        return decoded.contains(UInt8(ascii: ":"))
            && (text.contains { !Token.isAlphanumeric($0) || Token.isDigit($0) } || String(validUTF8: decoded) != nil)
    }

    /// Whether a byte is one of Base64, in either alphabet (RFC 4648).
    static func isBase64(_ byte: UInt8) -> Bool { Token.isAlphanumeric(byte) || "+/-_=".utf8.contains(byte) }

    private static func sixBits(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        default: 63
        }
    }

    // MARK: Hooks

    /// Returns the range of the secret in the path of a hook, or nil: the last segment of `/services/T…/B…/…` of Slack, and of its
    /// workflows and triggers, and the token after the number in `/webhooks/…/…` of Discord.
    static func hook(in path: ArraySlice<UInt8>) -> Range<Int>? {
        let slash = UInt8(ascii: "/")
        var rest = path
        while let end = rest.firstIndex(of: slash) {
            let segment = rest[..<end]
            rest = rest[(end + 1)...]
            let isSlack = slackKinds.contains { segment.elementsEqual($0) }
            guard isSlack || segment.elementsEqual("webhooks".utf8) else { continue }
            let owner = rest.prefix { $0 != slash }
            if isSlack, owner.count >= 8, owner.first == UInt8(ascii: "T"), owner.allSatisfy(isInIdentifier) {
                while rest.last == slash { rest.removeLast() }
                guard let last = rest.lastIndex(of: slash), last > owner.endIndex, rest.endIndex - last > 16 else { return nil }
                return last + 1..<rest.endIndex
            }
            if !isSlack, owner.count >= 15, owner.allSatisfy(Token.isDigit) {
                let token = rest[owner.endIndex...].dropFirst().prefix { $0 != slash }
                return token.count >= 30 ? token.startIndex..<token.endIndex : nil
            }
        }
        return nil
    }

    private static let slackKinds = ["services", "workflows", "triggers"].map { Array($0.utf8) }

    private static func isInIdentifier(_ byte: UInt8) -> Bool {
        Token.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
