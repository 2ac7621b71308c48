/// The validation rules that need no schema (GraphQL, September 2025, §5.2, §5.5 and §5.8).
///
/// A `GraphQLDocument` that violates one of them is invalid with every schema. MartletGraphQLSchema adds the others: types, arguments,
/// unused fragments and variables, and the number of root fields of a subscription, which need the schema or depend on the server.
package struct DocumentRules {
    package enum Rule: Sendable, Hashable {
        case uniqueOperationNames, loneAnonymousOperation, uniqueFragmentNames, knownFragmentNames, noFragmentCycles, uniqueVariableNames
        case noUndefinedVariables
    }

    package struct Violation: Sendable, Hashable {
        package let rule: Rule
        /// The name of the operation, fragment or variable, if it has one.
        package let name: String
        package let message: String
        package let place: SourcePlace
    }

    private let document: ExecutableDocument
    private let limit: Int
    /// The uses of each fragment, in the order of the document.
    private let uses: [SelectionUses]
    private let indices: [String: Int]
    private var violations: [Violation] = []

    /// Throws the first violation.
    static func check(_ document: ExecutableDocument) throws(GraphQLSyntaxError) {
        if let first = violations(in: document, atMost: 1).first { throw GraphQLSyntaxError(first.message, at: first.place) }
    }

    /// Returns the violations rule by rule. Checking ends when there are as many as the limit.
    package static func violations(in document: ExecutableDocument, atMost limit: Int) -> [Violation] {
        var rules = DocumentRules(document, limit: limit)
        rules.check()
        return rules.violations
    }

    private init(_ document: ExecutableDocument, limit: Int) {
        self.document = document
        self.limit = limit
        uses = document.fragments.map { SelectionUses(of: $0.selectionSet, directives: $0.directives) }
        indices = Dictionary(document.fragments.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private var isFull: Bool { violations.count >= limit }

    private mutating func report(_ rule: Rule, _ name: String, _ message: String, at place: SourcePlace) {
        if !isFull { violations.append(Violation(rule: rule, name: name, message: message, place: place)) }
    }

    private mutating func check() {
        checkNames()
        let operations = document.operations.map { SelectionUses(of: $0.selectionSet, directives: $0.directives) }
        for spread in (operations + uses).flatMap(\.spreads) where indices[spread.name] == nil {
            report(.knownFragmentNames, spread.name, "the fragment \"\(spread.name)\" is not defined", at: spread.place)
        }
        let graph = FragmentGraph(uses.map { $0.spreads.compactMap { spread in indices[spread.name].map { ($0, spread.place) } } })
        if isFull { return }
        for cycle in graph.cycles(atMost: limit - violations.count) {
            report(
                .noFragmentCycles, document.fragments[cycle.path[0]].name, "the fragments form a cycle: \(names(of: cycle.path))",
                at: cycle.place)
        }
        // Only these fragments need to be visited for every operation.
        let needed = graph.reaching { !uses[$0].variables.isEmpty }
        for (operation, own) in zip(document.operations, operations) where !isFull { checkVariables(of: operation, own, graph, needed) }
    }

    private mutating func checkNames() {
        var names: Set<String> = []
        for operation in document.operations {
            guard let name = operation.name else {
                if document.operations.count == 1 { continue }
                let message = "an operation without a name must be the only one of its document"
                report(.loneAnonymousOperation, "", message, at: operation.place)
                continue
            }
            if !names.insert(name).inserted {
                report(.uniqueOperationNames, name, "there are two operations \"\(name)\"", at: operation.place)
            }
        }
        var fragments: Set<String> = []
        for fragment in document.fragments where !fragments.insert(fragment.name).inserted {
            report(.uniqueFragmentNames, fragment.name, "there are two fragments \"\(fragment.name)\"", at: fragment.place)
        }
    }

    private mutating func checkVariables(
        of operation: OperationDefinition, _ own: SelectionUses, _ graph: FragmentGraph, _ needed: Set<Int>
    ) {
        var defined: Set<String> = []
        for variable in operation.variables where !defined.insert(variable.name).inserted {
            report(.uniqueVariableNames, variable.name, "there are two variables \"$\(variable.name)\"", at: variable.place)
        }
        let of = operation.name.map { "the operation \"\($0)\"" } ?? "the operation"
        for variable in own.variables where !defined.contains(variable.name) {
            report(
                .noUndefinedVariables, variable.name, "the variable \"$\(variable.name)\" is not defined by \(of)", at: variable.place)
        }
        if isFull { return }
        let roots = own.spreads.compactMap { indices[$0.name] }
        for fragment in graph.reachable(from: roots, within: needed) {
            for variable in uses[fragment].variables where !defined.contains(variable.name) {
                let spreading = "\(of), which spreads the fragment \"\(document.fragments[fragment].name)\""
                report(
                    .noUndefinedVariables, variable.name, "the variable \"$\(variable.name)\" is not defined by \(spreading)",
                    at: variable.place)
            }
        }
    }

    private func names(of path: [Int]) -> String {
        let limit = 8, names = path.map { document.fragments[$0].name }
        let shown = names.count <= limit ? names : names.prefix(limit - 1) + ["…"] + names.suffix(1)
        return shown.joined(separator: " → ")
    }
}

/// The variables and fragments that a definition uses, each once, at its first position.
package struct SelectionUses: Sendable {
    package struct Use: Sendable {
        package let name: String
        package let place: SourcePlace
    }

    package private(set) var variables: [Use] = []
    package private(set) var spreads: [Use] = []

    package init(of selectionSet: SelectionSet, directives: [Directive]) {
        var arguments = directives.flatMap(\.arguments), spread: [Use] = []
        selectionSet.forEachSelection { selection in
            if case .field(let field) = selection { arguments += field.arguments }
            if case .spread(let fragment) = selection { spread.append(Use(name: fragment.name, place: fragment.place)) }
            arguments += selection.directives.flatMap(\.arguments)
        }
        var used: [Use] = []
        for argument in arguments { argument.value.forEachVariable { used.append(Use(name: $0, place: $1)) } }
        variables = Self.first(of: used)
        spreads = Self.first(of: spread)
    }

    private static func first(of uses: [Use]) -> [Use] {
        var seen: Set<String> = []
        return uses.filter { seen.insert($0.name).inserted }
    }
}
