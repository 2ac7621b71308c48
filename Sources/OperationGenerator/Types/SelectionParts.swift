internal import MartletGraphQL
internal import MartletGraphQLSchema

/// A selection set of an object, and the conditions under which it is in the response: directives such as `include(if: $x)`.
struct SelectionSource {
    let set: SelectionSet
    let type: String
    let conditions: Set<String>
}

/// What the selection sets of an object select, sorted by how it is represented in Swift.
struct SelectionParts {
    struct Field {
        let key: String
        /// The selections, each with the type that it is on: an object's field can also be selected on an interface, where it may have a
        /// wider type.
        var selections: [(field: FieldSelection, parent: String, conditions: Set<String>)]

        /// Whether the response may lack the field.
        var isConditional: Bool { selections.allSatisfy { !$0.conditions.isEmpty } }

        /// The selection sets below the field, with the conditions that remain if the field is in the response.
        ///
        /// - Parameter types: The type of each selection's field.
        func sources(types: [String]) -> [SelectionSource] {
            let shared = selections.dropFirst().reduce(selections[0].conditions) { $0.intersection($1.conditions) }
            return zip(selections, types).compactMap { selected, type in
                selected.field.selectionSet.map {
                    SelectionSource(set: $0, type: type, conditions: selected.conditions.subtracting(shared))
                }
            }
        }
    }

    /// A fragment that applies to some of the types.
    struct Narrowing {
        enum Content {
            case inline(SelectionSet)
            /// The name, and the offset of the spread.
            case spread(String, Int)
        }

        let content: Content
        let type: String
        let possible: Set<String>
        let conditions: Set<String>
    }

    private(set) var fields: [Field] = []
    private(set) var spreads: [(name: String, conditions: [Set<String>], places: [Int])] = []
    private(set) var narrowings: [Narrowing] = []
    private var indices: [String: Int] = [:]
    private var spreadIndices: [String: Int] = [:]
    private let possible: Set<String>
    private let schema: GraphQLSchema
    private let fragments: [String: FragmentDefinition]

    /// - Parameter possible: The object types that the object may have.
    init(_ sources: [SelectionSource], possible: Set<String>, schema: GraphQLSchema, fragments: [String: FragmentDefinition]) {
        self.possible = possible
        self.schema = schema
        self.fragments = fragments
        for source in sources { visit(source.set, source.type, source.conditions) }
    }

    /// Adds fragments that apply to all types now.
    mutating func add(_ narrowing: Narrowing) {
        switch narrowing.content {
        case .inline(let set): visit(set, narrowing.type, narrowing.conditions)
        case .spread(let name, let offset): add(spread: name, narrowing.conditions, offset)
        }
    }

    private mutating func visit(_ set: SelectionSet, _ type: String, _ conditions: Set<String>) {
        for selection in set.selections {
            let conditions = conditions.union(selection.directives.compactMap(Self.condition))
            switch selection {
            case .field(let field): add(field, type, conditions)
            case .spread(let spread):
                guard let fragment = fragments[spread.name] else { continue }
                add(.spread(spread.name, spread.place.offset), fragment.typeCondition, conditions)
            case .inline(let fragment): add(.inline(fragment.selectionSet), fragment.typeCondition ?? type, conditions)
            }
        }
    }

    private mutating func add(_ field: FieldSelection, _ type: String, _ conditions: Set<String>) {
        if let index = indices[field.responseKey] {
            fields[index].selections.append((field, type, conditions))
        } else {
            indices[field.responseKey] = fields.count
            fields.append(Field(key: field.responseKey, selections: [(field, type, conditions)]))
        }
    }

    private mutating func add(_ content: Narrowing.Content, _ type: String, _ conditions: Set<String>) {
        let types = schema.objects(of: type), narrowing = Narrowing(content: content, type: type, possible: types, conditions: conditions)
        if possible.isSubset(of: types) { return add(narrowing) }
        if !possible.isDisjoint(with: types) { narrowings.append(narrowing) }
    }

    private mutating func add(spread name: String, _ conditions: Set<String>, _ offset: Int) {
        if let index = spreadIndices[name] {
            spreads[index].conditions.append(conditions)
            spreads[index].places.append(offset)
        } else {
            spreadIndices[name] = spreads.count
            spreads.append((name, [conditions], [offset]))
        }
    }

    /// Returns the condition that a directive adds, or nil if the selection is always in the response.
    private static func condition(_ directive: Directive) -> String? {
        guard ["include", "skip", "defer"].contains(directive.name) else { return nil }
        switch directive.arguments.first(where: { $0.name == "if" })?.value {
        case .boolean(let value) where value == (directive.name == "include"): return nil
        case .variable(let name, _): return "\(directive.name) $\(name)"
        // Each deferred part arrives by itself.
        case .boolean, nil: return "\(directive.name) at \(directive.place.offset)"
        default: return directive.name
        }
    }
}

extension GraphQLSchema {
    /// Returns the object types that a value of a composite type may have.
    func objects(of name: String) -> Set<String> { types[name]?.kind == .object ? [name] : possibleTypes(of: name) }
}
