/// Puts a document or a fragment together from a literal with fragments in it.
///
/// Values never belong there: they are variables. `\(raw:)` is the loud way around this.
public struct GraphQLInterpolation: StringInterpolationProtocol {
    var text = ""
    private(set) var fragments: [GraphQLFragment] = []
    private var endsWithSpread = false

    /// An empty text.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Adds what is written.
    public mutating func appendLiteral(_ literal: String) {
        guard let first = literal.utf8.first else { return }
        // A name that follows at once would become a part of the fragment's.
        if endsWithSpread, first.isNameContinue { text += " " }
        endsWithSpread = false
        text += literal
    }

    /// Spreads a fragment, and sends its definition with the document. Dots that stand before it already are not repeated.
    public mutating func appendInterpolation(_ fragment: GraphQLFragment) {
        if !text.hasSuffix("...") { text += "..." }
        text += fragment.name
        endsWithSpread = true
        fragments.append(fragment)
    }

    /// Adds a part of the document as it is: never make it of what a user typed.
    public mutating func appendInterpolation(raw part: String) { appendLiteral(part) }

    /// Not there: a value in a document's text could change what the document does.
    @available(*, unavailable, message: "a document's values are variables; a part of its text is \\(raw: …)")
    public mutating func appendInterpolation<Value>(_ value: Value) {}
}
