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
    public init?(_ text: some StringProtocol) {
        var reader = FieldReader(text)
        reader.skip(while: Token.isWhitespace)
        guard let type = reader.token() else { return nil }
        reader.skip(while: Token.isWhitespace)
        let parameters = reader.parameters { name, reader in
            name.hasSuffix("*") ? reader.token().flatMap(ExtendedValue.decode) : reader.quoted { $0.token() }
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
}
