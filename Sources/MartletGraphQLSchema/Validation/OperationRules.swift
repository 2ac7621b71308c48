import MartletGraphQL

/// The rules for the root of operations: one field in a subscription (GraphQL, September 2025, §5.2.4.1), and where `@defer` and `@stream`
/// may be.
struct OperationRules {
    private let context: ValidationContext

    init(_ context: ValidationContext) { self.context = context }

    func check() {
        for operation in context.document.operations where !context.isFull {
            if operation.kind == .query { continue }
            let root = context.schema.roots[operation.kind].flatMap(context.composite)
            if root != nil { forbidIncremental(atRootOf: operation) }
            guard operation.kind == .subscription else { continue }
            forbidUnconditional(in: operation)
            if let root { checkRoot(of: operation, root) }
        }
    }

    /// Calls `body` with each selection, and continues in a fragment once, and only where `body` returns true.
    private func forEach(in set: SelectionSet, fieldsToo: Bool, _ body: (Selection) -> Bool) {
        var waiting = Array(set.selections.reversed()), visited: Set<Int> = []
        while let selection = waiting.popLast() {
            guard context.spend(1), body(selection) else { continue }
            switch selection {
            case .field(let field): if fieldsToo, let set = field.selectionSet { waiting += set.selections.reversed() }
            case .inline(let fragment): waiting += fragment.selectionSet.selections.reversed()
            case .spread(let spread):
                guard let index = context.fragments[spread.name], visited.insert(index).inserted else { continue }
                waiting += context.document.fragments[index].selectionSet.selections.reversed()
            }
        }
    }

    private func checkRoot(of operation: OperationDefinition, _ root: ValidatedType) {
        var fields: [FieldSelection] = [], names: Set<String> = [], conditions: [Directive] = []
        forEach(in: operation.selectionSet, fieldsToo: false) { selection in
            let found = selection.directives.filter { $0.name == "skip" || $0.name == "include" }
            conditions += found
            guard found.isEmpty else { return false }
            switch selection {
            case .field(let field):
                if names.insert(field.responseKey).inserted { fields.append(field) }
                return true
            case .inline(let fragment): return applies(fragment.typeCondition, to: root)
            case .spread(let spread):
                return applies(context.fragments[spread.name].map { context.document.fragments[$0].typeCondition }, to: root)
            }
        }
        let of = operation.name.map { "the subscription \"\($0)\"" } ?? "the subscription"
        for directive in conditions {
            let message = "\"@\(directive.name)\" is not allowed at the root of \(of)"
            context.report(.singleFieldSubscriptions, message, at: directive.place)
        }
        guard conditions.isEmpty else { return }
        if fields.isEmpty {
            context.report(.singleFieldSubscriptions, "\(of) has no root field", at: operation.selectionSet.openBrace)
        }
        for field in fields.dropFirst() {
            context.report(.singleFieldSubscriptions, "\(of) may have only one root field", at: field.place)
        }
        for field in fields where field.name.hasPrefix("__") {
            context.report(.singleFieldSubscriptions, "the root field of \(of) must not be of introspection", at: field.place)
        }
    }

    private func applies(_ condition: String?, to root: ValidatedType) -> Bool {
        guard let condition else { return true }
        return condition == root.name || context.schema.possibleTypes(of: condition).contains(root.name)
    }

    private func forbidIncremental(atRootOf operation: OperationDefinition) {
        forEach(in: operation.selectionSet, fieldsToo: false) { selection in
            let wrong: String
            switch selection {
            case .field: wrong = "stream"
            case .inline, .spread: wrong = "defer"
            }
            if let directive = selection.directives.first(where: { $0.name == wrong }), isDefined(selection) {
                let message = "\"@\(wrong)\" is not allowed at the root of a \(operation.kind.rawValue)"
                context.report(.deferStreamDirectiveOnRootField, message, at: directive.place)
            }
            return true
        }
    }

    /// Whether the selection is not a spread of an undefined fragment.
    private func isDefined(_ selection: Selection) -> Bool {
        if case .spread(let spread) = selection { context.fragments[spread.name] != nil } else { true }
    }

    private func forbidUnconditional(in operation: OperationDefinition) {
        forEach(in: operation.selectionSet, fieldsToo: true) { selection in
            for directive in selection.directives {
                if directive.name == "skip", directive.condition != .constant(false) { return false }
                if directive.name == "include", ![.constant(true), nil].contains(directive.condition) { return false }
            }
            for directive in selection.directives where directive.isIncremental {
                if [.constant(false), .variable].contains(directive.condition) { continue }
                let message = "\"@\(directive.name)\" is not allowed in a subscription without a condition"
                context.report(
                    .deferStreamDirectiveOnValidOperations, message, hint: "did you mean \"@\(directive.name)(if: false)\"?",
                    at: directive.place)
            }
            return true
        }
    }
}

extension Directive {
    fileprivate enum Condition {
        case constant(Bool), variable, invalid
    }

    /// The argument `if`.
    fileprivate var condition: Condition? {
        switch argument("if")?.value {
        case nil: nil
        case .boolean(let value): .constant(value)
        case .variable: .variable
        default: .invalid
        }
    }
}

extension Directive.Condition: Equatable {}
