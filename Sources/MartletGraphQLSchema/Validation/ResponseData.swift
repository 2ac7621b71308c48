package import MartletGraphQL

/// Checks the data of a response against the selections of its operation and their types (GraphQL, September 2025, §6.4 and §7.1.4).
package struct ResponseData {
    private let schema: GraphQLSchema
    private let fragments: [String: FragmentDefinition]
    private var found: [String] = []
    private var waiting: [Waiting] = []

    /// A value whose type is known, with the selections of an object.
    private struct Waiting {
        let value: JSONValue
        let type: TypeReference
        let sets: [TypedSet]
        /// The path of the value, such as `data.hero.friends[0]`.
        let path: String
    }

    /// A selection set with the type of its selections. Of the sets of one value, that on an interface may have a wider type.
    private struct TypedSet {
        let set: SelectionSet
        let type: String
    }

    /// A field of an object, from each of its selections.
    private struct SelectedField {
        /// The narrowest type.
        var type: TypeReference
        var sets: [TypedSet]
        /// Whether the object must have it: a selection has no `@skip`, `@include` or `@defer`, and surely applies to the object's type.
        var isRequired: Bool
    }

    /// Returns what the schema does not allow, at most 20 messages.
    ///
    /// - Parameters:
    ///   - operation: An operation of the document, which is valid.
    ///   - data: The value of `data` in the response. Null is allowed.
    package static func violations(
        of data: JSONValue, for operation: OperationDefinition, in document: ExecutableDocument, schema: GraphQLSchema
    ) -> [String] {
        guard data != .null, let root = schema.roots[operation.kind] else { return [] }
        var check = ResponseData(schema: schema, document)
        check.waiting = [Waiting(value: data, type: .named(root), sets: [TypedSet(set: operation.selectionSet, type: root)], path: "data")]
        while let next = check.waiting.popLast(), check.found.count < 20 { check.visit(next) }
        return check.found
    }

    private init(schema: GraphQLSchema, _ document: ExecutableDocument) {
        self.schema = schema
        fragments = Dictionary(document.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func visit(_ next: Waiting) {
        switch (next.type, next.value) {
        case (.nonNull(let type), .null): found.append("\(next.path) is null, but has the type \"\(type)!\"")
        case (.nonNull(let type), _): waiting.append(Waiting(value: next.value, type: type, sets: next.sets, path: next.path))
        case (_, .null): break
        case (.list(let element), .array(let values)):
            waiting += values.enumerated().reversed().map { index, value in
                Waiting(value: value, type: element, sets: next.sets, path: "\(next.path)[\(index)]")
            }
        case (.list, let value): found.append("\(next.path) is \(value.phrase), but has the type \"\(next.type)\"")
        case (.named(let name), let value):
            guard let type = schema.types[name] else { return }
            if type.isComposite { visit(value, type, next) } else { visit(value, type, next.path) }
        }
    }

    private mutating func visit(_ value: JSONValue, _ type: SchemaType, _ path: String) {
        if type.kind == .scalar {
            if !BuiltInScalar.accepts(value, as: type.name) {
                found.append("\(path) is \(value.phrase), but has the type \"\(type.name)\"")
            }
            return
        }
        guard case .string(let text) = value else {
            return found.append("\(path) is \(value.phrase), but has the type \"\(type.name)\"")
        }
        if type.values.contains(where: { $0.name == text }) { return }
        var hints = NameHints(type.values.map(\.name))
        found.append("\(path) is \(value.phrase), which is no value of the enum \"\(type.name)\"\(hints.text(for: text))")
    }

    private mutating func visit(_ value: JSONValue, _ type: SchemaType, _ next: Waiting) {
        guard case .object(let members) = value else {
            return found.append("\(next.path) is \(value.phrase), but has the type \"\(type.name)\"")
        }
        let possible = schema.possibleTypes(of: type.name), selected = selectedFields(in: next.sets, of: possible)
        let key = selected.first { $0.field.name == "__typename" }?.field.responseKey ?? "__typename"
        var concrete = type.kind == .object ? type.name : nil
        if let typename = members[key] {
            guard let name = typename.stringValue, possible.contains(name) else {
                var hints = NameHints(possible.sorted())
                let hint = hints.text(for: typename.stringValue ?? "")
                let message = "\(next.path).\(key) is \(typename.phrase), which is no type of \"\(type.name)\"\(hint)"
                return found.append(message)
            }
            concrete = name
        }
        let fields = fields(selected, of: possible, concrete)
        for key in fields.keys.sorted() where members[key] == nil && fields[key]?.isRequired == true {
            found.append("\(next.path) lacks \"\(key)\"")
        }
        var hints = NameHints(fields.keys.sorted()), inner: [Waiting] = []
        for (key, value) in members {
            if let field = fields[key] {
                inner.append(Waiting(value: value, type: field.type, sets: field.sets, path: "\(next.path).\(key)"))
            } else if key != "__typename" {
                found.append("\(next.path) has \(Token.quoted(key)), which is not selected\(hints.text(for: key))")
            }
        }
        waiting += inner.reversed()
    }

    // MARK: Selections

    /// A field in one of the sets of an object or in a fragment, with the type of the selection.
    private struct FoundField {
        let field: FieldSelection
        let parent: String
        /// The types of objects that have the field.
        let types: Set<String>
        /// Whether a directive may leave the field out.
        let isConditional: Bool
    }

    /// Returns the fields on the level of some sets, and those of fragments, that some of the possible types have.
    private func selectedFields(in sets: [TypedSet], of possible: Set<String>) -> [FoundField] {
        struct Level {
            let set: SelectionSet
            let parent: String
            let types: Set<String>
            let isConditional: Bool
        }
        struct Spread: Hashable {
            let fragment: String
            let types: Set<String>
            let isConditional: Bool
        }
        var waiting: [Level] = [], spread: Set<Spread> = [], found: [FoundField] = []
        func enter(_ set: SelectionSet, _ parent: String, _ types: Set<String>, _ isConditional: Bool) {
            let types = types.intersection(schema.possibleTypes(of: parent))
            if !types.isEmpty { waiting.append(Level(set: set, parent: parent, types: types, isConditional: isConditional)) }
        }
        for set in sets.reversed() { enter(set.set, set.type, possible, false) }
        while let level = waiting.popLast() {
            for selection in level.set.selections {
                let isConditional =
                    level.isConditional || selection.directives.contains { ["skip", "include", "defer"].contains($0.name) }
                switch selection {
                case .field(let field):
                    found.append(FoundField(field: field, parent: level.parent, types: level.types, isConditional: isConditional))
                case .inline(let inline): enter(inline.selectionSet, inline.typeCondition ?? level.parent, level.types, isConditional)
                case .spread(let use):
                    // A fragment is read once for the same types. The number of ways to it can be exponential.
                    let identity = Spread(fragment: use.name, types: level.types, isConditional: isConditional)
                    guard let fragment = fragments[use.name], spread.insert(identity).inserted else { continue }
                    enter(fragment.selectionSet, fragment.typeCondition, level.types, isConditional)
                }
            }
        }
        return found
    }

    /// Returns the fields of an object by their names in the response.
    ///
    /// - Parameters:
    ///   - selected: The fields of all its selections.
    ///   - possible: The types that the object may have.
    ///   - concrete: The type of the object, or nil if the response does not say it.
    private func fields(_ selected: [FoundField], of possible: Set<String>, _ concrete: String?) -> [String: SelectedField] {
        var fields: [String: SelectedField] = [:]
        for found in selected where concrete.map(found.types.contains) ?? true {
            let field = found.field, isRequired = !found.isConditional && (concrete != nil || found.types == possible)
            guard let reference = type(of: field, on: concrete ?? found.parent) else { continue }
            var merged = fields[field.responseKey] ?? SelectedField(type: reference, sets: [], isRequired: false)
            if schema.possibleTypes(of: reference.name).count < schema.possibleTypes(of: merged.type.name).count { merged.type = reference }
            merged.sets += field.selectionSet.map { [TypedSet(set: $0, type: reference.name)] } ?? []
            merged.isRequired = merged.isRequired || isRequired
            fields[field.responseKey] = merged
        }
        return fields
    }

    private func type(of field: FieldSelection, on type: String) -> TypeReference? {
        switch field.name {
        case "__typename": .nonNull(.named("String"))
        case "__schema": .nonNull(.named("__Schema"))
        case "__type": .named("__Type")
        default: schema.types[type]?.fields.first { $0.name == field.name }?.type
        }
    }
}

extension JSONValue {
    /// The value in messages, without the contents of arrays and objects.
    fileprivate var phrase: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): Token.quoted(text)
        case .array: "an array"
        case .object: "an object"
        }
    }
}
