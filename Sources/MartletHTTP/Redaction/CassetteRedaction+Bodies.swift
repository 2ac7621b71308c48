package import MartletEssentials

extension CassetteRedaction {
    /// Returns a body with its secrets masked if it is text. Other bodies are unchanged, because a replay needs them.
    ///
    /// Text in UTF-16 with a secret becomes UTF-8.
    ///
    /// - Parameters:
    ///   - isAnswer: Whether the body is that of a response, in which masked numbers and Boolean values keep their type.
    ///   - depth: The number of multipart bodies that contain the body.
    package func body(_ body: Data, type: String, isAnswer: Bool, depth: Int = 0) -> Data {
        guard !isNothing, !body.isEmpty else { return body }
        let media = MediaType(type), redactor = redactor(isAnswer ? .response : .request)
        if depth < CassetteRedaction.maxDepth,
            let parts = MaskedParts(body, boundary: media?.type == "multipart" ? media?["boundary"] : nil)
        {
            return parts.masked(by: self, isAnswer: isAnswer, depth: depth + 1)
        }
        let unicode = String(utf16: body) ?? String(validUTF8: body)
        guard let text = unicode ?? (media?.isText == true ? String(latin1: body) : nil) else { return body }
        let isForm = media?.essence == "application/x-www-form-urlencoded"
        let masked = replaced(isForm ? redactor.form(text) : redactor.text(text))
        guard masked != text else { return body }
        guard unicode == nil else { return Data(masked.drop { $0 == "\u{FEFF}" }.utf8) }
        // Each character of Latin-1 is one byte. Only masks contain other characters.
        return masked.unicodeScalars.reduce(into: Data()) { data, scalar in
            if let byte = UInt8(exactly: scalar.value) { data.append(byte) } else { data += Data(String(scalar).utf8) }
        }
    }

    /// Returns the start of a body for reports of differences, in one line.
    package func excerpt(of body: Data, type: String) -> String {
        guard body.count <= CassetteRedaction.maxExcerpt, let text = String(validUTF8: self.body(body, type: type, isAnswer: false)),
            !text.utf8.contains(0)
        else { return "\(body.count) bytes" }
        return Redaction.visible(Redaction.cut(text, 200))
    }

    /// The maximum number of nested multipart bodies that are parsed.
    private static let maxDepth = 8

    /// The maximum size in bytes of a body in a report.
    private static let maxExcerpt = 65_536
}

extension MediaType {
    fileprivate var isText: Bool {
        type == "text" || isJSON || ["xml", "javascript", "x-www-form-urlencoded", "graphql", "yaml"].contains(subtype)
            || subtype.hasSuffix("+xml")
    }
}

/// The parts of a multipart body (RFC 2046 §5.1.1), whose lines may end without CR.
private struct MaskedParts {
    private let body: Data
    private let delimiter: Data
    /// The starts of the delimiter lines.
    private var marks: [Int] = []

    /// - Parameter boundary: The declared boundary. If no line begins with it, the boundary is taken from the first line of the body, or
    ///   from the first line with two hyphens that a `Content-…` field follows.
    /// - Returns: Nil if the body has no parts.
    init?(_ body: Data, boundary: String?) {
        self.body = Data(body)
        let declared = boundary.map { Data("--\($0)".utf8) } ?? Data()
        let isDeclared = declared.count > 2 && MaskedParts.marks(of: declared, in: self.body).isEmpty == false
        delimiter = isDeclared ? declared : MaskedParts.delimiter(of: self.body)
        guard delimiter.count > 2, delimiter.starts(with: "--".utf8), !delimiter.starts(with: "-----BEGIN ".utf8) else { return nil }
        marks = MaskedParts.marks(of: delimiter, in: self.body)
    }

    private static func delimiter(of body: Data) -> Data {
        let lines = body.split(separator: 0x0A, maxSplits: 1_000, omittingEmptySubsequences: false).map { line in
            line.prefix { $0 != 0x0D }
        }
        guard let first = lines.first, !first.starts(with: "--".utf8) else { return lines.first ?? Data() }
        let place = zip(lines, lines.dropFirst()).first { line, next in
            line.starts(with: "--".utf8) && next.prefix(8).elementsEqual("content-".utf8) { Token.lowercased($0) == $1 }
        }
        return place?.0 ?? Data()
    }

