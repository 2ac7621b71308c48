/// Writes the repository's file, or an extension of an existing repository.
struct RepositorySource {
    let plan: EndpointPlan
    let home: RepositoryHome

    private var style: DeclarationStyle { DeclarationStyle(plan.options) }

    var file: GeneratedFile? {
        guard home.isCallable, let type = home.typeName, let repository = plan.repository else { return nil }
        var text = SourceText()
        text.imports(modules, access: style.access)
        if home.kind == .new { declarations(type, repository, &text) }
        text.block("\(style.isolation)extension \(type) {") { text in
            text.line("/// Sends `\(plan.title)`.")
            let parameters = plan.properties.map { Self.parameter($0, plan, hasDefault: true) }
            text.list("\(style.access)func \(home.method)(", parameters, ") \(Self.effects(plan)) {")
            text.nestedList("try await \(home.client).send(", "\(plan.name)(", plan.properties.map(\.argument), indentation: 1)
            text.line("}")
        }
        let name = home.kind == .new ? repository : "\(repository)+\(plan.name)"
        return GeneratedFile(name: "\(name).swift", isTest: false, text: text.text)
    }

    private func declarations(_ type: String, _ repository: String, _ text: inout SourceText) {
        let words = Identifier.words(in: repository).filter { $0 != "Repository" }.joined(separator: " ").lowercased()
        text.line("/// The API's calls for \(words).")
        text.block("\(style.type)protocol \(repository): Sendable {") { text in
            text.line("/// Sends `\(plan.title)`.")
            let parameters = plan.properties.map { Self.parameter($0, plan, hasDefault: false) }
            text.list("func \(home.method)(", parameters, ") \(Self.effects(plan))")
        }
        text.line()
        text.line("/// Sends the calls with an HTTP client. Tests pass an `HTTPClientMock`.")
        text.block("\(style.type)struct \(type): \(repository) {") { text in
            text.line("let client: any HTTPClientProtocol")
            guard style.isPublic else { return }
            text.line()
            text.line("/// Creates a repository.")
            text.line("public init(client: any HTTPClientProtocol) {")
            text.line("    self.client = client")
            text.line("}")
        }
        text.line()
    }

    private var modules: Set<String> {
        let isNeeded =
            plan.properties.contains(where: \.needsFoundation) || plan.payload?.isInline == true
            || plan.response?.isInline == true && plan.response?.isTopLevel == true
        return isNeeded ? ["Foundation", "Martlet"] : ["Martlet"]
    }

    /// The effects and the result. An empty response has no result.
    private static func effects(_ plan: EndpointPlan) -> String {
        let result = plan.response.map { $0.isTopLevel ? $0.type.source : "\(plan.name).Response" }
        return "async throws(HTTPError)" + (result.map { " -> \($0)" } ?? "")
    }

    /// The requirement of the protocol for a method.
    static func requirement(_ plan: EndpointPlan, method: String) -> String {
        "func \(method)(\(plan.properties.map { parameter($0, plan, hasDefault: false) }.joined(separator: ", "))) \(effects(plan))"
    }

    private static func parameter(_ property: EndpointProperty, _ plan: EndpointPlan, hasDefault: Bool) -> String {
        let type = property.place == .body ? plan.payload?.qualifiedSource(in: plan.name) ?? property.type : property.type
        return "\(Identifier.escaped(property.name)): \(type)\(hasDefault && property.isOptional ? " = nil" : "")"
    }
}

extension PayloadType {
    /// The type as other types than the endpoint write it: `CreateOrder.Body`.
    func qualifiedSource(in endpoint: String) -> String {
        guard let model, !isTopLevel else { return type.source }
        return type.naming("\(endpoint).\(model.name)").source
    }

    /// Whether the type's own name is one of Foundation's.
    var isInline: Bool { model == nil && !isExisting && type.needsFoundation }
}
