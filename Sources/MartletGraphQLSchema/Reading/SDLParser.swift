internal import MartletGraphQL

/// Parses a document of the schema definition language (GraphQL, September 2025, §3). Nothing in it is recursive.
struct SDLParser {
    private var parser: DocumentParser
    private var found = SchemaDefinitions()

    private init(_ text: String, _ limits: SyntaxLimits, offset: Int) throws(GraphQLSyntaxError) {
        parser = try DocumentParser(text, limits: limits, offset: offset)
    }

    /// Parses a document, which may be empty. A schema of GitHub's size has 300,000 tokens.
    ///
    /// - Parameter offset: The offset of the text's first byte in positions. Default: 0.
    static func parse(
        _ text: String, offset: Int = 0, limits: SyntaxLimits = SyntaxLimits(tokens: 5_000_000)
    ) throws(GraphQLSyntaxError) -> SchemaDefinitions {
        var parser = try SDLParser(text, limits, offset: offset)
        while parser.token.kind != .end { try parser.definition() }
        return parser.found
    }

    private static let kinds: [String: SchemaType.Kind] = [
        "scalar": .scalar, "type": .object, "interface": .interface, "union": .union, "enum": .enumeration, "input": .inputObject,
    ]

    private var token: Token { parser.token }

    private mutating func definition() throws(GraphQLSyntaxError) {
        let description = try description(), isExtension = description == nil && token.isName("extend")
        if isExtension { try parser.advance() }
        if token.isName("schema") { return try schema(description, isExtension: isExtension) }
        if token.isName("directive"), !isExtension { return try directive(description) }
        guard token.kind == .name, let kind = Self.kinds[token.text] else {
            let words = "\"type\", \"interface\", \"union\", \"enum\", \"input\", \"scalar\""
            throw parser.unexpected(isExtension ? "\(words) or \"schema\"" : "\(words), \"directive\", \"schema\" or \"extend\"")
        }
        try type(kind, description, isExtension: isExtension)
    }

    private mutating func description() throws(GraphQLSyntaxError) -> String? {
        guard token.kind == .string else { return nil }
        let text = token.text
        try parser.advance()
        return text
    }

    private mutating func schema(_ description: String?, isExtension: Bool) throws(GraphQLSyntaxError) {
        let place = token.place
        try parser.advance()
        let directives = try directives(at: "SCHEMA", on: "schema")
        if !isExtension {
            found.description = description
            found.schemas.append(place)
        }
        if isExtension, !token.isPunctuator("{"), !directives.isEmpty { return }
        guard token.isPunctuator("{") else { throw parser.unexpected("\"{\"") }
        try parser.enter()
        repeat {
            let place = token.place
            guard token.kind == .name, let kind = GraphQLOperationKind(rawValue: token.text) else {
                throw parser.unexpected("\"query\", \"mutation\" or \"subscription\"")
            }
            try parser.advance()
            try parser.take(":")
            found.roots.append(SchemaDefinitions.Root(kind: kind, type: try parser.takeName("a type's name"), place: place))
        } while !token.isPunctuator("}")
        try parser.leave("}")
    }

    private mutating func directive(_ description: String?) throws(GraphQLSyntaxError) {
        try parser.advance()
        try parser.take("@")
        let place = token.place, name = try parser.takeName("a directive's name")
        let arguments = try inputValues("(", ")", at: "ARGUMENT_DEFINITION") { "@\(name)(\($0):)" }
        let isRepeatable = token.isName("repeatable")
        if isRepeatable { try parser.advance() }
        guard token.isName("on") else { throw parser.unexpected("\"on\" and the locations of the directive") }
        try parser.advance()
        var locations: Set<String> = []
        try names(separatedBy: "|", "a location such as FIELD") { name, _, _ in locations.insert(name) }
        found.directives.append(
            DirectiveDefinition(
                name: name, description: description, arguments: arguments, locations: locations, isRepeatable: isRepeatable, place: place))
    }

    private mutating func type(_ kind: SchemaType.Kind, _ description: String?, isExtension: Bool) throws(GraphQLSyntaxError) {
        try parser.advance()
        let place = token.place, name = try parser.takeName("a type's name")
        var type = SchemaType(kind: kind, name: name, description: description, place: place)
        if kind == .object || kind == .interface, token.isName("implements") {
            try parser.advance()
            type.interfaces = try names(of: name, separatedBy: "&", "an interface's name")
        }
        let directives = try directives(at: kind.rawValue, on: name)
        switch kind {
        case .scalar: type.specifiedBy = directives.text(of: "url", in: "specifiedBy")
        case .object, .interface: type.fields = try fields(of: name)
        case .union:
            if token.isPunctuator("=") {
                try parser.advance()
                type.members = try names(of: name, separatedBy: "|", "a type's name")
            }
        case .enumeration: type.values = try values(of: name)
        case .inputObject:
            type.isOneOf = directives.contains { $0.name == "oneOf" }
            type.inputFields = try inputValues("{", "}", at: "INPUT_FIELD_DEFINITION") { "\(name).\($0)" }
        }
        if !isExtension { return found.types.append(type) }
        let addsNothing = type.interfaces.isEmpty && type.fields.isEmpty && type.members.isEmpty && type.values.isEmpty
        if addsNothing, type.inputFields.isEmpty, directives.isEmpty { throw parser.unexpected("what the extension adds") }
        found.extensions.append(type)
    }

