package import MartletGraphQL

/// Reads the definitions of a schema from the response to an introspection query (GraphQL, September 2025, §4).
struct IntrospectionReader {
    private var found = SchemaDefinitions()

    /// Returns the definitions, with a mistake for each member that is missing or malformed.
    static func read(_ response: JSONValue) -> SchemaDefinitions {
        var reader = IntrospectionReader()
        let data = response["data"] ?? response
        if let schema = data["__schema"], case .object = schema {
            reader.schema(schema)
        } else {
            reader.report("the response has no \"__schema\"" + reader.errors(in: response))
        }
        return reader.found
    }

    private mutating func report(_ message: String) { found.report(message, at: nil) }

    private func errors(in response: JSONValue) -> String {
        let messages = response["errors"]?.arrayValue?.prefix(3).compactMap { $0["message"]?.stringValue } ?? []
        return messages.isEmpty ? "" : ", but errors: " + messages.map(Token.quoted).joined(separator: ", ")
    }

    private mutating func schema(_ schema: JSONValue) {
        let place = "__schema"
        found.description = text("description", of: schema, place)
        for (kind, member) in [
            (GraphQLOperationKind.query, "queryType"), (.mutation, "mutationType"), (.subscription, "subscriptionType"),
        ] {
            guard let root = schema[member], root != .null, let name = name(of: root, "\(place).\(member)") else { continue }
            found.roots.append(SchemaDefinitions.Root(kind: kind, type: name, place: .start))
        }
        // The response names the root types, so the names of the convention do not count.
        found.schemas = [.start]
        if schema["types"]?.arrayValue == nil { report("\(place).types: expected an array, found \(phrase(schema["types"]))") }
        found.types = elements("types", of: schema, place) { reader, type, place in reader.type(type, place) }
        found.listsAllDirectives = schema["directives"]?.arrayValue != nil
        found.directives = elements("directives", of: schema, place) { reader, value, place in reader.directive(value, place) }
    }

    private mutating func type(_ value: JSONValue, _ place: String) -> SchemaType? {
        guard let name = name(of: value, place), !BuiltInDefinitions.typeNames.contains(name) else { return nil }
        // A type's name says more than its index.
        let place = name
        guard let word = value["kind"]?.stringValue, let kind = SchemaType.Kind(rawValue: word) else {
            report("\(place).kind: expected the kind of a type, found \(phrase(value["kind"]))")
            return nil
        }
        var type = SchemaType(kind: kind, name: name, description: text("description", of: value, place))
        switch kind {
        case .scalar: type.specifiedBy = text("specifiedByURL", of: value, place) ?? text("specifiedByUrl", of: value, place)
        case .object, .interface:
            type.fields = elements("fields", of: value, place) { reader, field, place in reader.field(field, place) }
            type.interfaces = elements("interfaces", of: value, place) { reader, interface, place in reader.name(of: interface, place) }
        case .union: type.members = elements("possibleTypes", of: value, place) { reader, member, place in reader.name(of: member, place) }
        case .enumeration:
            type.values = elements("enumValues", of: value, place) { reader, value, place in
                guard let name = reader.name(of: value, place) else { return nil }
                let description = reader.text("description", of: value, place)
                return EnumValueDefinition(name: name, description: description, deprecation: reader.deprecation(of: value, place))
            }
        case .inputObject:
            type.inputFields = elements("inputFields", of: value, place) { reader, field, place in reader.input(field, place) }
            type.isOneOf = value["isOneOf"]?.boolValue ?? false
        }
        return type
    }

    private mutating func field(_ value: JSONValue, _ place: String) -> FieldDefinition? {
        guard let name = name(of: value, place), let type = typeReference(value["type"], "\(place).type") else { return nil }
        return FieldDefinition(
            name: name, description: text("description", of: value, place),
            arguments: elements("args", of: value, place) { reader, argument, place in reader.input(argument, place) },
            type: type, deprecation: deprecation(of: value, place))
    }

    private mutating func input(_ value: JSONValue, _ place: String) -> InputValueDefinition? {
        guard let name = name(of: value, place), let type = typeReference(value["type"], "\(place).type") else { return nil }
        var literal: ValueLiteral?
        if let text = text("defaultValue", of: value, place) {
            do throws(GraphQLSyntaxError) {
                literal = try ValueLiteral.parse(text)
            } catch { report("\(place).defaultValue: \(error.message) in \(Token.quoted(text))") }
        }
        return InputValueDefinition(
            name: name, description: text("description", of: value, place), type: type, defaultValue: literal,
            deprecation: deprecation(of: value, place))
    }

