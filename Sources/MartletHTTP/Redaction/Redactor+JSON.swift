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

extension Redactor {
    /// Returns JSON with the values of secret members masked and all other bytes unchanged. Nil if the text is not JSON.
    package func json(_ text: String) -> String? { edited(Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } }

    /// Masks an object or array like ``json(_:)``.
    func json(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard stringDepth <= Redactor.maxDepth else { return nil }
        // A byte order mark and white space may precede the value.
        let start = bytes.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x0A, 0x0D, 0x09].contains($0) }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: "[") ? edited(bytes) : nil
    }

    private func edited(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let json = Data(bytes)
        guard let root = try? JSONNode(parsing: json, limits: .redaction) else { return nil }
        var edits: [(range: Range<Int>, text: String)] = []
        visit(root, into: &edits)
        var result: [UInt8] = [], place = 0
        for edit in edits {
            result += json[place..<edit.range.lowerBound]
            result += edit.text.utf8
            place = edit.range.upperBound
        }
        return result + json[place...]
    }

    private func visit(_ node: JSONNode, into edits: inout [(range: Range<Int>, text: String)]) {
        switch node.kind {
        case .object:
            let members = node.members, namesValue = members.contains { isNameOfSecret($0.name, $0.value) }
            // The name itself is a secret, such as a token or a URL with a password.
            if style == .text, members.contains(where: { $0.name.utf8.count >= 12 && text($0.name) != $0.name }) {
                return edits.append((node.range, JSONText.quoted(Redaction.mask)))
            }
            for (name, value) in members {
                let isHidden = isSecret(name, isMember: true) || namesValue && name.lowercased() == "value"
                isHidden ? mask(value, into: &edits) : visit(value, into: &edits)
            }
        case .array: for element in node.elements { visit(element, into: &edits) }
        case .string:
            // The string may contain JSON, a URL or prose.
            var inner = self
            inner.stringDepth += 1
            let text = node.text ?? "", masked = inner.text(text)
            if masked != text { edits.append((node.range, JSONText.quoted(masked))) }
        default: break
        }
    }

    /// Whether a member declares the `value` next to it a secret, as in HAR and in forms as JSON: `{"name": "password", "value": …}`.
    private func isNameOfSecret(_ name: String, _ value: JSONNode) -> Bool {
        ["name", "key"].contains(name.lowercased()) && value.text.map { isSecret($0) } ?? false
    }

    private func mask(_ node: JSONNode, into edits: inout [(range: Range<Int>, text: String)]) {
        let mask = JSONText.quoted(Redaction.mask)
        if style == .text { return edits.append((node.range, mask)) }
        switch node.kind {
        case .null: break
        case .object: for member in node.members { self.mask(member.value, into: &edits) }
        case .array: for element in node.elements { self.mask(element, into: &edits) }
        case .string: if node.text != "" { edits.append((node.range, mask)) }
        case .number: edits.append((node.range, style == .response ? "0" : mask))
        case .bool: edits.append((node.range, style == .response ? "false" : mask))
        }
    }
}
