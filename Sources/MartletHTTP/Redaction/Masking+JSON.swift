internal import MartletEssentials

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

extension Masking {
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

    private mutating func visitMembers(of node: JSONNode) {
        let members = node.members, start = (count: result.count, place: place)
        var namesValue: Bool?, end = node.range.lowerBound + 1
        for (name, value) in members {
            guard !isFull(at: end) else { return }
            masking.budget.spend(name.utf8.count)
            // The name itself is a secret, such as a token or a URL with a password.
            if rules.style == .text, name.utf8.count >= 12, isSecretText(name) {
                result.removeLast(result.count - start.count)
                place = start.place
                return replace(node, with: JSONText.quoted(Redaction.mask))
            }
            var isHidden = rules.isSecret(name, isMember: true)
            if !isHidden, name.lowercased() == "value" {
                isHidden = namesValue ?? members.contains { isNameOfSecret($0.name, $0.value) }
                namesValue = isHidden
            }
            isHidden ? mask(value) : visit(value)
            end = value.range.upperBound
        }
    }

    private func isSecretText(_ name: String) -> Bool {
        var whole = masking
        whole.limit = .max
        let bytes = Array(name.utf8)
        return whole.text(bytes[...]) != bytes
    }

    /// Whether a member declares the `value` next to it a secret, as in HAR and in forms as JSON: `{"name": "password", "value": …}`.
    private func isNameOfSecret(_ name: String, _ value: JSONNode) -> Bool {
        masking.budget.spend(name.utf8.count)
        return ["name", "key"].contains(name.lowercased()) && value.text.map { rules.isSecret($0) } ?? false
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
