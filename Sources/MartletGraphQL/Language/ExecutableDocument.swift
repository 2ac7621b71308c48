/// A document of operations and fragments, as it is written (GraphQL, September 2025, §2.2).
package struct ExecutableDocument: Sendable, Hashable {
    package let operations: [OperationDefinition]
    package let fragments: [FragmentDefinition]
    private let text: String

    /// Parses a document, in time that grows with its length alone.
    ///
    /// - Throws: What was expected and found instead, and where, also when the document is beyond `limits`. That names are defined
    ///   once, and where they are used, is not looked at: see `DocumentRules`.
    package static func parse(_ text: String, limits: SyntaxLimits = SyntaxLimits()) throws(GraphQLSyntaxError) -> ExecutableDocument {
        var parser = try DocumentParser(text, limits: limits)
        let (operations, fragments) = try parser.document()
        return ExecutableDocument(operations: operations, fragments: fragments, text: text)
    }

    // The text says it all, and comparing trees level by level may need more stack than a small thread has.
    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

package struct OperationDefinition: Sendable, Hashable {
    package let kind: GraphQLOperationKind
    package let name: String?
    package let variables: [VariableDefinition]
    package let directives: [Directive]
    package let selectionSet: SelectionSet
    /// Where its type is written, or its selection set when that is all there is.
    package let place: SourcePlace

    package var line: Int { place.line }
    package var column: Int { place.column }
}

package struct FragmentDefinition: Sendable, Hashable {
    package let name: String
    package let typeCondition: String
    package let directives: [Directive]
    package let selectionSet: SelectionSet
    /// Where the word `fragment` is written.
    package let place: SourcePlace
}

package struct VariableDefinition: Sendable, Hashable {
    /// Without its `$`.
    package let name: String
    package let type: TypeReference
    package let defaultValue: ValueLiteral?
    package let directives: [Directive]
    /// Where its `$` is written.
    package let place: SourcePlace
}

/// A variable's type, as `[ID!]!`.
package indirect enum TypeReference: Sendable, Hashable, CustomStringConvertible {
    case named(String)
    case list(TypeReference)
    case nonNull(TypeReference)

    package var description: String {
        switch self {
        case .named(let name): name
        case .list(let element): "[\(element)]"
        case .nonNull(let type): "\(type)!"
        }
    }
}

package struct Directive: Sendable, Hashable {
    /// Without its `@`.
    package let name: String
    package let arguments: [Argument]
    /// Where its `@` is written.
    package let place: SourcePlace
}

package struct Argument: Sendable, Hashable {
    package let name: String
    package let value: ValueLiteral

    package init(name: String, value: ValueLiteral) {
        self.name = name
        self.value = value
    }
}

/// A value that is written in a document.
package indirect enum ValueLiteral: Sendable, Hashable {
    /// The place is that of the `$`.
    case variable(String, SourcePlace)
    /// As it is written, with every digit.
    case integer(String)
    /// As it is written, with every digit.
    case float(String)
    /// What it says: without quotes, escapes and indentation.
    case string(String)
    case boolean(Bool)
    case null
    case enumeration(String)
    case list([ValueLiteral])
    /// In the order in which they are written.
    case object([Argument])
}
