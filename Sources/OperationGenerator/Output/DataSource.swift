internal import EndpointGenerator

/// Writes the types of data. What they can't have in their own braces is written after the declaration at the top level.
struct DataSource {
    private let style: SwiftStyle
    /// The names of the types that are `JSONReadable`, apart from those that are written here.
    private let readable: Set<String>
    /// The extensions with the reading of types whose decoding is not synthesized.
    private var extensions = SourceText()

    /// - Parameter readable: The types of fragments that are `JSONReadable`.
    init(_ style: SwiftStyle, readable: Set<String>) {
        self.style = style
        self.readable = readable.union(Self.readableScalars)
    }

    /// Writes a type, and collects its extensions.
    ///
    /// - Parameters:
    ///   - path: The full name of the type that contains it, with a dot at the end.
    ///   - comment: The comment of a public type.
    ///   - head: The lines that begin the type.
    mutating func write(
        _ type: DataType, in path: String = "", comment: String, description: String? = nil, head: [String] = [], to text: inout SourceText
    ) {
        switch type {
        case .structure(let type): write(type, path, comment, description, head, &text)
        case .variants(let type): write(type, path, comment, description, head, &text)
        case .fragment(let name):
            style.comment(nil, otherwise: comment, to: &text)
            text.line("\(style.access)typealias Data = \(name)")
        }
    }

    /// Writes the extensions of all types written.
    func writeExtensions(to text: inout SourceText) {
        guard !extensions.text.isEmpty else { return }
        text.lines(extensions.text.dropLast())
    }

    // MARK: Structs

    private mutating func write(
        _ type: DataStruct, _ path: String, _ comment: String, _ description: String?, _ head: [String], _ text: inout SourceText
    ) {
        let isReadable = style.isReadable(.structure(type)), conformances = style.conformances(isReadable ? nil : "Decodable")
        style.comment(description, otherwise: comment, to: &text)
        let start = "\(style.type)struct \(type.name): \(conformances) {"
        if head.isEmpty, isPlain(type), text.shortBlock(start, "let", type.properties) {
            if isReadable { reading(type, path + type.name) }
            return
        }
        text.open(start)
        for line in head { text.line(line) }
        for field in type.fields {
            style.comment(field.description, otherwise: "The field `\(field.key)`.", to: &text)
            property(field.name, field.type, field.deprecation, &text)
        }
        for part in type.parts {
            style.comment(nil, otherwise: part.nested == nil ? "The fields of the fragment." : "The fields of the type.", to: &text)
            property(part.name, part.type + (part.isOptional ? "?" : ""), nil, &text)
        }
        if style.isPublic { initializer(type, &text) }
        if !isReadable, type.hasOtherKeys || style.isPublic && type.fields.contains(where: { $0.deprecation != nil }) {
            text.line()
            codingKeys(type, &text)
        }
        let path = path + type.name
        for field in type.fields {
            guard let nested = field.nested else { continue }
            text.line()
            write(nested, in: path + ".", comment: "The value of `\(field.key)`.", to: &text)
        }
        for part in type.parts {
            guard let nested = part.nested else { continue }
            text.line()
            write(.variants(nested), in: path + ".", comment: "The fields of each type.", to: &text)
        }
        text.close()
        if isReadable { reading(type, path) }
    }

    /// Whether nothing but properties is written.
    private func isPlain(_ type: DataStruct) -> Bool {
        guard !style.isPublic, style.isReadable(.structure(type)) || !type.hasOtherKeys, type.parts.allSatisfy({ $0.nested == nil }) else {
            return false
        }
        return type.fields.allSatisfy { $0.nested == nil && $0.deprecation == nil && !style.hasComment($0.description) }
    }

    /// Writes a property. The initializer of a public type would get a warning for a deprecated stored property.
    private func property(_ name: String, _ type: String, _ deprecation: String?, _ text: inout SourceText) {
        let escaped = Identifier.escaped(name)
        guard style.isPublic, deprecation != nil else {
            return text.declaration("\(style.access)let \(escaped): \(type)", deprecation: deprecation)
        }
        text.declaration("public var \(escaped): \(type) { _\(name) }", deprecation: deprecation)
        text.line("private let _\(name): \(type)")
    }

    private func stored(_ field: DataField) -> String {
        style.isPublic && field.deprecation != nil ? "_\(field.name)" : field.name
    }

    private func initializer(_ type: DataStruct, _ text: inout SourceText) {
        text.line()
        text.line("/// Creates a value.")
        text.list("public init(", type.properties, ") {")
        text.indented { text in
            for field in type.fields { text.line("self.\(stored(field)) = \(Identifier.escaped(field.name))") }
            for part in type.parts { text.line("self.\(part.name) = \(Identifier.escaped(part.name))") }
        }
        text.line("}")
    }

    private func codingKeys(_ type: DataStruct, _ text: inout SourceText) {
        let cases = type.fields.map { field in
            let name = stored(field)
            return Identifier.escaped(name) + (field.key == name ? "" : " = \"\(field.key)\"")
        }
        text.codingKeys(cases, hasValues: type.fields.contains { $0.key != stored($0) }, style)
    }

