internal import MartletGraphQL

extension GraphQLSchema {
    /// The schema in the schema definition language, with the types in their order, and without what is built in.
    package var sdl: String {
        var writer = SDLWriter()
        writer.schema(self)
        for directive in ownDirectives.compactMap({ directives[$0] }) { writer.directive(directive) }
        for type in ownTypes.compactMap({ types[$0] }) { writer.type(type) }
        return writer.text
    }
}

/// Writes definitions in the schema definition language.
private struct SDLWriter {
    private(set) var text = ""

    private mutating func begin(_ description: String?) {
        if !text.isEmpty { text += "\n" }
        self.description(description, indent: "")
    }

    mutating func schema(_ schema: GraphQLSchema) {
        let roots = GraphQLOperationKind.allCases.compactMap { kind in schema.roots[kind].map { (kind, $0) } }
        let isConventional = GraphQLOperationKind.allCases.allSatisfy { kind in
            let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
            return schema.roots[kind] == (schema.types[name]?.kind == .object ? name : nil)
        }
        if isConventional, schema.description == nil { return }
        begin(schema.description)
        text += "schema {\n" + roots.map { "  \($0): \($1)\n" }.joined() + "}\n"
    }

    mutating func directive(_ directive: DirectiveDefinition) {
        begin(directive.description)
        text += "directive @\(directive.name)"
        arguments(directive.arguments, indent: "")
        text += (directive.isRepeatable ? " repeatable" : "") + " on " + directive.locations.sorted().joined(separator: " | ") + "\n"
    }

    mutating func type(_ type: SchemaType) {
        begin(type.description)
        text += "\(type.kind.keyword) \(type.name)"
        if !type.interfaces.isEmpty { text += " implements " + type.interfaces.joined(separator: " & ") }
        if let url = type.specifiedBy { text += " @specifiedBy(url: \(Self.quoted(url)))" }
        if type.isOneOf { text += " @oneOf" }
        if !type.members.isEmpty { text += " = " + type.members.joined(separator: " | ") }
        let isBlock = !type.fields.isEmpty || !type.values.isEmpty || !type.inputFields.isEmpty
        text += isBlock ? " {\n" : "\n"
        for field in type.fields {
            description(field.description, indent: "  ")
            text += "  \(field.name)"
            arguments(field.arguments, indent: "  ")
            text += ": \(field.type)" + Self.deprecation(field.deprecation) + "\n"
        }
        for value in type.values {
            description(value.description, indent: "  ")
            text += "  \(value.name)" + Self.deprecation(value.deprecation) + "\n"
        }
        for field in type.inputFields {
            description(field.description, indent: "  ")
            text += "  \(Self.input(field))\n"
        }
        if isBlock { text += "}\n" }
    }

    private mutating func arguments(_ arguments: [InputValueDefinition], indent: String) {
        if arguments.isEmpty { return }
        guard arguments.contains(where: { $0.description != nil }) else {
            return text += "(" + arguments.map(Self.input).joined(separator: ", ") + ")"
        }
        text += "(\n"
        for argument in arguments {
            description(argument.description, indent: indent + "  ")
            text += "\(indent)  \(Self.input(argument))\n"
        }
        text += "\(indent))"
    }

    private static func input(_ input: InputValueDefinition) -> String {
        "\(input.name): \(input.type)" + (input.defaultValue.map { " = \($0.text)" } ?? "") + deprecation(input.deprecation)
    }

    private static func deprecation(_ reason: String?) -> String {
        guard let reason else { return "" }
        return reason == "No longer supported" ? " @deprecated" : " @deprecated(reason: \(quoted(reason)))"
    }

    private mutating func description(_ description: String?, indent: String) {
        guard let description else { return }
        // A block string loses the space around its lines, so only a text without it is written as one.
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        let hasControls = description.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }
        let isFramed = lines.first?.isBlank == false && lines.last?.isBlank == false && lines.contains { !$0.isIndented && !$0.isBlank }
        guard lines.count > 1, isFramed, !hasControls else {
            text += "\(indent)\(Self.quoted(description))\n"
            return
        }
        // A reader compares scalars, not characters, so that a combining mark after a quote changes nothing.
        let quotes = "\"\"\"".unicodeScalars, escaped = "\\\"\"\"".unicodeScalars
        let body = lines.map { $0.isEmpty ? "" : indent + String($0.unicodeScalars.replacing(quotes, with: escaped)) }
            .joined(separator: "\n")
        text += "\(indent)\"\"\"\n\(body)\n\(indent)\"\"\"\n"
    }

    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension Substring {
    fileprivate var isBlank: Bool { unicodeScalars.allSatisfy { $0 == " " || $0 == "\t" } }

    fileprivate var isIndented: Bool { unicodeScalars.first == " " || unicodeScalars.first == "\t" }
}

extension ValueLiteral {
    /// The value in the syntax of documents. The nesting of a parsed value is limited.
    package var text: String {
        // The parts that are still to be written, the last one first.
        var waiting: [Part] = [.value(self)], text = ""
        while let part = waiting.popLast() {
            switch part {
            case .text(let part): text += part
            case .value(.list(let elements)): waiting += Part.list(elements.map { [.value($0)] }, "[", "]")
            case .value(.object(let members)): waiting += Part.list(members.map { [.text("\($0.name): "), .value($0.value)] }, "{", "}")
            case .value(.variable(let name, _)): text += "$\(name)"
            case .value(.integer(let digits)), .value(.float(let digits)): text += digits
            case .value(.string(let value)): text += SDLWriter.quoted(value)
            case .value(.boolean(let value)): text += "\(value)"
            case .value(.null): text += "null"
            case .value(.enumeration(let name)): text += name
            }
        }
        return text
    }

    private enum Part {
        case text(String)
        case value(ValueLiteral)

        static func list(_ elements: [[Part]], _ opening: String, _ closing: String) -> [Part] {
            let separated = elements.enumerated().flatMap { $0 == 0 ? $1 : [.text(", ")] + $1 }
            return ([.text(opening)] + separated + [.text(closing)]).reversed()
        }
    }
}