    private mutating func directive(_ value: JSONValue, _ place: String) -> DirectiveDefinition? {
        guard let name = name(of: value, place) else { return nil }
        // Every schema has these, and a server describes them as of its own version of the specification.
        if ["skip", "include", "deprecated", "specifiedBy", "oneOf"].contains(name) { return nil }
        let locations = elements("locations", of: value, "@\(name)") { reader, location, place -> String? in
            if location.stringValue == nil { reader.report("\(place): expected a string, found \(reader.phrase(location))") }
            return location.stringValue
        }
        return DirectiveDefinition(
            name: name, description: text("description", of: value, "@\(name)"),
            arguments: elements("args", of: value, "@\(name)") { reader, argument, place in reader.input(argument, place) },
            locations: Set(locations), isRepeatable: value["isRepeatable"]?.boolValue ?? false)
    }

    /// Returns a type from its kind, and the types in lists and non-null in `ofType`.
    private mutating func typeReference(_ value: JSONValue?, _ place: String) -> TypeReference? {
        var wrappers: [String] = [], current = value
        while let kind = current?["kind"]?.stringValue, kind == "LIST" || kind == "NON_NULL", wrappers.count < 200 {
            if kind == "NON_NULL", wrappers.last == kind { report("\(place): NON_NULL in NON_NULL") }
            wrappers.append(kind)
            current = current?["ofType"]
        }
        guard let current, case .object = current else {
            report(
                "\(place): expected a type\(wrappers.isEmpty ? "" : " in \(wrappers.count) of LIST and NON_NULL"), found \(phrase(current))"
            )
            return nil
        }
        guard let name = name(of: current, place) else { return nil }
        return wrappers.reversed().reduce(.named(name)) { $1 == "LIST" ? .list($0) : .nonNull($0) }
    }

    // MARK: Members

    private mutating func deprecation(of value: JSONValue, _ place: String) -> String? {
        let reason = text("deprecationReason", of: value, place)
        return value["isDeprecated"]?.boolValue ?? (reason != nil) ? reason ?? "No longer supported" : nil
    }

    /// Returns the `name` of an object, or reports that it has none. Names become parts of generated code.
    private mutating func name(of value: JSONValue, _ place: String) -> String? {
        guard case .object = value else {
            report("\(place): expected an object, found \(phrase(value))")
            return nil
        }
        guard let name = value["name"]?.stringValue else {
            report("\(place).name: expected a string, found \(phrase(value["name"]))")
            return nil
        }
        guard name.utf8.first?.isNameStart == true, name.utf8.allSatisfy(\.isNameContinue) else {
            report("\(place).name: expected a name, found \(Token.quoted(name))")
            return nil
        }
        return name
    }

    /// Returns an optional string, or nil for null. Reports other values.
    private mutating func text(_ member: String, of value: JSONValue, _ place: String) -> String? {
        switch value[member] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other:
            report("\(place).\(member): expected a string, found \(phrase(other))")
            return nil
        }
    }

    /// Returns the elements of an optional array, without the ones that `read` refuses.
    private mutating func elements<Element>(
        _ member: String, of value: JSONValue, _ place: String, _ read: (inout Self, JSONValue, String) -> Element?
    ) -> [Element] {
        switch value[member] {
        case nil, .null: return []
        case .array(let array):
            var elements: [Element] = []
            for (index, element) in array.enumerated() {
                if let element = read(&self, element, "\(place).\(member)[\(index)]") { elements.append(element) }
            }
            return elements
        case let other:
            report("\(place).\(member): expected an array, found \(phrase(other))")
            return []
        }
    }

    private func phrase(_ value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .null: "null"
        case .bool: "a Boolean value"
        case .integer, .number: "a number"
        case .string(let text): Token.quoted(text)
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension ValueLiteral {
    /// Parses a value without variables.
    package static func parse(_ text: String) throws(GraphQLSyntaxError) -> ValueLiteral {
        var parser = try DocumentParser(text, limits: SyntaxLimits())
        let value = try parser.value(isConstant: true)
        guard parser.token.kind == .end else { throw parser.unexpected("the end of the value") }
        return value
    }
}
