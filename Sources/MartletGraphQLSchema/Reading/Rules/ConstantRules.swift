package import MartletGraphQL

/// The rules for literal values without variables (GraphQL, September 2025, §3.5 to §3.12, "Input Coercion").
package struct ConstantRules {
    private let types: [String: SchemaType]

    package init(types: [String: SchemaType]) { self.types = types }

    /// Returns the reasons why a value does not have an input type, at most 100.
    package func violations(of value: ValueLiteral, as type: TypeReference) -> [String] {
        var waiting = [(value: value, type: type)], found: [String] = []
        while let (value, type) = waiting.popLast(), found.count < 100 {
            switch (type, value) {
            case (_, .variable(let name, _)): found.append("the variable \"$\(name)\" is not allowed here")
            case (.nonNull, .null): found.append("null is not allowed for \"\(type)\"")
            case (.nonNull(let type), _): waiting.append((value, type))
            case (_, .null): break
            case (.list(let element), .list(let values)): waiting += values.reversed().map { ($0, element) }
            // A value that is not a list is the only element of one.
            case (.list(let element), _): waiting.append((value, element))
            case (.named(let name), _): named(value, name, &waiting, &found)
            }
        }
        return found
    }

    private func named(
        _ value: ValueLiteral, _ name: String, _ waiting: inout [(value: ValueLiteral, type: TypeReference)], _ found: inout [String]
    ) {
        guard let type = types[name] else { return }
        switch (type.kind, value) {
        case (.inputObject, .object(let members)): object(members, type, &waiting, &found)
        case (.inputObject, _): found.append("\(value.found) is not an input object \"\(name)\"")
        case (.enumeration, .enumeration(let value)):
            if type.values.contains(where: { $0.name == value }) { return }
            var hints = NameHints(type.values.map(\.name))
            found.append("the enum \"\(name)\" has no value \"\(value)\"\(hints.text(for: value))")
        case (.enumeration, .string(let text)) where type.values.contains { $0.name == text }:
            found.append("a value of the enum \"\(name)\" is written without quotes: \(text)")
        case (.enumeration, _): found.append("\(value.found) is not a value of the enum \"\(name)\"")
        case (.scalar, _):
            if !BuiltInScalar.accepts(value, as: name) { found.append("\(value.found) is not of the type \"\(name)\"") }
        case (.object, _), (.interface, _), (.union, _): break
        }
    }

    private func object(
        _ members: [Argument], _ type: SchemaType, _ waiting: inout [(value: ValueLiteral, type: TypeReference)], _ found: inout [String]
    ) {
        var given: Set<String> = [], next: [(value: ValueLiteral, type: TypeReference)] = [],
            hints = NameHints(type.inputFields.map(\.name))
        let fields = Dictionary(type.inputFields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for member in members {
            if !given.insert(member.name).inserted { found.append("\"\(type.name).\(member.name)\" is given twice") }
            if let field = fields[member.name] {
                next.append((member.value, field.type))
            } else {
                found.append("the input object \"\(type.name)\" has no field \"\(member.name)\"\(hints.text(for: member.name))")
            }
        }
        for field in type.inputFields where field.isRequired && !given.contains(field.name) {
            found.append("the field \"\(type.name).\(field.name)\" is required, and missing")
        }
        if type.isOneOf, members.count != 1 || members.contains(where: { $0.value == .null }) {
            found.append("exactly one field of \"\(type.name)\" must be given, and not null")
        }
        waiting += next.reversed()
    }
}

extension ValueLiteral {
    /// The description of the value in error messages, without the contents of lists and objects.
    package var found: String {
        switch self {
        case .variable(let name, _): "\"$\(name)\""
        case .integer(let text), .float(let text), .enumeration(let text): Token.quoted(text)
        case .string(let text): "the string \(Token.quoted(text))"
        case .boolean(let value): "\"\(value)\""
        case .null: "\"null\""
        case .list: "a list"
        case .object: "an object"
        }
    }
}
