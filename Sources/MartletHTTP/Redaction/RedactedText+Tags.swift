// Elements of XML and HTML whose name, or the name in whose attributes, says that they hold a secret.

extension RedactedText {
    /// An element whose content is a secret.
    struct Tag {
        /// As it is written, with its prefix.
        let name: ArraySlice<UInt8>
        /// Whether it stands behind a name, as the parameter of a generic type does.
        let isBehindName: Bool
    }

    mutating func beginTag() {
        let name = bytes[position...].prefix { RedactedText.isNamePart($0) || $0 == UInt8(ascii: ":") }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[$0...].dropFirst() } ?? name
        let isBehindName = position - 2 >= bytes.startIndex && RedactedText.isNamePart(bytes[position - 2])
        tag = Redaction.isSecret(name: local, isJSONMember: true) ? Tag(name: name, isBehindName: isBehindName) : nil
        if !name.isEmpty { readAttributes(from: name.endIndex) }
    }

    /// Hides the content of the element whose tag ends here.
    mutating func endTag() {
        guard let tag = tag.take(), bytes[position - 2] != UInt8(ascii: "/") else { return }
        if let end = end(of: tag) { return hide(upTo: end) }
        if !tag.isBehindName { hide(upTo: bytes.endIndex) }
    }

    /// Where the closing tag begins; nil when there is none.
    private func end(of tag: Tag) -> Int? {
        var rest = tag.isBehindName ? bytes[position...].prefix(RedactedText.reach) : bytes[position...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[mark...].dropFirst()
            guard rest.first == UInt8(ascii: "/") else { continue }
            let name = rest.dropFirst().prefix(tag.name.count)
            if name.elementsEqual(tag.name, by: { Token.lowercased($0) == Token.lowercased($1) }) { return mark }
        }
        return nil
    }

    /// Looks ahead in a tag for `name="csrf_token"` (HTML §4.10.5.1.1), so that its `value` or `content` is hidden on either side of it.
    private mutating func readAttributes(from start: Int) {
        let tag = bytes[start...].prefix(RedactedText.reach).prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        for mark in tag.indices where bytes[mark] == UInt8(ascii: "=") {
            let name = nameBefore(mark)
            guard ["name", "id", "property"].contains(where: { RedactedText.isWord(name, $0) }) else { continue }
            let value = tag[mark...].dropFirst().drop { RedactedText.isWhitespace($0) || RedactedText.isQuote($0) }
            if Redaction.isSecret(name: value.prefix { !RedactedText.isWhitespace($0) && !RedactedText.isQuote($0) }, isJSONMember: true) {
                valuesHiddenUpTo = tag.endIndex
                return
            }
        }
    }

    func isValueOfNamedTag(_ name: ArraySlice<UInt8>) -> Bool {
        position < valuesHiddenUpTo && ["value", "content"].contains { RedactedText.isWord(name, $0) }
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
}
