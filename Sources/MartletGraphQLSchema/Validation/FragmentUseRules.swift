import MartletGraphQL

/// The rules for fragments and variables that need to know which fragments an operation uses, through other fragments too (GraphQL,
/// September 2025, §5.5.1.4, §5.8.4 and §5.8.5).
struct FragmentUseRules {
    private let context: ValidationContext
    private let graph: FragmentGraph
    /// The fragments that each operation spreads itself.
    private let roots: [[Int]]

    init(_ context: ValidationContext) {
        self.context = context
        func spreads(of set: SelectionSet) -> [(target: Int, place: SourcePlace)] {
            SelectionUses(of: set, directives: []).spreads.compactMap { spread in
                context.fragments[spread.name].map { ($0, spread.place) }
            }
        }
        graph = FragmentGraph(context.document.fragments.map { spreads(of: $0.selectionSet) })
        roots = context.document.operations.map { spreads(of: $0.selectionSet).map(\.target) }
    }

    func check(usages: VariableUsages) {
        let used = Set(graph.reachable(from: roots.flatMap(\.self)))
        for (index, fragment) in context.document.fragments.enumerated() where !used.contains(context.fragments[fragment.name] ?? index) {
            context.report(.noUnusedFragments, "the fragment \"\(fragment.name)\" is not used", at: fragment.place)
        }
        // After an early end of the walk, the usages are not complete.
        guard usages.operations.count == roots.count, usages.fragments.count == context.document.fragments.count else { return }
        let needed = graph.reaching { !usages.fragments[$0].isEmpty }
        for (index, operation) in context.document.operations.enumerated() where !context.isFull {
            let reached = graph.reachable(from: roots[index], within: needed)
            guard context.spend(reached.count) else { return }
            check(operation, [usages.operations[index]] + reached.map { usages.fragments[$0] })
        }
    }

    private func check(_ operation: OperationDefinition, _ usages: [[VariableUsage]]) {
        let variables = Dictionary(operation.variables.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        var unused = Set(variables.keys)
        let of = operation.name.map { "the operation \"\($0)\"" } ?? "the operation"
        for usages in usages {
            guard context.spend(usages.count) else { return }
            for usage in usages {
                unused.remove(usage.name)
                if let variable = variables[usage.name] { check(usage, variable) }
            }
        }
        for variable in operation.variables where unused.contains(variable.name) {
            context.report(.noUnusedVariables, "the variable \"$\(variable.name)\" is not used by \(of)", at: variable.place)
        }
    }

    private func check(_ usage: VariableUsage, _ variable: VariableDefinition) {
        guard let expected = usage.expected.type, context.type(variable.type.name) != nil else { return }
        let type = "the variable \"$\(usage.name)\" of type \"\(variable.type)\""
        if !isAllowed(variable, expected, hasDefault: usage.expected.hasDefault) {
            let message = "\(type) is used for \"\(usage.expected.name)\", which expects \"\(expected)\""
            context.report(.variablesInAllowedPosition, message, at: usage.place)
        }
        if let object = usage.expected.oneOf, !variable.type.isNonNull {
            let message = "\(type) is used for a field of \"\(object)\", which must not be null"
            context.report(
                .variablesInAllowedPosition, message, hint: "did you mean \"$\(usage.name): \(variable.type)!\"?", at: usage.place)
        }
    }

    /// IsVariableUsageAllowed of §5.8.5, without the rule for input objects with one field.
    private func isAllowed(_ variable: VariableDefinition, _ expected: TypeReference, hasDefault: Bool) -> Bool {
        guard expected.isNonNull, !variable.type.isNonNull else { return variable.type.isCompatible(with: expected) }
        var hasValue = hasDefault
        if let value = variable.defaultValue { if case .null = value {} else { hasValue = true } }
        return hasValue && variable.type.isCompatible(with: expected.nullable)
    }
}

extension TypeReference {
    /// AreTypesCompatible of §5.8.5: whether each value of this type is one of the other.
    func isCompatible(with other: TypeReference) -> Bool {
        var type = self, expected = other
        while true {
            switch (type, expected) {
            case (.nonNull(let inner), .nonNull(let other)), (.list(let inner), .list(let other)): (type, expected) = (inner, other)
            case (.nonNull(let inner), _): type = inner
            case (.named(let name), .named(let other)): return name == other
            case (_, .nonNull), (.list, .named), (.named, .list): return false
            }
        }
    }
}
