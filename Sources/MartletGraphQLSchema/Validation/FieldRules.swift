import MartletGraphQL

/// The rules for the selection of one field (GraphQL, September 2025, §5.3.1 and §5.3.3).
struct FieldRules {
    private let context: ValidationContext

    init(_ context: ValidationContext) { self.context = context }

    func unknown(_ field: FieldSelection, of parent: ValidatedType) {
        let kind = parent.definition.kind == .union ? "union" : "type"
        context.report(
            .fieldsOnCorrectType, "the \(kind) \"\(parent.name)\" has no field \"\(field.name)\"", hint: hint(for: field.name, of: parent),
            at: field.place)
    }

    func check(_ field: FieldSelection, _ definition: FieldDefinition, of parent: ValidatedType) {
        if let type = context.type(definition.type.name) {
            let described = "the field \"\(field.name)\" of type \"\(definition.type)\""
            if type.definition.isLeaf, let set = field.selectionSet {
                context.report(.scalarLeafs, "\(described) has no fields to select", at: set.openBrace)
            } else if type.definition.isComposite, field.selectionSet == nil {
                context.report(
                    .scalarLeafs, "\(described) needs a selection of fields", hint: "did you mean \"\(field.name) { … }\"?",
                    at: field.place)
            }
        }
        if definition.type.element == nil, let stream = field.directives.first(where: { $0.name == "stream" }) {
            let message = "\"@stream\" needs a list, found the field \"\(field.name)\" of type \"\(definition.type)\""
            context.report(.streamDirectiveOnListField, message, at: stream.place)
        }
    }

    /// Suggests the possible types that have the field, or similar names.
    private func hint(for name: String, of parent: ValidatedType) -> String? {
        var types: [String] = []
        if parent.definition.kind != .object {
            let possible = context.schema.possibleTypes(of: parent.name).sorted().compactMap(context.type)
            let having = possible.filter { $0.fields[name] != nil }
            let interfaces = Set(having.flatMap(\.definition.interfaces)).sorted().filter { context.type($0)?.fields[name] != nil }
            types = interfaces + having.map(\.name)
        }
        if !types.isEmpty { return NameHints.question(types.map { "... on \($0)" }) }
        return NameHints.question(for: name, among: parent.definition.fields.map(\.name))
    }
}

extension ValidationContext {
    /// Returns whether a value can have both types.
    func overlap(_ first: ValidatedType, _ second: ValidatedType) -> Bool {
        if first === second { return true }
        if first.definition.kind == .object, second.definition.kind == .object { return false }
        return overlaps.value(of: first.name, second.name) {
            !schema.possibleTypes(of: first.name).isDisjoint(with: schema.possibleTypes(of: second.name))
        }
    }
}

/// Remembers which types have values in common, because a document asks it for the same types at each fragment.
struct TypeOverlaps {
    private var known: [String: [String: Bool]] = [:]

    mutating func value(of first: String, _ second: String, _ compute: () -> Bool) -> Bool {
        if let value = known[first]?[second] { return value }
        let value = compute()
        known[first, default: [:]][second] = value
        return value
    }
}
