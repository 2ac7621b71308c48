import MartletGraphQL

/// The uses of variables in each definition, with the types expected there.
struct VariableUsages {
    /// In the order of the document's operations.
    var operations: [[VariableUsage]] = []
    /// In the order of the document's fragments.
    var fragments: [[VariableUsage]] = []
}

/// Visits each selection once with its type, and applies the rules that need no more than that.
///
/// It uses no recursion, because selections nest as deep as the parser allows.
struct DocumentWalk {
    private let context: ValidationContext
    private(set) var usages = VariableUsages()
    private(set) var merging: FieldMerging
    private var directives: DirectiveRules
    private let arguments: ArgumentRules

    init(_ context: ValidationContext) {
        self.context = context
        merging = FieldMerging(context)
        arguments = ArgumentRules(context)
        directives = DirectiveRules(context)
    }

    mutating func visit() {
        for operation in context.document.operations {
            var used: [VariableUsage] = []
            visit(operation, &used)
            usages.operations.append(used)
        }
        for (index, fragment) in context.document.fragments.enumerated() {
            var used: [VariableUsage] = []
            directives.check(fragment.directives, at: .fragmentDefinition, &used)
            let type = typeCondition(fragment.typeCondition, at: fragment.typePlace)
            visit(fragment.selectionSet, of: type, &used, collectedAs: merging.begin(fragment: index))
            usages.fragments.append(used)
        }
    }

    private mutating func visit(_ operation: OperationDefinition, _ used: inout [VariableUsage]) {
        if context.schema.roots[operation.kind] == nil {
            context.report(.knownOperationTypes, "the schema has no \(operation.kind.rawValue) type", at: operation.place)
        }
        directives.check(operation.directives, at: DirectiveLocation(operation.kind), &used)
        for variable in operation.variables { visit(variable) }
        let root = context.schema.roots[operation.kind].flatMap(context.composite)
        visit(operation.selectionSet, of: root, &used, collectedAs: merging.begin(fragment: nil))
    }

    private mutating func visit(_ variable: VariableDefinition) {
        let name = variable.type.name, type = context.type(name)
        if let type, !type.definition.isInput {
            let found = "found the \(type.definition.kind.text) \"\(variable.type)\""
            context.report(
                .variablesAreInputTypes, "the variable \"$\(variable.name)\" must have an input type, \(found)", at: variable.typePlace)
        } else if type == nil {
            unknown(name, at: variable.typePlace, among: \.isInput)
        }
        var none: [VariableUsage] = []
        if let value = variable.defaultValue {
            let isInput = type?.definition.isInput == true
            ValueRules(context).check(
                value, ExpectedValue(name: "$\(variable.name)", type: isInput ? variable.type : nil, place: variable.place), &none)
        }
        directives.check(variable.directives, at: .variableDefinition, &none)
    }

    private func unknown(_ name: String, at place: SourcePlace, among isWanted: (SchemaType) -> Bool) {
        let names = context.schema.types.values.filter { isWanted($0) && !$0.name.hasPrefix("__") }.map(\.name)
        context.report(.knownTypeNames, "the schema has no type \"\(name)\"", hint: NameHints.question(for: name, among: names), at: place)
    }

    /// Returns the type of a fragment if fragments may have it.
    private func typeCondition(_ name: String, at place: SourcePlace) -> ValidatedType? {
        guard let type = context.type(name) else {
            unknown(name, at: place, among: \.isComposite)
            return nil
        }
        if type.definition.isComposite { return type }
        let message = "a fragment's type must be an object, interface or union, found the \(type.definition.kind.text) \"\(name)\""
        context.report(.fragmentsOnCompositeTypes, message, at: place)
        return nil
    }

    /// A selection set whose selections are being visited.
    private struct OpenSet {
        let selections: [Selection]
        let parent: ValidatedType?
        let collected: Int
        var next = 0
    }

    private mutating func visit(
        _ set: SelectionSet, of parent: ValidatedType?, _ used: inout [VariableUsage], collectedAs collected: Int
    ) {
        var open = [OpenSet(selections: set.selections, parent: parent, collected: collected)]
        while let last = open.last, !context.isFull {
            guard last.next < last.selections.count else {
                open.removeLast()
                continue
            }
            open[open.count - 1].next += 1
            switch last.selections[last.next] {
            case .field(let field):
                if let inner = visit(field, of: last.parent, &used, collectedIn: last.collected) { open.append(inner) }
            case .spread(let spread):
                directives.check(spread.directives, at: .fragmentSpread, &used)
                visit(spread, in: last.parent)
                merging.add(spread, to: last.collected)
            case .inline(let fragment):
                directives.check(fragment.directives, at: .inlineFragment, &used)
                let type = visit(fragment, in: last.parent)
                open.append(OpenSet(selections: fragment.selectionSet.selections, parent: type, collected: last.collected))
            }
        }
    }

    /// Returns the selection set of the field, which is visited next.
    private mutating func visit(
        _ field: FieldSelection, of parent: ValidatedType?, _ used: inout [VariableUsage], collectedIn collected: Int
    ) -> OpenSet? {
        let definition = parent.flatMap { context.field(field.name, of: $0) }
        if let parent, definition == nil { FieldRules(context).unknown(field, of: parent) }
        arguments.check(field, definition, of: parent, &used)
        directives.check(field.directives, at: .field, &used)
        if let definition, let parent { FieldRules(context).check(field, definition, of: parent) }
        let type = definition.flatMap { context.composite($0.type.name) }
        let inner = field.selectionSet.map { _ in merging.begin(fragment: nil) }
        let selected = CollectedSelections.Field(field: field, parent: parent, type: definition?.type, inner: inner)
        merging.add(selected, to: collected)
        guard let set = field.selectionSet, let inner else { return nil }
        return OpenSet(selections: set.selections, parent: type, collected: inner)
    }

    private func visit(_ spread: FragmentSpread, in parent: ValidatedType?) {
        guard let parent, let index = context.fragments[spread.name],
            let type = context.composite(context.document.fragments[index].typeCondition), !context.overlap(type, parent)
        else { return }
        let message = "the fragment \"\(spread.name)\" on \"\(type.name)\" never applies to a value of type \"\(parent.name)\""
        context.report(.possibleFragmentSpreads, message, at: spread.place)
    }

    private func visit(_ fragment: InlineFragment, in parent: ValidatedType?) -> ValidatedType? {
        guard let name = fragment.typeCondition else { return parent }
        guard let type = typeCondition(name, at: fragment.typePlace) else { return nil }
        if let parent, !context.overlap(type, parent) {
            let message = "a fragment on \"\(name)\" never applies to a value of type \"\(parent.name)\""
            context.report(.possibleFragmentSpreads, message, at: fragment.place)
        }
        return type
    }
}
