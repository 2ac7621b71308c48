internal import MartletGraphQL
internal import MartletGraphQLSchema

/// Where the variables of an operation are used.
struct VariableUses {
    private var nullSensitive: Set<String> = []
    /// The descriptions of the arguments that have variables as values.
    private(set) var descriptions: [String: String] = [:]

    init(of operation: OperationDefinition, on root: String, _ schema: GraphQLSchema, _ fragments: [String: FragmentDefinition]) {
        var seen: Set<String> = []
        var waiting = [(set: operation.selectionSet, type: root)]
        while let (set, type) = waiting.popLast() {
            for selection in set.selections {
                for argument in selection.directives.flatMap(\.arguments) { add(argument, nil) }
                switch selection {
                case .field(let field):
                    let definition = schema.types[type]?.fields.first { $0.name == field.name }
                    for argument in field.arguments { add(argument, definition?.arguments.first { $0.name == argument.name }) }
                    let type = definition?.type ?? GraphQLSchema.metaTypes[field.name]
                    if let below = field.selectionSet, let type { waiting.append((below, type.name)) }
                case .inline(let fragment): waiting.append((fragment.selectionSet, fragment.typeCondition ?? type))
                case .spread(let spread):
                    if seen.insert(spread.name).inserted, let fragment = fragments[spread.name] {
                        waiting.append((fragment.selectionSet, fragment.typeCondition))
                    }
                }
            }
        }
    }

    private mutating func add(_ argument: Argument, _ definition: InputValueDefinition?) {
        if case .variable(let name, _) = argument.value {
            if definition?.defaultValue != nil { nullSensitive.insert(name) }
            if descriptions[name] == nil { descriptions[name] = definition?.description }
        } else {
            // A field of an input object may be left out or null.
            argument.value.forEachVariable { name, _ in nullSensitive.insert(name) }
        }
    }

    /// Whether a missing value of the variable has another meaning than null: a default value applies, or the variable is in a literal.
    func distinguishesNull(_ variable: String) -> Bool { nullSensitive.contains(variable) }
}
