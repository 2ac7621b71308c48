import MartletGraphQL

/// The rules for the arguments of fields and directives (GraphQL, September 2025, §5.4).
struct ArgumentRules {
    private let context: ValidationContext
    private let values: ValueRules

    init(_ context: ValidationContext) {
        self.context = context
        values = ValueRules(context)
    }

    /// - Parameter definition: The field, or nil if the type has no such field.
    func check(_ field: FieldSelection, _ definition: FieldDefinition?, of parent: ValidatedType?, _ used: inout [VariableUsage]) {
        if field.arguments.isEmpty, definition?.arguments.isEmpty != false { return }
        check(
            field.arguments, definition?.arguments, owner: "the field \"\(parent.map { "\($0.name)." } ?? "")\(field.name)\"",
            at: field.place, &used)
    }

    func check(_ directive: Directive, _ definition: DirectiveDefinition?, _ used: inout [VariableUsage]) {
        if directive.arguments.isEmpty, definition?.arguments.isEmpty != false { return }
        check(
            directive.arguments, definition?.arguments, owner: "the directive \"@\(directive.name)\"", at: directive.place, &used)
    }

    private func check(
        _ arguments: [Argument], _ definitions: [InputValueDefinition]?, owner: String, at place: SourcePlace,
        _ used: inout [VariableUsage]
    ) {
        var given: Set<String> = []
        for argument in arguments {
            let isFirst = given.insert(argument.name).inserted
            if !isFirst { context.report(.uniqueArgumentNames, "there are two arguments \"\(argument.name)\"", at: argument.place) }
            let definition = definitions?.first { $0.name == argument.name }
            if let definitions, definition == nil {
                context.report(
                    .knownArgumentNames, "\(owner) has no argument \"\(argument.name)\"",
                    hint: NameHints.question(for: argument.name, among: definitions.map(\.name)), at: argument.place)
            }
            let expected = ExpectedValue(
                name: argument.name, type: definition?.type, hasDefault: definition?.defaultValue != nil, place: argument.place)
            values.check(argument.value, expected, &used)
        }
        for definition in definitions ?? [] where definition.isRequired && !given.contains(definition.name) {
            context.report(
                .providedRequiredArguments, "\(owner) needs the argument \"\(definition.name)\" of type \"\(definition.type)\"", at: place)
        }
    }
}
