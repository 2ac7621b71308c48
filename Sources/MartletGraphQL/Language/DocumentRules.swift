/// The validation rules that need no schema (GraphQL, September 2025, §5.2, §5.5 and §5.8).
///
/// Types, arguments, unused fragments and variables, and the number of root fields of a subscription are not checked: they need the schema,
/// or servers differ about them.
struct DocumentRules {
    private let document: ExecutableDocument
    /// The uses of each fragment, in the order of the document.
    private let uses: [SelectionUses]
    private let indices: [String: Int]

    /// Throws the first violation.
    static func check(_ document: ExecutableDocument) throws(GraphQLSyntaxError) {
        try DocumentRules(document).check()
    }

    private init(_ document: ExecutableDocument) {
        self.document = document
        uses = document.fragments.map { SelectionUses(of: $0.selectionSet, directives: $0.directives) }
        indices = Dictionary(document.fragments.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func check() throws(GraphQLSyntaxError) {
        try checkNames()
        let operations = document.operations.map { SelectionUses(of: $0.selectionSet, directives: $0.directives) }
        for spread in (operations + uses).flatMap(\.spreads) where indices[spread.name] == nil {
            throw GraphQLSyntaxError("the fragment \"\(spread.name)\" is not defined", at: spread.place)
        }
        let graph = FragmentGraph(uses.map { $0.spreads.map { (indices[$0.name] ?? 0, $0.place) } })
        if let cycle = graph.firstCycle() {
            throw GraphQLSyntaxError("the fragments form a cycle: \(names(of: cycle.path))", at: cycle.place)
        }
        // Only these fragments need to be visited for every operation.
        let needed = graph.reaching { !uses[$0].variables.isEmpty }
        for (operation, own) in zip(document.operations, operations) {
            try checkVariables(of: operation, own, graph, needed)
        }
    }

    private func checkNames() throws(GraphQLSyntaxError) {
        var names: Set<String> = []
        for operation in document.operations {
            guard let name = operation.name else {
                if document.operations.count == 1 { continue }
                throw GraphQLSyntaxError("an operation without a name must be the only one of its document", at: operation.place)
            }
            if !names.insert(name).inserted {
                throw GraphQLSyntaxError("there are two operations \"\(name)\"", at: operation.place)
            }
        }
        var fragments: Set<String> = []
        for fragment in document.fragments where !fragments.insert(fragment.name).inserted {
            throw GraphQLSyntaxError("there are two fragments \"\(fragment.name)\"", at: fragment.place)
        }
    }

    private func checkVariables(
        of operation: OperationDefinition, _ own: SelectionUses, _ graph: FragmentGraph, _ needed: Set<Int>
    ) throws(GraphQLSyntaxError) {
        var defined: Set<String> = []
        for variable in operation.variables where !defined.insert(variable.name).inserted {
            throw GraphQLSyntaxError("there are two variables \"$\(variable.name)\"", at: variable.place)
        }
        let of = operation.name.map { "the operation \"\($0)\"" } ?? "the operation"
        for variable in own.variables where !defined.contains(variable.name) {
            throw GraphQLSyntaxError("the variable \"$\(variable.name)\" is not defined by \(of)", at: variable.place)
        }
        let roots = own.spreads.compactMap { indices[$0.name] }
        for fragment in graph.reachable(from: roots, within: needed) {
            for variable in uses[fragment].variables where !defined.contains(variable.name) {
                let place = "which spreads the fragment \"\(document.fragments[fragment].name)\""
                throw GraphQLSyntaxError("the variable \"$\(variable.name)\" is not defined by \(of), \(place)", at: variable.place)
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
struct SelectionUses {
    struct Use {
        let name: String
        let place: SourcePlace
    }

    private(set) var variables: [Use] = []
    private(set) var spreads: [Use] = []

    init(of selectionSet: SelectionSet, directives: [Directive]) {
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
