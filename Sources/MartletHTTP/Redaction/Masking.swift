internal import MartletEssentials
internal import MartletSystem

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
        let hook = rules.isStandard ? KnownSecrets.hook(in: path) : nil
        result += segments(path[..<(hook?.lowerBound ?? path.endIndex)], limit - result.count)
        if let hook, result.count < limit { result += pairMask + segments(path[hook.upperBound...], limit - result.count) }
        return result.count < limit ? result + query(rest[path.endIndex...], limit - result.count) : result
    }

    private func segments(_ path: ArraySlice<UInt8>, _ limit: Int) -> [UInt8] {
        pairs(path, limit, isPath: true) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ";") }
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
            let isSegment = isBare && isPath && !KnownSecrets.isSecret(segment: pair)
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

    /// Masks an object or array in a text. Nil if the text is something else.
    func jsonInText(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard stringDepth <= Masking.maxDepth else { return nil }
        // A byte order mark and white space may precede the value.
        let start = bytes.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x0A, 0x0D, 0x09].contains($0) }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: "[") ? json(bytes) : nil
    }

    /// Masks the values of secret members. Nil if the text is not JSON.
    func json(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        budget.spend(bytes.count)
        let json = Data(bytes)
        guard let root = try? JSONNode(parsing: json, limits: .redaction) else { return nil }
        var masking = JSONMasking(masking: self, json: json)
        masking.visit(root)
        return masking.finished
    }
}

/// The work that the masking of one text may take, in steps. A step is a byte that is read, once for each time that it is read.
///
/// A text is read a few times at most. Only crafted ones, such as JSON in URLs in JSON, need more. What exceeds the budget is masked
/// unread.
final class MaskingBudget {
    private(set) var steps = 0
    private let limit: Int

    /// The maximum number of steps for each byte of a text, and for a text of any length.
    static let stepsPerByte = 32, minSteps = 16_384

    /// Creates the budget for a text of this length.
    init(bytes: Int) { limit = bytes * MaskingBudget.stepsPerByte + MaskingBudget.minSteps }

    /// Whether no work is left, so that the rest is masked.
    var isSpent: Bool { steps > limit }

    func spend(_ bytes: Int) { steps += bytes }
}

/// Counts the steps of all texts that are masked in a task. Tests limit the work with it, which a duration could not.
final class MaskingSteps: Sendable {
    /// The counter of the current task, or nil.
    @TaskLocal static var counter: MaskingSteps?

    private let total = Locked(0)

    init() {}

    /// The number of steps.
    var count: Int { total.withLock { $0 } }

    func add(_ steps: Int) { total.withLock { $0 += steps } }
}

extension JSONLimits {
    /// The limits for bodies and recordings whose secrets are masked: 200 levels of nesting.
    ///
    /// They allow lone surrogates, which JavaScript writes when it cuts a string within an emoji, because such a body has secrets too.
    package static let redaction: JSONLimits = {
        var limits = JSONLimits(maxDepth: 200)
        limits.allowsLoneSurrogates = true
        return limits
    }()
}

/// Writes a document up to the limit of its masking. The document is written in its order, and the part behind the limit is not masked.
private struct JSONMasking {
    let masking: Masking
    let json: Data
    private var result: [UInt8] = []
    /// The end of the part of the document that was written or replaced.
    private var place = 0
    /// The start of the part that is left out, or nil.
    private var stop: Int?

    init(masking: Masking, json: Data) {
        self.masking = masking
        self.json = json
    }

    private var rules: Redactor { masking.rules }

    /// The text with everything after the last replacement.
    var finished: [UInt8] { result + json[place..<max(place, stop ?? json.count)] }

    /// Whether the text up to `end` is all that is needed.
    private mutating func isFull(at end: Int) -> Bool {
        if stop == nil, result.count + end - place >= masking.limit { stop = end }
        return stop != nil
    }

    private mutating func replace(_ node: JSONNode, with text: String) {
        let range = node.range
        result += json[place..<range.lowerBound]
        result += text.utf8
        place = range.upperBound
    }

    mutating func visit(_ node: JSONNode) {
        guard !isFull(at: node.range.lowerBound) else { return }
        switch node.kind {
        case .object: visitMembers(of: node)
        case .array: for element in node.elements where stop == nil { visit(element) }
        case .string:
            // The string may contain JSON, a URL or prose.
            let text = Array((node.text ?? "").utf8), written = result.count + node.range.lowerBound - place
            let masked = masking.inString(limit: masking.limit - written).text(text[...])
            if masked != text { replace(node, with: JSONText.quoted(String(decoding: masked, as: UTF8.self))) }
        default: break
        }
    }

    /// - Parameter isRejected: Whether the object describes an error whose location names a secret.
    private mutating func visitMembers(of node: JSONNode, isRejected: Bool = false) {
        let members = node.members, start = (count: result.count, place: place)
        var namesSecret: Bool? = isRejected ? true : nil, end = node.range.lowerBound + 1
        for (name, value) in members {
            guard !isFull(at: end) else { return }
            masking.budget.spend(name.utf8.count)
            // The name itself is a secret, such as a token or a URL with a password.
            if rules.style == .text, name.utf8.count >= 12, isSecretText(name) {
                result.removeLast(result.count - start.count)
                place = start.place
                return replace(node, with: JSONText.quoted(Redaction.mask))
            }
            let kind = RejectedValue.kind(of: name.utf8), isSecret = rules.isSecret(name, isMember: true)
            if !isSecret, !kind.isDisjoint(with: [.value, .details]), namesSecret == nil {
                namesSecret = members.contains { isLocationOfSecret($0.name, $0.value) }
            }
            switch kind {
            case _ where isSecret: mask(value)
            case .value where namesSecret == true: mask(value)
            case .details where namesSecret == true && value.kind == .object: visitMembers(of: value, isRejected: true)
            default: visit(value)
            }
            end = value.range.upperBound
        }
    }

    private func isSecretText(_ name: String) -> Bool {
        var whole = masking
        whole.limit = .max
        let bytes = Array(name.utf8)
        return whole.text(bytes[...]) != bytes
    }

    /// Whether a member declares the value next to it a secret, as described in ``RejectedValue``.
    private func isLocationOfSecret(_ name: String, _ location: JSONNode) -> Bool {
        masking.budget.spend(name.utf8.count)
        return RejectedValue.kind(of: name.utf8) == .location && namesSecret(location, depth: 0)
    }

    /// Whether a location names a secret: a path, a list of its parts, or an object with one.
    private func namesSecret(_ location: JSONNode, depth: Int) -> Bool {
        switch location.kind {
        case .string:
            masking.budget.spend(location.range.count)
            return RejectedValue.namesSecret(Array((location.text ?? "").utf8)[...], rules)
        case .array where depth == 0: return location.elements.contains { namesSecret($0, depth: 1) }
        case .object where depth < 2:
            return location.members.contains { RejectedValue.kind(of: $0.name.utf8) == .location && namesSecret($0.value, depth: 2) }
        default: return false
        }
    }

    private mutating func mask(_ node: JSONNode) {
        guard !isFull(at: node.range.lowerBound) else { return }
        let mask = JSONText.quoted(Redaction.mask)
        if rules.style == .text { return replace(node, with: mask) }
        switch node.kind {
        case .null: break
        case .object: for member in node.members { self.mask(member.value) }
        case .array: for element in node.elements { self.mask(element) }
        case .string: if node.text != "" { replace(node, with: mask) }
        case .number: replace(node, with: rules.style == .response ? "0" : mask)
        case .bool: replace(node, with: rules.style == .response ? "false" : mask)
        }
    }
}
