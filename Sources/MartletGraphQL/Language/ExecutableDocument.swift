/// The syntax tree of a document with operations and fragments (GraphQL, September 2025, §2.2).
package struct ExecutableDocument: Sendable, Hashable {
    package let operations: [OperationDefinition]
    package let fragments: [FragmentDefinition]
    private let text: String

    /// Parses a document in linear time.
    ///
    /// - Throws: What was expected and what was found, with line and column, also if the document exceeds `limits`. Definitions and uses of
    ///   names are not checked here: see `DocumentRules`.
    package static func parse(_ text: String, limits: SyntaxLimits = SyntaxLimits()) throws(GraphQLSyntaxError) -> ExecutableDocument {
        var parser = try DocumentParser(text, limits: limits)
        let (operations, fragments) = try parser.document()
        return ExecutableDocument(operations: operations, fragments: fragments, text: text)
    }

    // Comparing the texts suffices, and comparing deep trees could exceed the stack of a small thread.
    package static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

package struct OperationDefinition: Sendable, Hashable {
    package let kind: GraphQLOperationKind
    package let name: String?
    package let variables: [VariableDefinition]
    package let directives: [Directive]
    package let selectionSet: SelectionSet
    /// The position of the operation type, or of the selection set if the type is omitted.
    package let place: SourcePlace

    package var line: Int { place.line }
    package var column: Int { place.column }
}

package struct FragmentDefinition: Sendable, Hashable {
    package let name: String
    package let typeCondition: String
    package let directives: [Directive]
    package let selectionSet: SelectionSet
    /// The position of the word `fragment`.
    package let place: SourcePlace
    /// The position of the type's name.
    package let typePlace: SourcePlace
}

package struct VariableDefinition: Sendable, Hashable {
    /// The name without `$`.
    package let name: String
    package let type: TypeReference
    package let defaultValue: ValueLiteral?
    package let directives: [Directive]
    /// The position of `$`.
    package let place: SourcePlace
    /// The position of the type.
    package let typePlace: SourcePlace
}

/// The type of a variable, such as `[ID!]!`.
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
    /// The name without `@`.
    package let name: String
    package let arguments: [Argument]
    /// The position of `@`.
    package let place: SourcePlace
}

package struct Argument: Sendable, Hashable {
    package let name: String
    package let value: ValueLiteral
    /// The position of the name.
    package let place: SourcePlace

    package init(name: String, value: ValueLiteral, place: SourcePlace) {
        self.name = name
        self.value = value
        self.place = place
    }
}

/// A literal value in a document.
package indirect enum ValueLiteral: Sendable, Hashable {
    /// The name, and the position of `$`.
    case variable(String, SourcePlace)
    /// The digits as written.
    case integer(String)
    /// The digits as written.
    case float(String)
    /// The value, without quotes, escapes and indentation.
    case string(String)
    case boolean(Bool)
    case null
    case enumeration(String)
    case list([ValueLiteral])
    /// The members in the order of the text.
    case object([Argument])
}

package struct SelectionSet: Sendable, Hashable {
    package let selections: [Selection]
    /// The position of `{`. Text is inserted after the byte at `openBrace.offset`.
    package let openBrace: SourcePlace
}

package enum Selection: Sendable, Hashable {
    case field(FieldSelection)
    case spread(FragmentSpread)
    case inline(InlineFragment)

    package var directives: [Directive] {
        switch self {
        case .field(let field): field.directives
        case .spread(let spread): spread.directives
        case .inline(let fragment): fragment.directives
        }
    }

    /// The nested selection set.
    package var selectionSet: SelectionSet? {
        switch self {
        case .field(let field): field.selectionSet
        case .spread: nil
        case .inline(let fragment): fragment.selectionSet
        }
    }
}

package struct FieldSelection: Sendable, Hashable {
    package let alias: String?
    package let name: String
    package let arguments: [Argument]
    package let directives: [Directive]
    package let selectionSet: SelectionSet?
    package let place: SourcePlace

    /// The name of the field in the response.
    package var responseKey: String { alias ?? name }
}

package struct FragmentSpread: Sendable, Hashable {
    package let name: String
    package let directives: [Directive]
    /// The position of `...`.
    package let place: SourcePlace
}

package struct InlineFragment: Sendable, Hashable {
    package let typeCondition: String?
    package let directives: [Directive]
    package let selectionSet: SelectionSet
    /// The position of `...`.
    package let place: SourcePlace
    /// The position of the type's name, or of `...` without one.
    package let typePlace: SourcePlace
}

extension SelectionSet {
    /// Calls `body` with each selection, nested ones included, in the order of the text.
    package func forEachSelection(_ body: (Selection) -> Void) {
        var waiting = Array(selections.reversed())
        while let selection = waiting.popLast() {
            body(selection)
            if let below = selection.selectionSet { waiting += below.selections.reversed() }
        }
    }
}

extension ValueLiteral {
    /// Calls `body` with each variable in the value, in the order of the text.
    package func forEachVariable(_ body: (String, SourcePlace) -> Void) {
        var waiting = [self]
        while let value = waiting.popLast() {
            switch value {
            case .variable(let name, let place): body(name, place)
            case .list(let elements): waiting += elements.reversed()
            case .object(let members): waiting += members.reversed().map(\.value)
            case .integer, .float, .string, .boolean, .null, .enumeration: break
            }
        }
    }
}

/// The kind of an operation (GraphQL, September 2025, §2.3).
public enum GraphQLOperationKind: String, Sendable, Hashable, CaseIterable {
    /// A query, which reads data without side effects.
    case query
    /// A mutation, which changes data and then reads it.
    case mutation
    /// A subscription, which delivers data for each event.
    case subscription
}