    private static func marks(of delimiter: Data, in body: Data) -> [Int] {
        var marks: [Int] = [], rest = body[...]
        while rest.count >= delimiter.count {
            if rest.starts(with: delimiter) { marks.append(rest.startIndex) }
            guard let end = rest.firstIndex(of: 0x0A) else { break }
            rest = rest[(end + 1)...]
        }
        return marks
    }

    func masked(by redaction: CassetteRedaction, isAnswer: Bool, depth: Int) -> Data {
        var result = redaction.body(body[..<marks[0]], type: "text/plain", isAnswer: isAnswer, depth: depth)
        for (start, end) in zip(marks, marks.dropFirst() + [body.endIndex]) {
            let content = start + delimiter.count
            result += delimiter
            if body[content..<end].starts(with: "--".utf8) {
                result += redaction.body(body[content..<end], type: "text/plain", isAnswer: isAnswer, depth: depth)
            } else {
                result += part(body[content..<end], redaction, isAnswer, depth)
            }
        }
        return result
    }

    /// Returns a part with the line ending after its delimiter.
    private func part(_ part: Data, _ redaction: CassetteRedaction, _ isAnswer: Bool, _ depth: Int) -> Data {
        let lines = part.split(separator: 0x0A, maxSplits: Int.max, omittingEmptySubsequences: false)
        guard let blank = lines.dropFirst().dropLast().firstIndex(where: { $0.isEmpty || $0.elementsEqual([0x0D]) }) else {
            return redaction.body(part, type: "text/plain", isAnswer: isAnswer, depth: depth)
        }
        var head = HTTPFields()
        let fields = lines[1..<blank].map { line in redaction.fieldLine(String(decoding: line, as: UTF8.self), into: &head) }
        let content = part[(lines[blank].endIndex + 1)...]
        let end = content.hasSuffix([0x0D, 0x0A]) ? 2 : content.hasSuffix([0x0A]) ? 1 : 0
        let masked =
            redaction.isSecretPart(head)
            ? Data((content.count > end ? Redaction.mask : "").utf8)
            : redaction.body(content.dropLast(end), type: head[.contentType] ?? "", isAnswer: isAnswer, depth: depth)
        var result = lines[0] + [0x0A]
        for field in fields { result += Data(field.utf8) + [0x0A] }
        return result + lines[blank] + [0x0A] + masked + content.suffix(end)
    }
}

extension Data {
    fileprivate func hasSuffix(_ bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}

extension CassetteRedaction {
    /// Returns a line of a part's head with its secrets masked, and adds it to `head`.
    fileprivate func fieldLine(_ line: String, into head: inout HTTPFields) -> String {
        guard let colon = line.firstIndex(of: ":") else { return text(line) }
        let content = line[line.index(after: colon)...].trimmingWhitespace.prefix { $0 != "\r" }
        head.append(HTTPFieldName(String(line[..<colon])), String(content))
        let masked = head.last.map(value) ?? ""
        return masked == content ? line : "\(line[...colon]) \(masked)\(line.hasSuffix("\r") ? "\r" : "")"
    }

    /// Whether `Content-Disposition` names a secret, also in `name*` (RFC 8187). Without a readable name, a part of a form counts as
    /// secret.
    fileprivate func isSecretPart(_ head: HTTPFields) -> Bool {
        guard let field = head[.contentDisposition] else { return false }
        guard let disposition = ContentDisposition(field) else { return true }
        let names = disposition.parameters.filter { ["name", "name*"].contains($0.name) }
        // Malformed parameters, which the parser ignored.
        let text = field.lowercased().replacing("filename", with: "")
        if text.contains("name*"), !names.contains(where: { $0.name == "name*" }) { return true }
        if names.isEmpty { return text.contains("name") || disposition.type == "form-data" }
        return names.contains { redactor(.request).isSecret($0.value) }
    }
}