    private mutating func fields(of type: String) throws(GraphQLSyntaxError) -> [FieldDefinition] {
        var fields: [FieldDefinition] = []
        guard token.isPunctuator("{") else { return [] }
        try parser.enter()
        repeat {
            let description = try description(), place = token.place
            let name = try parser.takeName(fields.isEmpty ? "a field's name" : "a field's name or \"}\"")
            let arguments = try inputValues("(", ")", at: "ARGUMENT_DEFINITION") { "\(type).\(name)(\($0):)" }
            try parser.take(":")
            let reference = try parser.typeReference()
            let directives = try directives(at: "FIELD_DEFINITION", on: "\(type).\(name)")
            fields.append(
                FieldDefinition(
                    name: name, description: description, arguments: arguments, type: reference, deprecation: directives.deprecation,
                    place: place))
        } while !token.isPunctuator("}")
        try parser.leave("}")
        return fields
    }

    private mutating func values(of type: String) throws(GraphQLSyntaxError) -> [EnumValueDefinition] {
        var values: [EnumValueDefinition] = []
        guard token.isPunctuator("{") else { return [] }
        try parser.enter()
        repeat {
            let description = try description(), place = token.place
            let name = try parser.takeName(values.isEmpty ? "a value's name" : "a value's name or \"}\"")
            let directives = try directives(at: "ENUM_VALUE", on: "\(type).\(name)")
            values.append(EnumValueDefinition(name: name, description: description, deprecation: directives.deprecation, place: place))
        } while !token.isPunctuator("}")
        try parser.leave("}")
        return values
    }

    /// Parses optional arguments, or optional fields of an input object.
    private mutating func inputValues(
        _ opening: String, _ closing: String, at location: String, coordinate: (String) -> String
    ) throws(GraphQLSyntaxError) -> [InputValueDefinition] {
        var values: [InputValueDefinition] = []
        guard token.isPunctuator(opening) else { return [] }
        let expected = closing == ")" ? "an argument's name" : "a field's name"
        try parser.enter()
        repeat {
            let description = try description(), place = token.place
            let name = try parser.takeName(values.isEmpty ? expected : "\(expected) or \"\(closing)\"")
            try parser.take(":")
            let type = try parser.typeReference()
            var value: ValueLiteral?
            if token.isPunctuator("=") {
                try parser.advance()
                value = try parser.value(isConstant: true)
            }
            let directives = try directives(at: location, on: coordinate(name))
            values.append(
                InputValueDefinition(
                    name: name, description: description, type: type, defaultValue: value, deprecation: directives.deprecation, place: place
                ))
        } while !token.isPunctuator(closing)
        try parser.leave(closing)
        return values
    }

    /// Parses names with separators between them and perhaps before the first one.
    private mutating func names(
        separatedBy separator: String, _ expected: String, _ body: (String, SourcePlace, inout SchemaDefinitions) -> Void
    ) throws(GraphQLSyntaxError) {
        if token.isPunctuator(separator) { try parser.advance() }
        while true {
            let place = token.place
            body(try parser.takeName(expected), place, &found)
            guard token.isPunctuator(separator) else { return }
            try parser.advance()
        }
    }

    private mutating func names(of type: String, separatedBy separator: String, _ expected: String) throws(GraphQLSyntaxError) -> [String] {
        var names: [String] = []
        try self.names(separatedBy: separator, expected) { name, place, found in
            names.append(name)
            found.namePlaces["\(type) \(name)", default: place] = place
        }
        return names
    }

    private mutating func directives(at location: String, on owner: String) throws(GraphQLSyntaxError) -> [Directive] {
        let directives = try parser.directives(isConstant: true)
        found.uses += directives.map { SchemaDefinitions.DirectiveUse(directive: $0, location: location, owner: owner) }
        return directives
    }
}

extension [Directive] {
    /// The reason of `@deprecated`, or nil without it.
    fileprivate var deprecation: String? {
        contains { $0.name == "deprecated" } ? text(of: "reason", in: "deprecated") ?? "No longer supported" : nil
    }

    /// Returns the text of a directive's argument, or nil without it.
    fileprivate func text(of argument: String, in directive: String) -> String? {
        let value = first { $0.name == directive }?.arguments.first { $0.name == argument }?.value
        return if case .string(let text) = value { text } else { nil }
    }
}
