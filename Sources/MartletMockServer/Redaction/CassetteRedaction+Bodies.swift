#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension CassetteRedaction {
    /// A body with what is secret hidden, as far as it is text.
    ///
    /// - Parameter isAnswer: whether it will be decoded, so that what is hidden keeps its kind.
    package func body(_ body: Data, type: String, isAnswer: Bool) -> Data {
        guard !isNothing, !body.isEmpty else { return body }
        let media = MediaType(type)
        if let pieces = MultipartPieces(body, boundary: media?.type == "multipart" ? media?["boundary"] : nil) {
            return multipart(pieces, isAnswer: isAnswer)
        }
        if let wide = WideText(body) {
            let hidden = replaced(self.hidden(wide.text, media, isAnswer: isAnswer))
            return hidden == wide.text ? body : wide.encoded(hidden)
        }
        guard let text = String(validUTF8: body) else { return media?.isText == true ? latin1(body) : body }
        let hidden = replaced(self.hidden(text, media, isAnswer: isAnswer))
        return hidden == text ? body : Data(hidden.utf8)
    }

    private func multipart(_ pieces: MultipartPieces, isAnswer: Bool) -> Data {
        pieces.all.reduce(into: Data()) { result, piece in
            let bytes = Data(pieces.bytes[piece.range])
            switch piece.kind {
            case .boundary: result += bytes
            case .text: result += body(bytes, type: "text/plain", isAnswer: isAnswer)
            case .field:
                let line = String(decoding: bytes, as: UTF8.self)
                let hidden = fieldLine(line)
                result += hidden == line ? bytes : Data(hidden.utf8)
            case .content(let part):
                let isSecret = part.names.contains(where: hidesPair)
                result += isSecret && !bytes.isEmpty ? Data(Redaction.mask.utf8) : body(bytes, type: part.type, isAnswer: isAnswer)
            }
        }
    }

    /// A field of a part's head, with its line's end.
    private func fieldLine(_ line: String) -> String {
        guard let colon = line.firstIndex(of: ":") else { return text(line) }
        let value = line[line.index(after: colon)...]
        let end = value.last?.isNewline == true ? String(value.suffix(1)) : ""
        let content = value.trimmingWhitespace
        var fields = HTTPFields()
        fields.append(HTTPFieldName(String(line[..<colon])), String(content))
        let hidden = fields.first.map { self.value(of: $0) } ?? ""
        return hidden == content ? line : "\(line[...colon]) \(hidden)\(end)"
    }

    private func hidden(_ text: String, _ media: MediaType?, isAnswer: Bool) -> String {
        if media?.essence == "application/x-www-form-urlencoded" { return pairs(text) }
        let start = text.utf8.first { !CassetteRedaction.skipped.contains($0) }
        let isJSON = media?.isJSON ?? false || start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        guard isJSON, let members = HiddenMembers(redaction: self, json: text, isAnswer: isAnswer) else {
            return self.text(text)
        }
        return members.text()
    }

    /// The bytes that may stand before a JSON value: a byte order mark and spaces.
    private static let skipped: [UInt8] = [0xEF, 0xBB, 0xBF, 0x20, 0x0A, 0x0D, 0x09]

    /// Byte for character, so that what is ASCII in it is found all the same.
    private func latin1(_ body: Data) -> Data {
        let text = String(latin1: body)
        let hidden = replaced(self.text(text))
        guard hidden != text else { return body }
        return hidden.unicodeScalars.reduce(into: Data()) { data, scalar in
            if let byte = UInt8(exactly: scalar.value) { data.append(byte) } else { data += Data(String(scalar).utf8) }
        }
    }
}

extension MediaType {
    fileprivate var isText: Bool {
        type == "text" || isJSON || ["xml", "javascript", "x-www-form-urlencoded", "graphql", "yaml"].contains(subtype)
            || subtype.hasSuffix("+xml")
    }
}

/// Hides members of a JSON text and leaves all of its other bytes as they are.
struct HiddenMembers {
    private let redaction: CassetteRedaction
    private let json: Data
    private let root: JSONNode
    private let isAnswer: Bool

    /// Parses a text; returns nil if it is not JSON.
    init?(redaction: CassetteRedaction, json text: String, isAnswer: Bool) {
        let json = Data(text.utf8)
        guard let root = try? JSONNode(parsing: json, limits: .testing) else { return nil }
        self.redaction = redaction
        self.json = json
        self.root = root
        self.isAnswer = isAnswer
    }

    func text() -> String {
        var edits: [(range: Range<Int>, text: String)] = []
        visit(root, isHidden: false, into: &edits)
        var result = Data()
        var place = 0
        for edit in edits {
            result += json[place..<edit.range.lowerBound]
            result += Data(edit.text.utf8)
            place = edit.range.upperBound
        }
        return String(decoding: result + json[place...], as: UTF8.self)
    }

    private func visit(_ node: JSONNode, isHidden: Bool, into edits: inout [(range: Range<Int>, text: String)]) {
        switch node.kind {
        case .null: break
        case .object:
            let members = node.members, namesValue = members.contains { isNameOfSecret($0.name, $0.value) }
            for (name, value) in members {
                let isValue = namesValue && name.lowercased() == "value"
                visit(value, isHidden: isHidden || isValue || redaction.hidesMember(name), into: &edits)
            }
        case .array: for element in node.elements { visit(element, isHidden: isHidden, into: &edits) }
        case .string:
            let text = node.text ?? ""
            let hidden = text.isEmpty ? text : isHidden ? Redaction.mask : within(text)
            if hidden != text { edits.append((node.range, JSONText.quoted(hidden))) }
        case .number: if isHidden { edits.append((node.range, isAnswer ? "0" : JSONText.quoted(Redaction.mask))) }
        case .bool: if isHidden { edits.append((node.range, isAnswer ? "false" : JSONText.quoted(Redaction.mask))) }
        }
    }

    /// `{"name": "password", "value": …}`, as in HAR and in forms in JSON.
    private func isNameOfSecret(_ name: String, _ value: JSONNode) -> Bool {
        guard ["name", "key"].contains(name.lowercased()), let text = value.text else { return false }
        return redaction.hidesPair(text)
    }

    /// A string may be JSON itself, or a URL; a single word is neither.
    private func within(_ text: String) -> String {
        let marks: [UInt8] = [UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "<"), UInt8(ascii: " "), UInt8(ascii: "\"")]
        return text.utf8.contains(where: marks.contains) ? redaction.text(text) : text
    }
}
