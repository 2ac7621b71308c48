internal import EndpointGenerator
internal import MartletGraphQLSchema

/// Writes the enums and input objects of the schema.
struct SchemaTypeSource {
    let style: SwiftStyle

    /// Writes an enum.
    func write(_ type: SchemaType, name: String, to text: inout SourceText) {
        style.comment(type.description, otherwise: "The values of `\(type.name)`.", to: &text)
        let start = "\(style.type)enum \(name): String, Codable, Sendable {"
        let cases = zip(type.values, SwiftNames.members(type.values.map(\.name))).map { value, member in
            Identifier.escaped(member) + (value.name == member ? "" : " = \"\(value.name)\"")
        }
        let isPlain = type.values.allSatisfy { $0.deprecation == nil && !style.hasComment($0.description) }
        if isPlain, text.shortBlock(start, "case", cases) { return }
        text.block(start) { text in
            if isPlain { return text.fill("case ", cases) }
            for (value, line) in zip(type.values, cases) {
                style.comment(value.description, otherwise: "`\(value.name)`", to: &text)
                text.declaration("case \(line)", deprecation: value.deprecation)
            }
        }
    }

    /// Returns a type that the private storage of an input object has, or nil.
    func privateType(of object: InputObject) -> String? {
        !object.isOneOf && object.properties.contains(where: hasOwnStorage) ? "GraphQLIndirect" : nil
    }

    /// Returns the sources of the types in the declarations of an input object.
    func types(of object: InputObject) -> [String] {
        let hasWrapper = !object.isOneOf && object.properties.contains { $0.isIndirect && !hasOwnStorage($0) }
        return object.properties.map(\.type) + (hasWrapper ? ["GraphQLIndirect"] : [])
    }

    /// Writes an input object.
    func write(_ object: InputObject, to text: inout SourceText) {
        style.comment(object.description, otherwise: "The input object `\(object.name)`.", to: &text)
        object.isOneOf ? oneOf(object, &text) : structure(object, &text)
    }

    private func structure(_ object: InputObject, _ text: inout SourceText) {
        let start = "\(style.type)struct \(object.name): \(style.conformances("Encodable")) {"
        // Swift 6.3 makes no initializer for `var a: Int?, b: Int`.
        let isPlain =
            object.properties.count == 1
            && object.properties.allSatisfy {
                $0.key == $0.name && $0.deprecation == nil && !$0.isIndirect && !style.hasComment($0.description)
            }
        if isPlain, text.shortBlock(start, "var", object.properties.map { "\(Identifier.escaped($0.name)): \($0.type)" }) { return }
        text.block(start) { text in
            properties(object.properties, of: "field", &text)
        }
    }

    /// Writes properties, the initializer of a public type, and the coding keys if some have other names.
    func properties(_ properties: [InputProperty], of kind: String, isMutable: Bool = true, _ text: inout SourceText) {
        for property in properties {
            style.comment(property.description, otherwise: "The \(kind) `\(property.key)`.", to: &text)
            self.property(property, isMutable: isMutable || property.isOptional, &text)
        }
        if style.isPublic || properties.contains(where: hasOwnStorage) { initializer(properties, &text) }
        guard properties.contains(where: { $0.key != stored($0) }) else { return }
        text.line()
        let cases = properties.map { Identifier.escaped(stored($0)) + ($0.key == stored($0) ? "" : " = \"\($0.key)\"") }
        text.codingKeys(cases, hasValues: true, style)
    }

    private func property(_ property: InputProperty, isMutable: Bool, _ text: inout SourceText) {
        let name = Identifier.escaped(property.name), stored = stored(property)
        guard stored == property.name else {
            let value = hasOwnStorage(property) ? stored + ".wrappedValue" : stored
            let type = hasOwnStorage(property) ? "GraphQLIndirect<\(property.type)>" : property.type
            text.declaration("\(style.access)var \(name): \(property.type) {", deprecation: property.deprecation)
            text.indented { text in
                text.line("get { \(value) }")
                text.line("set { \(value) = newValue }")
            }
            text.line("}")
            return text.line("private var \(stored): \(type)")
        }
        let isWrapped = property.isIndirect, value = isWrapped && property.isOptional && !style.isPublic ? " = nil" : ""
        let line = "\(style.access)\(isMutable ? "var" : "let") \(name): \(property.type)\(value)"
        text.declaration(isWrapped ? "@GraphQLIndirect \(line)" : line, deprecation: property.deprecation)
    }

    private func stored(_ property: InputProperty) -> String {
        // The initializer of a public type would get a warning for a deprecated stored property.
        style.isPublic && property.deprecation != nil || hasOwnStorage(property) ? "_\(property.name)" : property.name
    }

    /// Whether the property is computed, because a property of a nonisolated type can't have a wrapper.
    private func hasOwnStorage(_ property: InputProperty) -> Bool {
        property.isIndirect && (style.isNonisolated || style.isPublic && property.deprecation != nil)
    }

    private func initializer(_ properties: [InputProperty], _ text: inout SourceText) {
        text.line()
        style.comment(nil, otherwise: "Creates a value.", to: &text)
        let parameters = properties.map { "\(Identifier.escaped($0.name)): \($0.type)\($0.isOptional ? " = nil" : "")" }
        text.list("\(style.access)init(", parameters, ") {")
        text.indented { text in
            for property in properties {
                let value = Identifier.escaped(property.name)
                text.line("self.\(stored(property)) = \(hasOwnStorage(property) ? "GraphQLIndirect(wrappedValue: \(value))" : value)")
            }
        }
        text.line("}")
    }

    private func oneOf(_ object: InputObject, _ text: inout SourceText) {
        let word = object.isRecursive ? "indirect enum" : "enum"
        text.block("\(style.type)\(word) \(object.name): \(style.conformances("Encodable")) {") { text in
            for property in object.properties {
                style.comment(property.description, otherwise: "The field `\(property.key)`.", to: &text)
                text.declaration("case \(Identifier.escaped(property.name))(\(property.type))", deprecation: property.deprecation)
            }
            text.line()
            let cases = object.properties.map { Identifier.escaped($0.name) + ($0.key == $0.name ? "" : " = \"\($0.key)\"") }
            text.codingKeys(cases, hasValues: object.properties.contains { $0.key != $0.name }, style)
            text.line()
            if style.isPublic { text.line("/// Encodes the field.") }
            // Otherwise, the deprecated cases would get warnings here.
            if object.properties.contains(where: { $0.deprecation != nil }) { text.line("@available(*, deprecated)") }
            text.block("\(style.access)func encode(to encoder: any Encoder) throws {") { text in
                text.line("var fields = encoder.container(keyedBy: CodingKeys.self)")
                text.line("switch self {")
                for property in object.properties {
                    let name = property.name
                    text.line("case .\(name)(let value): try fields.encode(value, forKey: .\(name))")
                }
                text.line("}")
            }
        }
    }
}
