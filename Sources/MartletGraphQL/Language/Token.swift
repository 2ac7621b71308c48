/// A lexical token of a document (GraphQL, September 2025, §2.1.6).
struct Token: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case punctuator, name, integer, float, string
        /// A character that begins no token.
        case stray
        case end
    }

    let kind: Kind
    /// The value of a string, or the source text of any other token.
    let text: String
    let place: SourcePlace

    func isPunctuator(_ text: String) -> Bool { kind == .punctuator && self.text == text }

    func isName(_ text: String) -> Bool { kind == .name && self.text == text }

    /// The description of the token in error messages.
    var found: String {
        switch kind {
        case .end: "the end of the document"
        case .string: "a string"
        case .stray where text == "'": "\"'\" (strings are written in double quotes)"
        case .punctuator, .name, .integer, .float, .stray: Self.quoted(text)
        }
    }

    /// Quotes a text for an error message. Long texts are truncated, and invisible characters are shown as code points.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars, limit = 40
        let shown = scalars.prefix(limit).map { scalar in
            isVisible(scalar) ? String(scalar) : "U+" + hexadecimal(scalar.value)
        }
        return "\"\(shown.joined())\(scalars.dropFirst(limit).isEmpty ? "" : "…")\""
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse: scalar == " "
        default: true
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
