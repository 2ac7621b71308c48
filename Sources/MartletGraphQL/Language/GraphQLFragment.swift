/// A fragment that documents can share, with its definition and the fragments that it spreads.
///
/// ```swift
/// let person: GraphQLFragment = "fragment Person on User { id name }"
/// let hero: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { level \(person) } }"
/// ```
///
/// Interpolating a fragment spreads it (`...Person`) and sends its definition with the document, once. A literal never traps: if the text
/// cannot be parsed or contains an operation, each document that uses it is invalid.
public struct GraphQLFragment: Sendable, Hashable, CustomStringConvertible {
    /// The fragment itself, then all fragments it needs, each text once. Flattened here so that nested fragments need no later traversal.
    let parts: [FragmentPart]

    /// Creates a fragment from its definition, which is parsed but never traps.
    ///
    /// - Parameters:
    ///   - text: The definition. If it has several, the first one gives the name.
    ///   - fragments: The fragments that `text` spreads but does not define. Default: none.
    public init(_ text: String, fragments: [GraphQLFragment] = []) {
        parts = FragmentPart.distinct([FragmentPart(text)] + fragments.flatMap(\.parts))
    }

    /// The name of the fragment, or an empty string if its text is invalid before the name.
    public var name: String { parts.first?.name ?? "" }

    /// The text of the fragment's definition, without those of other fragments.
    public var text: String { parts.first?.text ?? "" }

    /// The text of the fragment's definition.
    public var description: String { text }
}

extension GraphQLFragment: ExpressibleByStringInterpolation {
    /// Creates a fragment from a literal without interpolated fragments.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a fragment that spreads each interpolated fragment.
    public init(stringInterpolation: GraphQLInterpolation) {
        self.init(stringInterpolation.text, fragments: stringInterpolation.fragments)
    }
}

/// The text of one or several fragment definitions, parsed once.
final class FragmentPart: Sendable, Hashable {
    let text: String
    let name: String
    let problem: GraphQLSyntaxError?

    init(_ text: String) {
        self.text = text
        do throws(GraphQLSyntaxError) {
            let document = try ExecutableDocument.parse(text)
            name = document.fragments.first?.name ?? ""
            problem = document.operations.first.map { operation in
                GraphQLSyntaxError("expected a fragment, found an operation", at: operation.place)
            }
        } catch {
            name = Self.nameBeforeProblem(of: text)
            problem = error
        }
    }

    /// Returns the name in an invalid text, so that a document that spreads the fragment reports the fragment's error and not an undefined
    /// name.
    private static func nameBeforeProblem(of text: String) -> String {
        var lexer = Lexer(text)
        guard var token = try? lexer.next() else { return "" }
        if token.kind == .string { token = (try? lexer.next()) ?? token }
        guard token.isName("fragment"), let name = try? lexer.next(), name.kind == .name else { return "" }
        return name.text
    }

    static func distinct(_ parts: [FragmentPart]) -> [FragmentPart] {
        var seen: Set<FragmentPart> = []
        return parts.filter { seen.insert($0).inserted }
    }

    // Strings that are canonically equivalent may differ for a server, so the bytes are compared.
    static func == (left: FragmentPart, right: FragmentPart) -> Bool { left === right || left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

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
