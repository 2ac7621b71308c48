/// The interpolation of a document or fragment literal, which accepts fragments, and text marked `raw:`, but no values.
///
/// Pass values as variables, not in the text. `\(raw:)` is the explicit opt-out.
public struct GraphQLInterpolation: StringInterpolationProtocol {
    var text = ""
    private(set) var fragments: [GraphQLFragment] = []
    private var endsWithSpread = false

    /// Creates an empty text, to which Swift appends the parts of a literal.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Appends literal text.
    public mutating func appendLiteral(_ literal: String) {
        guard let first = literal.utf8.first else { return }
        // Without a space, a name that follows would extend the fragment's name.
        if endsWithSpread, first.isNameContinue { text += " " }
        endsWithSpread = false
        text += literal
    }

    /// Spreads a fragment, and sends its definition with the document. If the text already ends with `...`, the dots are not repeated.
    public mutating func appendInterpolation(_ fragment: GraphQLFragment) {
        if !text.hasSuffix("...") { text += "..." }
        text += fragment.name
        endsWithSpread = true
        fragments.append(fragment)
    }

    /// Appends text to the document unchanged, without checking it. Never use it for user input.
    public mutating func appendInterpolation(raw part: String) { appendLiteral(part) }

    /// Unavailable, because a value in the text could change the meaning of the document. Use a variable.
    @available(*, unavailable, message: "a document's values are variables; a part of its text is \\(raw: …)")
    public mutating func appendInterpolation<Value>(_ value: Value) {}
}
