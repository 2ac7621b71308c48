/// What a message or a part says of how its content is to be taken, and under which name (RFC 6266, RFC 7578 §4.2).
///
/// ```swift
/// let disposition = ContentDisposition("attachment; filename=\"rates.txt\"; filename*=UTF-8''%e2%82%ac%20rates.txt")
/// disposition?.filename     // "€ rates.txt"
/// disposition?.safeFilename // the same, fit to be a file's name
/// ```
///
/// ``filename`` is what the sender wrote: it may be `../../.profile`. Only ``safeFilename`` is fit for a disk.
public struct ContentDisposition: Sendable, Hashable {
    /// The disposition, in lower case: `attachment`, `inline`, `form-data`.
    public let type: String
    /// The parameters in order, each name once. An extended one (RFC 8187) keeps the star in its name and has its value decoded.
    public let parameters: [Parameter]

    /// A parameter: `filename=rates.txt`.
    public typealias Parameter = FieldParameter

    /// Reads a field's value; nil when its type is missing or not a token.
    ///
    /// A parameter that is malformed, or in another charset than UTF-8 and ISO-8859-1, is left out. Of two of one name the first counts.
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

    /// The value of a parameter, the extended form (`name*`) before the plain one; nil when there is none.
    public subscript(name: String) -> String? { plain(name + "*") ?? plain(name) }

    /// The name of a form's field. Browsers write `"`, CR and LF in it as `%22`, `%0D` and `%0A`, and it stays so: a `%22` that somebody
    /// typed looks the same.
    public var name: String? { plain("name") }

    /// The name that the sender gives the file, as it is: `filename*` before `filename` (RFC 6266 §4.3).
    public var filename: String? { self["filename"] }

    /// The sender's name for the file, made safe (see ``safeFilename(_:)``); nil when there is none, or nothing is left of it.
    public var safeFilename: String? { filename.flatMap(ContentDisposition.safeFilename) }

    private func plain(_ name: String) -> String? { parameters.first(named: name) }
}
