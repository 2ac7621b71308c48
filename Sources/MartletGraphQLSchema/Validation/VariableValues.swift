package import MartletGraphQL

/// Checks the values of variables against their types (GraphQL, September 2025, §6.1.2).
package struct VariableValues {
    private let schema: GraphQLSchema
    private var found: [String] = []
    private var waiting: [Waiting] = []

    private struct Waiting {
        let value: GraphQLVariable
        let type: TypeReference
        /// The path of the value, such as `$filter.tags[0]`.
        let path: String
    }

    /// Returns what a server with the schema would refuse, at most 20 messages. Swift values that the client's encoder encodes are not
    /// checked.
    package static func violations(
        of variables: [String: GraphQLVariable], for operation: OperationDefinition, schema: GraphQLSchema
    ) -> [String] {
        var check = VariableValues(schema: schema)
        for variable in operation.variables {
            if let value = variables[variable.name] {
                check.waiting.append(Waiting(value: value, type: variable.type, path: "$\(variable.name)"))
            } else if case .nonNull = variable.type, variable.defaultValue == nil {
                check.found.append("$\(variable.name) of type \"\(variable.type)\" is missing")
            }
        }
        check.waiting.reverse()
        while let next = check.waiting.popLast(), check.found.count < 20 { check.visit(next) }
        return check.found
    }

    private init(schema: GraphQLSchema) { self.schema = schema }

    private mutating func visit(_ next: Waiting) {
        switch (next.type, next.value) {
        case (_, .value), (_, .upload): break
        case (.nonNull, .null): report(next)
        case (.nonNull(let type), _): waiting.append(Waiting(value: next.value, type: type, path: next.path))
        case (_, .null): break
        case (.list(let element), .list(let values)):
            waiting += values.enumerated().reversed().map { Waiting(value: $1, type: element, path: "\(next.path)[\($0)]") }
        // A value that is not a list is the only element of one.
        case (.list(let element), _): waiting.append(Waiting(value: next.value, type: element, path: next.path))
        case (.named(let name), let value):
            guard let type = schema.types[name] else { return }
            switch (type.kind, value) {
            case (.inputObject, .object(let members)): visit(members, type, next)
            case (.enumeration, .string(let text)):
                if type.values.contains(where: { $0.name == text }) { return }
                var hints = NameHints(type.values.map(\.name))
                report(next, hints.text(for: text))
            case (.scalar, _): if !BuiltInScalar.accepts(value, as: name) { report(next) }
            default: report(next)
            }
        }
    }

    private mutating func visit(_ members: [String: GraphQLVariable], _ type: SchemaType, _ next: Waiting) {
        let fields = Dictionary(type.inputFields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var hints = NameHints(type.inputFields.map(\.name))
        for name in members.keys.sorted() where fields[name] == nil {
            let hint = hints.text(for: name)
            found.append("\(next.path) has \(Token.quoted(name)), which is no field of the input object \"\(type.name)\"\(hint)")
        }
        for field in type.inputFields where field.isRequired && members[field.name] == nil {
            found.append("\(next.path) lacks the field \"\(field.name)\" of type \"\(field.type)\"")
        }
        let isNull = members.values.contains { if case .null = $0 { true } else { false } }
        if type.isOneOf, members.count != 1 || isNull {
            found.append("\(next.path) needs exactly one field of \"\(type.name)\", and not null")
        }
        waiting += type.inputFields.reversed().compactMap { field in
            members[field.name].map { Waiting(value: $0, type: field.type, path: "\(next.path).\(field.name)") }
        }
    }

    private mutating func report(_ next: Waiting, _ hint: String = "") {
        found.append("\(next.path) of type \"\(next.type)\" is \(next.value.phrase)\(hint)")
    }
}

extension GraphQLVariable {
    /// The value in messages, without the contents of lists and objects.
    fileprivate var phrase: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): Token.quoted(text)
        case .list: "a list"
        case .object: "an object"
        case .upload: "an upload"
        case .value: "a Swift value"
        }
    }
}
