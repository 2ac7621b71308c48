/// The variables that a GraphQL document declares. `login(password: $password)` has the name of a secret, and no secret.
///
/// A text that only resembles a document declares none.
struct GraphQLVariables {
    private var names: Set<ArraySlice<UInt8>> = []

    /// Reads a document once. It begins with the keyword of its first operation or fragment: without one, it can't have variables.
    init(in text: ArraySlice<UInt8>) {
        let first = text.prefix(GraphQLVariables.maxKeywordLength).prefix(while: GraphQLVariables.isInName)
        guard GraphQLVariables.keywords.contains(where: { first.elementsEqual($0.utf8) }) else { return }
        var rest = text
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            let name = text[(dollar + 1)...].prefix(while: GraphQLVariables.isInName)
            rest = text[name.endIndex...]
            let sign = rest.prefix(GraphQLVariables.maxSpaces).first { !ProseMasking.isSpace($0) }
            if sign == UInt8(ascii: ":") { names.insert(name) }
        }
    }

    func contains(_ name: ArraySlice<UInt8>) -> Bool { names.contains(name) }

    /// Whether a text has the declaration of a variable with this type, without a default value.
    func declares(_ name: ArraySlice<UInt8>, as type: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Bool {
        contains(name) && text[type.endIndex...].first.map { "),$\r\n".utf8.contains($0) } == true
    }

    static func isInName(_ byte: UInt8) -> Bool { Token.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }

    /// Whether a byte may belong to a type, such as `[String!]!`, or follow it.
    static func isInType(_ byte: UInt8) -> Bool { isInName(byte) || "![] ".utf8.contains(byte) }

    private static let keywords = ["fragment", "mutation", "query", "subscription"]
    private static let maxKeywordLength = 16
    /// The maximum number of spaces between a variable's name and its colon.
    private static let maxSpaces = 16
}
