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
