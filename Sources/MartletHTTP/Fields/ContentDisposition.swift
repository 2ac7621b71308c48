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
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case.
        public let name: String
        /// The value, unquoted and decoded.
        public let value: String
    }

    /// Reads a field's value; nil when its type is missing or not a token.
    ///
    /// A parameter that is malformed, or in another charset than UTF-8 and ISO-8859-1, is left out. Of two of one name the first counts.
    public init?(_ text: some StringProtocol) {
        var scanner = DispositionScanner(text)
        guard let type = scanner.token() else { return nil }
        self.type = type.lowercased()
        var parameters: [Parameter] = [], names: Set<String> = []
        while scanner.skipToParameter() {
            guard let (name, value) = scanner.parameter(), names.insert(name).inserted else { continue }
            parameters.append(Parameter(name: name, value: value))
        }
        // What follows the type must be its parameters: “attachment rates.txt” is nothing that can be understood.
        guard scanner.wasWellSeparated else { return nil }
        self.parameters = parameters
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

    private func plain(_ name: String) -> String? { parameters.first { $0.name.equalsIgnoringCase(name) }?.value }
}

/// Goes through the value of a `Content-Disposition` field, byte by byte.
private struct DispositionScanner {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether nothing but white space stood between the type and what follows it.
    private(set) var wasWellSeparated = true
    private var isFirst = true

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipWhitespace()
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhitespace() { while let byte = next, Token.isWhitespace(byte) { position += 1 } }

    mutating func token() -> String? {
        let start = position
        while let byte = next, Token.contains(byte) { position += 1 }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Goes past the next semicolon that is not quoted; false when there is none.
    mutating func skipToParameter() -> Bool {
        skipWhitespace()
        if isFirst, next != nil, next != UInt8(ascii: ";") { wasWellSeparated = false }
        isFirst = false
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: ";") {
                skipWhitespace()
                return true
            }
            if byte == UInt8(ascii: "\"") { _ = quotedRest() }
        }
        return false
    }

    /// A parameter, its name in lower case; nil when it is malformed. What is left of it is for `skipToParameter`.
    mutating func parameter() -> (name: String, value: String)? {
        guard let name = token()?.lowercased() else { return nil }
        skipWhitespace()
        guard next == UInt8(ascii: "=") else { return nil }
        position += 1
        skipWhitespace()
        guard let value = name.hasSuffix("*") ? token().flatMap(ExtendedValue.decode) : value() else { return nil }
        skipWhitespace()
        guard next == nil || next == UInt8(ascii: ";") else { return nil }
        return (name, value)
    }

    private mutating func value() -> String? {
        guard next == UInt8(ascii: "\"") else { return token() }
        position += 1
        return quotedRest()
    }

    /// The rest of a quoted string whose opening quote has been read; nil when it is not closed.
    private mutating func quotedRest() -> String? {
        var value: [UInt8] = []
        while var byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return nil }
                position += 1
                byte = escaped
            }
            value.append(byte)
        }
        return nil
    }
}
