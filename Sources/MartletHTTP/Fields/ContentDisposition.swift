/// How to present the content of a message or part, and its file name (RFC 6266, RFC 7578 §4.2).
///
/// ```swift
/// let disposition = ContentDisposition("attachment; filename=\"rates.txt\"; filename*=UTF-8''%e2%82%ac%20rates.txt")
/// disposition?.filename     // "€ rates.txt"
/// disposition?.safeFilename // the name made safe for a file system
/// ```
///
/// ``filename`` is unchanged from the sender and may be `../../.profile`. Use only ``safeFilename`` to create a file.
public struct ContentDisposition: Sendable, Hashable {
    /// The disposition, in lower case, such as `attachment`, `inline` or `form-data`.
    public let type: String
    /// The parameters in order, each name once. An extended parameter (RFC 8187) keeps the `*` in its name, and its value is decoded.
    public let parameters: [Parameter]

    /// A parameter of the disposition, such as `filename=rates.txt`.
    public typealias Parameter = FieldParameter

    /// Creates a disposition from the value of a `Content-Disposition` field, or returns nil if it is malformed.
    ///
    /// Parameters that are malformed or in a charset other than UTF-8 and ISO-8859-1 are ignored. If a name occurs twice, the first counts.
    /// Two common mistakes are read: a `filename` with spaces and without quotes, up to the next semicolon, and `utf8` for UTF-8.
    public init?(_ text: some StringProtocol) {
        var reader = FieldReader(text)
        reader.skip(while: Token.isWhitespace)
        guard let type = reader.token() else { return nil }
        reader.skip(while: Token.isWhitespace)
        let parameters = reader.parameters { name, reader in
            if name.hasSuffix("*") { return reader.token().flatMap(ExtendedValue.decode) }
            return reader.quoted { name == "filename" ? $0.unquotedText() : $0.token() }
        }
        // Only parameters may follow the type: “attachment rates.txt” is malformed.
        guard reader.isAtEnd else { return nil }
        var names: Set<String> = []
        self.type = type.lowercased()
        self.parameters = parameters.filter { names.insert($0.name).inserted }
    }

    /// The value of the parameter with this name, in its extended form (`name*`) if there is one, or nil.
    public subscript(name: String) -> String? { plain(name + "*") ?? plain(name) }

    /// The name of a form field as it was sent, or nil.
    ///
    /// Browsers write `"`, CR and LF in it as `%22`, `%0D` and `%0A`. They are not decoded, because a user may have typed `%22`.
    public var name: String? { plain("name") }

    /// The file name as the sender gave it (`filename*`, otherwise `filename`), unsafe for file systems, or nil (RFC 6266 §4.3).
    public var filename: String? { self["filename"] }

    /// The file name made safe for file systems (``safeFilename(_:)``), or nil if the sender gave none or nothing remains of it.
    public var safeFilename: String? { filename.flatMap(ContentDisposition.safeFilename) }

    private func plain(_ name: String) -> String? { parameters.first(named: name) }

    /// Returns a safe file name made from a name of an untrusted source, or nil if nothing remains of it.
    ///
    /// Removes everything up to the last `/` or `\`; control, invisible and direction-changing characters (`txt.exe` shown as `exe.txt`);
    /// dots and spaces at the start (hidden files, `..`) and at the end. Replaces characters that are special to some file system or shell
    /// (`: * ? " < > |`, and a `-` at the start) with `_`. Shortens the name to at most 255 bytes of UTF-8, before the extension. The
    /// caller must check whether a file of that name exists.
    public static func safeFilename(_ name: String) -> String? {
        var scalars = Array(name.unicodeScalars)
        if let separator = scalars.lastIndex(where: { $0 == "/" || $0 == "\\" }) { scalars.removeSubrange(...separator) }
        scalars = scalars.filter { !isUnseen($0) }.map { isSpecial($0) ? "_" : $0 }
        scalars = Array(scalars.drop { $0 == "." || $0.properties.isWhitespace })
        if scalars.first == "-" { scalars[0] = "_" }
        scalars = shortened(withoutTail(scalars))
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// Returns the `Content-Disposition` of a form's part, escaped as browsers do (WHATWG HTML, “multipart/form-data encoding algorithm”).
    static func formData(name: String, filename: String?) -> String {
        "form-data; name=\"\(escaped(name))\"" + (filename.map { "; filename=\"\(escaped($0))\"" } ?? "")
    }

    private static func escaped(_ text: String) -> String {
        PercentEncoding.escape(text) { !"\"\r\n".utf8.contains($0) }
    }

    private static let longest = 255

    /// Shortens a name to the length that file systems allow, and keeps a short extension.
    private static func shortened(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard bytes(name[...]) > longest else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let ending = name[dot...]
        guard dot > 0, bytes(ending) <= 32 else { return withoutTail(prefix(name, longest)) }
        return withoutTail(prefix(Array(name[..<dot]), longest - bytes(ending))) + ending
    }

    private static func prefix(_ name: [Unicode.Scalar], _ limit: Int) -> [Unicode.Scalar] {
        var left = limit
        return Array(
            name.prefix { scalar in
                left -= UTF8.width(scalar)
                return left >= 0
            })
    }

    private static func withoutTail(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        Array(name.reversed().drop { $0 == "." || $0.properties.isWhitespace }.reversed())
    }

    private static func bytes(_ name: ArraySlice<Unicode.Scalar>) -> Int { name.reduce(0) { $0 + UTF8.width($1) } }

    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        ":*?\"<>|".unicodeScalars.contains(scalar)
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // The two joiners are part of words in some scripts, and of emoji.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}

extension FieldReader {
    /// Reads the text before the next semicolon, or returns nil if it is empty.
    fileprivate mutating func unquotedText() -> String? {
        let text = text { $0 != FieldReader.semicolon }
        return text.isEmpty ? nil : text
    }
}
