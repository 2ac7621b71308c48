/// A fragment that documents share: the text of its definition, and the fragments that it spreads itself.
///
/// ```swift
/// let person: GraphQLFragment = "fragment Person on User { id name }"
/// let hero: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { level \(person) } }"
/// ```
///
/// An interpolated fragment is spread there (`...Person`), and its definition is sent with the document, once. A literal never traps:
/// a text that can't be parsed, or that has an operation in it, is an error of each document that uses it.
public struct GraphQLFragment: Sendable, Hashable, CustomStringConvertible {
    /// It, then all that it brings with it, each text once: what comes of fragments inside each other never has to be looked for again.
    let parts: [FragmentPart]

    /// A fragment, and those that it spreads.
    ///
    /// - Parameters:
    ///   - text: A fragment's definition; more than one is fine, and then the first gives the name.
    ///   - fragments: Those that it spreads and that are not in `text`.
    public init(_ text: String, fragments: [GraphQLFragment] = []) {
        parts = FragmentPart.distinct([FragmentPart(text)] + fragments.flatMap(\.parts))
    }

    /// The fragment's name: as far as can be read, when the text can't be parsed, and empty when that is not so far.
    public var name: String { parts.first?.name ?? "" }

    /// The definition, as it was given, without those of other fragments.
    public var text: String { parts.first?.text ?? "" }

    /// The definition.
    public var description: String { text }
}

extension GraphQLFragment: ExpressibleByStringInterpolation {
    /// A fragment that spreads no other.
    public init(stringLiteral value: String) { self.init(value) }

    /// A fragment that spreads each interpolated one.
    public init(stringInterpolation: GraphQLInterpolation) {
        self.init(stringInterpolation.text, fragments: stringInterpolation.fragments)
    }
}

/// One text of definitions of fragments, parsed once.
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

    /// So that a document that spreads a fragment with a mistake in it fails with that mistake, and not with a name that is missing.
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

    // Byte for byte: two ways to write an accent are the same to a String, and may not be to a server.
    static func == (left: FragmentPart, right: FragmentPart) -> Bool { left === right || left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
