internal import MartletHTTP

/// A new endpoint whose names and types are known: the input of the writers. ``generate(existingRepository:)`` returns its files.
package struct EndpointPlan: Sendable {
    let options: GeneratorOptions
    let method: HTTPMethod
    let path: PathTemplate
    let query: QuerySample
    let responses: [Sample]
    let body: Sample?
    /// The response's type, or nil for an empty response.
    let response: PayloadType?
    /// The type of the request's body, or nil.
    let payload: PayloadType?
    let responseNotes: Notes
    let bodyNotes: Notes
    let element: String
    /// The name of the endpoint's type.
    let name: String
    /// The name of the repository's protocol, or nil with `--no-repository`.
    package let repository: String?
    /// The properties of the endpoint.
    let properties: [EndpointProperty]

    /// Chooses names and types.
    ///
    /// - Parameters:
    ///   - options: What to generate.
    ///   - responses: Samples of the response. A member that is missing or null in one of them is optional. Empty for a response without
    ///     a body.
    ///   - bodies: Samples of the request's body, which are merged in the same way. The first one is sent by the test. Default: none.
    package init(_ options: GeneratorOptions, responses: [Sample], bodies: [Sample] = []) throws(GeneratorError) {
        let method = try EndpointMethod.find(options.method)
        let path = try PathTemplate(options.path)
        let query = try QuerySample(options.query)
        if !bodies.isEmpty, !method.mayHaveBody { throw .unexpectedBody(method: method.rawValue) }
        if !responses.isEmpty || options.model != nil, method == .head { throw .unexpectedResponse(method: method.rawValue) }
        let derived = DerivedNames(method, path)
        name = try EndpointPlan.checked(options.name, "--name") ?? Identifier.unused(derived.endpoint, taken: [], suffix: "Endpoint")
        let model = try EndpointPlan.checked(options.model, "--model")
        switch options.repository {
        case .none: repository = nil
        case .derived: repository = derived.repository
        case .named(let name):
            // The repository's struct has the prefix.
            _ = try EndpointPlan.checked("HTTP" + name, "--repository")
            repository = try EndpointPlan.checked(name, "--repository")
        }
        if let module = options.module, !Identifier.isModuleName(module) { throw .invalidModule(module) }
        let names = [name, name + "Tests", model, repository, repository.map { "HTTP" + $0 }].compactMap { $0 }
        if let repeated = names.first(where: { name in names.count { $0 == name } > 1 }) { throw .repeatedName(repeated) }

        let element = Identifier.unused(derived.element, taken: [name, "Response", "Body"])
        var builder = TypeBuilder(options), bodyBuilder = TypeBuilder(options)
        let shape = EndpointPlan.shape(of: responses, &builder)
        response =
            try shape.map { shape throws(GeneratorError) in
                PayloadType(try EndpointPlan.type(of: shape, &builder), direct: "Response", element: element, model: model)
            } ?? model.map(PayloadType.init(existing:))
        if let model, response?.isTopLevel != true { throw .unusedModel(model) }
        let bodyShape = EndpointPlan.shape(of: bodies, &bodyBuilder)
        let bodyElement = response?.usesElementName == true ? element + "Body" : element
        payload = try bodyShape.map { shape throws(GeneratorError) in
            PayloadType(try EndpointPlan.type(of: shape, &bodyBuilder), direct: "Body", element: bodyElement, model: nil)
        }
        responseNotes = builder.notes
        bodyNotes = bodyBuilder.notes
        properties = EndpointProperty.all(path, query, payload)
        self.options = options
        self.method = method
        self.path = path
        self.query = query
        self.responses = responses
        self.element = element
        body = bodies.first
    }

    private static func shape(of samples: [Sample], _ builder: inout TypeBuilder) -> Shape? {
        guard !samples.isEmpty else { return nil }
        var shape = Shape(), notes = Notes()
        for sample in samples { shape.add(sample.root, path: "", notes: &notes) }
        builder.add(notes)
        return shape
    }

    private static func type(of shape: Shape, _ builder: inout TypeBuilder) throws(GeneratorError) -> SwiftType {
        let type = builder.root(shape)
        if let path = builder.tooManyProperties { throw .tooManyMembers(path: path, limit: TypeBuilder.maxProperties) }
        return type
    }

    private static func checked(_ name: String?, _ option: String) throws(GeneratorError) -> String? {
        guard let name else { return nil }
        guard Identifier.isTypeName(name) else { throw .invalidName(name, option: option) }
        return name
    }

    /// `GET /users/{id}`
    package var title: String { "\(method) \(path.text)" }

    /// Writes the files and the checklist.
    ///
    /// - Parameter existingRepository: The source of the repository's file, if there is one. It is never changed: the method is written
    ///   into a file of its own.
    package func generate(existingRepository: String? = nil) -> GeneratedEndpoint {
        let home = RepositoryHome(plan: self, existing: existingRepository)
        var files = [GeneratedFile(name: "\(name).swift", isTest: false, text: EndpointSource(plan: self).text)]
        if let file = ModelFile(plan: self).file { files.append(file) }
        if let file = RepositorySource(plan: self, home: home).file { files.append(file) }
        files.append(GeneratedFile(name: "\(name)Tests.swift", isTest: true, text: TestSource(plan: self, home: home).text))
        return GeneratedEndpoint(files: files, checklist: Checklist(plan: self, home: home).lines)
    }
}

/// The generated sources of one endpoint.
package struct GeneratedEndpoint: Sendable, Hashable {
    /// The files, tests last.
    package let files: [GeneratedFile]
    /// What remains to be done by hand, one step in each element.
    package let checklist: [String]
}

/// A generated file.
package struct GeneratedFile: Sendable, Hashable {
    /// The name of the file.
    package let name: String
    /// Whether it belongs to the tests.
    package let isTest: Bool
    /// The source.
    package let text: String
}
