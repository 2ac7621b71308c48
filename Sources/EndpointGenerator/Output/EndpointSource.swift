internal import MartletHTTP

/// Writes the endpoint's file.
struct EndpointSource {
    let plan: EndpointPlan

    private var style: DeclarationStyle { DeclarationStyle(plan.options) }

    var text: String {
        var text = SourceText()
        text.imports(modules, access: style.access)
        text.line("/// `\(plan.title)`")
        text.block("\(style.type)struct \(plan.name): Endpoint {") { text in
            alias(&text)
            for property in plan.properties { stored(property, &text) }
            if style.isPublic { initializer(&text) }
            if !text.text.hasSuffix("{\n") { text.line() }
            requirements(&text)
            if plan.response?.isString == true { decoding(&text) }
            write(plan.response, "the response", isMutable: false, &text)
            write(plan.payload, "the request's body", isMutable: true, &text)
        }
        if let response = plan.response, let model = response.model, !response.isTopLevel {
            ModelSource(style: style, isMutable: false).writeReading(model, in: plan.name + ".", to: &text)
        }
        return text.text
    }

    /// Writes a nested model.
    private func write(_ payload: PayloadType?, _ place: String, isMutable: Bool, _ text: inout SourceText) {
        guard let payload, let model = payload.model, !payload.isTopLevel else { return }
        let comment = payload.needsAlias ? "One element of \(place)." : "The content of \(place)."
        text.line()
        ModelSource(style: style, isMutable: isMutable).write(model, comment: comment, to: &text)
    }

    private var modules: Set<String> {
        let isNested = [plan.response, plan.payload].compactMap { $0 }.contains { !$0.isTopLevel && $0.type.needsFoundation }
        let isNeeded = isNested || plan.response?.isString == true || plan.properties.contains(where: \.needsFoundation)
        return isNeeded ? ["Foundation", "Martlet"] : ["Martlet"]
    }

    private func alias(_ text: inout SourceText) {
        let response = plan.response?.type.source ?? "EmptyResponse"
        guard plan.response?.needsAlias != false else { return }
        if let comment = style.comment("The type of the response.") { text.line("/// \(comment)") }
        text.line("\(style.access)typealias Response = \(response)")
    }

    private func stored(_ property: EndpointProperty, _ text: inout SourceText) {
        text.line("/// \(property.comment)")
        text.line("\(style.access)\(property.isOptional ? "var" : "let") \(Identifier.escaped(property.name)): \(property.type)")
    }

    private func initializer(_ text: inout SourceText) {
        if !text.text.hasSuffix("{\n") { text.line() }
        text.line("/// Creates the endpoint.")
        text.list("public init(", plan.properties.map(\.parameter), ") {")
        for property in plan.properties { text.line("    self.\(property.name) = \(Identifier.escaped(property.name))") }
        text.line("}")
    }

    // MARK: Requirements

    private func requirements(_ text: inout SourceText) {
        requirement("path", "Path", pathSource, &text)
        if plan.method != .get { requirement("method", "HTTPMethod", plan.method.source, &text) }
        if !plan.query.parameters.isEmpty { query(&text) }
        if let payload = plan.properties.last, payload.place == .body {
            requirement("body", "RequestBody?", ".json(\(payload.name))", &text)
        }
    }

    private func requirement(_ name: String, _ type: String, _ value: String, _ text: inout SourceText) {
        if let comment = style.comment(requirementComments[name] ?? "") { text.line("/// \(comment)") }
        text.line("\(style.access)var \(name): \(type) { \(value) }")
    }

    private var requirementComments: [String: String] {
        ["path": "The path.", "method": "The method.", "query": "The query.", "body": "The body."]
    }

    private func query(_ text: inout SourceText) {
        if let comment = style.comment("The query.") { text.line("/// \(comment)") }
        let pairs = plan.properties.compactMap { property in
            if case .query(let name) = property.place { "\(SourceText.quoted(name)): \(Identifier.escaped(property.name))" } else { nil }
        }
        let line = "\(style.access)var query: Query { [\(pairs.joined(separator: ", "))] }"
        if line.count + 4 <= SourceText.width { return text.line(line) }
        text.block("\(style.access)var query: Query {") { text in
            text.line("[")
            for pair in pairs { text.line("    \(pair),") }
            text.line("]")
        }
    }

    /// The path as a literal with interpolations.
    private var pathSource: String {
        var names = plan.properties.makeIterator(), source = ""
        for part in plan.path.parts {
            switch part {
            case .literal(let literal): source += literal
            case .value: source += "\\(\(Identifier.escaped(names.next()?.name ?? "")))"
            }
        }
        // A leading slash has no meaning, except for the base URL itself.
        return "\"\(source.hasPrefix("/") && source.count > 1 ? String(source.dropFirst()) : source)\""
    }

    /// Decodes a JSON string. By default, a response of the type `String` is the text of the body.
    private func decoding(_ text: inout SourceText) {
        let type = plan.response?.type.source ?? "String"
        text.line()
        text.line("/// The response is a JSON string, and not text.")
        text.line("\(style.access)static var usesDecoder: Bool { true }")
        text.line()
        text.line("/// Decodes the JSON string.")
        text.list(
            "\(style.access)func decode(", ["_ response: HTTPResponse<Data>", "using decoder: any BodyDecoder"], ") throws -> \(type) {")
        text.line("    try decoder.decode(\(type).self, from: response.body)")
        text.line("}")
    }
}

extension EndpointProperty {
    /// The property as a parameter: `page: Int? = nil`.
    var parameter: String { "\(Identifier.escaped(name)): \(type)\(isOptional ? " = nil" : "")" }

    /// The property as an argument with its own value: `page: page`.
    var argument: String { "\(name): \(Identifier.escaped(name))" }
}

/// The file of a model at the top level.
struct ModelFile {
    let plan: EndpointPlan

    var file: GeneratedFile? {
        guard let response = plan.response, response.isTopLevel, let model = response.model else { return nil }
        let style = DeclarationStyle(plan.options)
        var text = SourceText()
        var modules: Set<String> = response.type.needsFoundation ? ["Foundation"] : []
        if response.type.needsMartlet || style.isJSONReadable { modules.insert("Martlet") }
        if !modules.isEmpty { text.imports(modules, access: style.access) }
        let source = ModelSource(style: style, isMutable: false)
        source.write(model, comment: "A value in the response to `\(plan.title)`.", to: &text)
        source.writeReading(model, to: &text)
        return GeneratedFile(name: "\(model.name).swift", isTest: false, text: text.text)
    }
}
