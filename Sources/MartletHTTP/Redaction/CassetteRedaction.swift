package import MartletEssentials

/// The rules by which secrets in a recording are masked before it is written.
///
/// Recordings are often committed to repositories, where others can read them.
///
/// ```swift
/// RecordingOptions(redacting: .standard.hiding("email", "iban"))
/// RecordingOptions(redacting: .standard.replacing { $0.replacing("Ada", with: "‹name›") })
/// ```
///
/// ``standard`` masks
/// - the values of `Authorization` and `Proxy-Authorization`, of fields for keys and tokens, of fields marked with `markAsCredential`, and
///   of fields with secret names;
/// - the values of `Cookie` and `Set-Cookie`, but not names and attributes;
/// - user and password of URLs, and in queries, forms, multipart forms and JSON the values with secret names such as `token`, `password`,
///   `session` and `signature`, on every level and in JSON within a JSON string;
/// - in other texts the text after such a name: a quoted value, or the rest of the line. In XML and HTML, it masks the element whose tag
///   has the name, and the value after `<name>password</name>`. Broken JSON with such a name is masked completely;
/// - JSON Web Tokens, Basic credentials, keys with the prefix of a known service, such as `AKIA…`, `ghp_…`, `sk_live_…` and `xoxb-…`, and
///   the secret part of the URL of a hook.
///
/// In a response, a masked string becomes `‹redacted›`, a number 0 and a Boolean false, so that the response can still be decoded. Null and
/// empty strings are kept. In a replay, `‹redacted›` in a request matches any value.
///
/// Text without a structure is read up to 1 MiB, and the rest of it is masked.
///
/// Bodies that are not text are written **unchanged**, because a replay needs them: images, archives, compressed or encrypted bodies.
/// Base64 in a member with a harmless name is not decoded. Your own names and secrets in prose are not recognised. Declare them with
/// `hiding(_:)` and ``replacing(_:)``, and check recordings before you commit them.
public struct CassetteRedaction: Sendable {
    private var names: Set<String> = []
    private var replacements: [@Sendable (String) -> String] = []
    private let isStandard: Bool

    private init(isStandard: Bool) { self.isStandard = isStandard }

    /// Masks credentials, and values whose names indicate a secret, such as `token` and `password`.
    public static var standard: Self { Self(isStandard: true) }

    /// Masks nothing, so that passwords, tokens and cookies are written unchanged. For files that never leave the machine.
    public static var writingSecrets: Self { Self(isStandard: false) }

    /// Returns the redaction with additional names of header fields, query items, form fields and JSON members to mask. Case is ignored.
    public func hiding(_ names: String...) -> Self { hiding(names) }

    /// Returns the redaction with additional names of header fields, query items, form fields and JSON members to mask. Case is ignored.
    public func hiding(_ names: [String]) -> Self {
        var redaction = self
        redaction.names.formUnion(names.map { $0.lowercased() })
        return redaction
    }

    /// Returns the redaction with a closure that replaces secrets in URLs, field values, text bodies and explanations of errors.
    ///
    /// It is called after all other masking, with the text to write. It must keep JSON valid.
    public func replacing(_ replace: @escaping @Sendable (String) -> String) -> Self {
        var redaction = self
        redaction.replacements.append(replace)
        return redaction
    }

    // MARK: URLs and fields

    /// The mask for places that allow only characters of URLs.
    package static let maskInURL = PercentEncoding.escapeForm(Redaction.mask)

    private func redactor(_ style: Redactor.Style) -> Redactor { Redactor(names: names, isStandard: isStandard, style: style) }

    /// Returns a URL without its fragment, which is never sent.
    package func url(_ text: String) -> String { replaced(redactor(.request).address(text.prefix { $0 != "#" })) }

    package func value(of field: HTTPField) -> String {
        let isNamed = redactor(.request).isNamed(field.name.rawName)
        return replaced(isNamed ? Redaction.mask : isStandard ? masked(field) : field.value)
    }

    private func masked(_ field: HTTPField) -> String {
        switch field.name {
        case .cookie: return field.value.split(separator: ";").map { cookie($0.trimmingWhitespace) }.joined(separator: "; ")
        case .setCookie:
            let parts = field.value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            return cookie(parts.first ?? "") + (parts.count > 1 ? ";" + text(String(parts[1])) : "")
        case _ where field.isCredential: return Redaction.mask
        case "WWW-Authenticate", "Proxy-Authenticate": return challenges(field.value)
        case .location, .contentLocation, "Referer": return redactor(.request).address(field.value)
        default: return text(field.value)
        }
    }

    /// Returns challenges (RFC 9110 §11.6.1) that a client can still read, except for parameters with a secret name.
    private func challenges(_ value: String) -> String {
        var isHidden = false, isQuoted = false
        return value.split(separator: ",", omittingEmptySubsequences: false).compactMap { part in
            let goesOn = isQuoted
            if !part.unicodeScalars.count(where: { $0 == "\"" }).isMultiple(of: 2) { isQuoted.toggle() }
            if goesOn { return isHidden ? nil : text(String(part)) }
            let name = part.prefix { $0 != "=" }
            guard name.endIndex < part.endIndex else { return text(String(part)) }
            isHidden = redactor(.request).isSecret(name.split(separator: " ").last ?? "")
            return name + (isHidden ? "=" + Redaction.mask : text(String(part[name.endIndex...])))
        }.joined(separator: ",")
    }

    /// Returns `name=value` with the value masked. A word without a `=` may be a secret itself and is masked.
    private func cookie(_ pair: some StringProtocol) -> String {
        guard let mark = pair.firstIndex(of: "=") else { return Redaction.mask }
        return pair[pair.index(after: mark)...].isEmpty ? String(pair) : pair[...mark] + Redaction.mask
    }

    // MARK: Texts

    /// Returns a text of unknown structure with secrets masked.
    func text(_ text: String) -> String { redactor(.request).text(text) }

    /// Returns the explanation of an error with secrets masked.
    package func words(_ words: String) -> String { replaced(text(words)) }

    func replaced(_ text: String) -> String { replacements.reduce(text) { $1($0) } }

    private var isNothing: Bool { !isStandard && names.isEmpty && replacements.isEmpty }

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
