/// Writes the models as Swift source.
struct ModelSource {
    let style: DeclarationStyle
    /// Whether properties are variables, so that a request's Optionals have nil as default.
    let isMutable: Bool

    /// Whether the models read themselves. A request's are only encoded.
    private var isReadable: Bool { style.isJSONReadable && !isMutable }

    /// Writes the extensions with the reading of a model and the models nested in it, or nothing.
    ///
    /// - Parameter path: The name of the type that contains the model, with a dot at the end, or nothing.
    func writeReading(_ model: Model, in path: String = "", to text: inout SourceText) {
        guard isReadable, case .object(let object) = model else { return }
        for nested in object.models { writeReading(nested, in: path + object.name + ".", to: &text) }
        let values = object.properties.map { property in
            let type = property.type
            let value = SourceText.reading(property.key, isReadable: type.isJSONReadable, isOptional: type.isOptional)
            return (label: property.name, value: value)
        }
        text.line()
        let type = "\(style.isolation)extension \(path)\(object.name)"
        text.reading(of: type, comment: style.comment("Reads the members."), access: style.access, values)
    }

    /// Writes a model with the models nested in it.
    func write(_ model: Model, comment: String? = nil, to text: inout SourceText) {
        switch model {
        case .object(let object): write(object, comment, &text)
        case .openEnum(let strings): write(strings, &text)
        }
    }

    private func write(_ model: ObjectModel, _ comment: String?, _ text: inout SourceText) {
        if let comment { text.line("/// \(comment)") }
        let coding = isReadable ? "Encodable" : "Codable"
        text.block("\(style.type)struct \(model.name): \(coding), Hashable, Sendable {") { text in
            for property in model.properties {
                if let comment = style.comment("The member `\(SourceText.shortComment(property.member))`.") { text.line("/// \(comment)") }
                let name = Identifier.escaped(property.name)
                text.line("\(style.access)\(isMutable ? "var" : "let") \(name): \(property.type.source)")
            }
            if style.isPublic { initializer(model, &text) }
            for nested in model.models {
                text.line()
                let member = model.properties.first { $0.type.model == nested }?.member ?? ""
                write(nested, comment: style.comment("A value of the member `\(SourceText.shortComment(member))`."), to: &text)
            }
            if model.needsCodingKeys { codingKeys(model, &text) }
        }
    }

    private func initializer(_ model: ObjectModel, _ text: inout SourceText) {
        text.line()
        text.line("/// Creates a value.")
        let parameters = model.properties.map { property in
            "\(Identifier.escaped(property.name)): \(property.type.source)\(property.type.isOptional ? " = nil" : "")"
        }
        text.list("public init(", parameters, ") {")
        for property in model.properties {
            text.line("    self.\(property.name) = \(Identifier.escaped(property.name))")
        }
        text.line("}")
    }

    private func codingKeys(_ model: ObjectModel, _ text: inout SourceText) {
        text.line()
        text.block("private \(style.isolation)enum CodingKeys: String, CodingKey {") { text in
            for property in model.properties {
                let name = Identifier.escaped(property.name)
                text.line("case \(name)" + (property.key == property.name ? "" : " = \(SourceText.quoted(property.key))"))
            }
        }
    }

    private func write(_ model: EnumModel, _ text: inout SourceText) {
        text.line("/// The values in the samples. `OpenEnum` keeps unknown ones.")
        text.block("\(style.type)enum \(model.name): String, Codable, Sendable {") { text in
            for item in model.cases {
                if let comment = style.comment("`\(SourceText.comment(item.value))`") { text.line("/// \(comment)") }
                let name = Identifier.escaped(item.name)
                text.line("case \(name)" + (item.value == item.name ? "" : " = \(SourceText.quoted(item.value))"))
            }
        }
    }
}

/// The modifiers of generated declarations.
struct DeclarationStyle {
    let isPublic: Bool
    let isNonisolated: Bool
    let isJSONReadable: Bool

    init(_ options: GeneratorOptions) {
        isPublic = options.isPublic
        isNonisolated = options.isNonisolated
        isJSONReadable = options.isJSONReadable
    }

    /// `public ` or nothing.
    var access: String { isPublic ? "public " : "" }
    /// `nonisolated ` or nothing.
    var isolation: String { isNonisolated ? "nonisolated " : "" }
    /// The modifiers of a type.
    var type: String { access + isolation }

    /// Returns the comment for a public declaration, and nil otherwise.
    func comment(_ comment: String) -> String? { isPublic ? comment : nil }
}