    // MARK: Reading

    private mutating func reading(_ type: DataStruct, _ path: String) {
        let fields = type.fields.map { (label: $0.name, value: value(of: $0)) }
        let parts = type.parts.map { (label: $0.name, value: value(of: $0)) }
        extensions.line()
        let comment = style.isPublic ? "Reads the fields, and the fragments from the same object." : nil
        extensions.reading(of: style.isolation + "extension " + path, comment: comment, access: style.access, fields + parts)
    }

    /// Returns the expression that reads a field.
    private func value(of field: DataField) -> String {
        let names = SwiftTypeName.names(in: field.type)
        let isKnown = field.nested.map { style.isReadable($0) } ?? names.allSatisfy(readable.contains)
        // A custom scalar may be a dictionary.
        let isReadable = names.first == "GraphQLEnum" || isKnown && !field.type.contains(":")
        let value = SourceText.reading(field.key, isReadable: isReadable, isOptional: field.isOptional)
        return field.isPartial ? "try? \(value)" : value
    }

    /// Returns the expression that reads a part.
    private func value(of part: DataPart) -> String {
        let value = part.nested != nil || readable.contains(part.type) ? "json.value()" : "json.decode()"
        return switch part.presence {
        case .always: value
        case .unknown: "try? \(value)"
        case .key(let key): "json.contains(\"\(key)\") ? \(value) : nil"
        }
    }

    /// The types that read themselves. `GraphQLEnum` does with any values.
    private static let readableScalars: Set<String> = [
        "Bool", "Double", "Float", "GraphQLID", "Int", "Int8", "Int16", "Int32", "Int64", "String", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64",
    ]

    // MARK: Variants

    private mutating func write(
        _ type: DataVariants, _ path: String, _ comment: String, _ description: String?, _ head: [String], _ text: inout SourceText
    ) {
        let path = path + type.name
        style.comment(description, otherwise: comment, to: &text)
        text.open("\(style.type)enum \(type.name): \(style.conformances()) {")
        for line in head { text.line(line) }
        let cases = type.cases.map { "\(Identifier.escaped($0.name))(\($0.payload.name))" }
        if style.isPublic {
            for (variant, name) in zip(type.cases, cases) {
                text.line("/// An object of the type \(variant.types.map { "`\($0)`" }.joined(separator: ", ")).")
                text.line("case \(name)")
            }
            text.line("/// An object of another type, with its `__typename`.")
            text.line("case unknown(String)")
        } else {
            text.fill("case ", cases + ["unknown(String)"])
        }
        for variant in type.cases {
            if case .fragment = variant.payload { continue }
            text.line()
            write(variant.payload, in: path + ".", comment: "The fields of the case `\(variant.name)`.", to: &text)
        }
        text.close()
        reading(type, path)
    }

    private mutating func reading(_ type: DataVariants, _ path: String) {
        extensions.line()
        extensions.open("\(style.isolation)extension \(path): JSONReadable {")
        if style.isPublic { extensions.line("/// Reads the case that `__typename` names.") }
        extensions.open("\(style.access)init(json: inout JSONReader) throws {")
        extensions.line("switch try json[\"__typename\"] as String {")
        for variant in type.cases {
            let isReadable = style.isReadable(variant.payload) || readable.contains(variant.payload.name)
            let line = " self = try .\(variant.name)(json.\(isReadable ? "value" : "decode")())"
            extensions.cases(variant.types.map { "\"\($0)\"" }, line)
        }
        extensions.line("case let name: self = .unknown(name)")
        extensions.line("}")
        extensions.close()
        extensions.close()
    }
}

extension SourceText {
    /// Writes the coding keys, in one line if there is room.
    mutating func codingKeys(_ cases: [String], hasValues: Bool, _ style: SwiftStyle) {
        let start = "private \(style.isolation)enum CodingKeys: \(hasValues ? "String, " : "")CodingKey {"
        let line = "\(start) case \(cases.joined(separator: ", ")) }"
        if line.count + indentation <= 140 { return self.line(line) }
        open(start)
        fill("case ", cases)
        close()
    }

    /// Writes the patterns of a case with a statement after the colon.
    mutating func cases(_ patterns: [String], _ statement: String) {
        let line = "case \(patterns.joined(separator: ", ")):\(statement)"
        if line.count + indentation <= 140 { return self.line(line) }
        fill("case ", patterns, end: ":")
        indented { $0.line(String(statement.dropFirst())) }
    }

    /// Writes a type in one line if it is short, and returns whether it is.
    mutating func shortBlock(_ start: String, _ keyword: String, _ properties: [String]) -> Bool {
        let line = "\(start) \(keyword) \(properties.joined(separator: ", ")) }"
        guard !properties.isEmpty, line.count <= SourceText.width, line.count + indentation <= 140 else { return false }
        self.line(line)
        return true
    }
}
