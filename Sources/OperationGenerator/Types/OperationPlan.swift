internal import EndpointGenerator
internal import MartletGraphQL
internal import MartletGraphQLSchema

/// The types of all files.
struct OperationPlan {
    struct Operation {
        let definition: OperationDefinition
        /// The name in GraphQL.
        let key: String
        let name: String
        let data: DataType
        let variables: [InputProperty]
        let text: DocumentText
    }

    struct Fragment {
        let definition: FragmentDefinition
        let name: String
        let data: DataType
        let text: DocumentText
    }

    struct Enumeration {
        let type: SchemaType
        let name: String
    }

    let schema: GraphQLSchema
    let source: SourceDocuments
    let options: OperationOptions
    let operations: [Operation]
    let fragments: [Fragment]
    let inputs: [InputObject]
    let enumerations: [Enumeration]
    let scalars: ScalarTypes

    init(_ schema: GraphQLSchema, _ source: SourceDocuments, _ options: OperationOptions) throws(OperationGeneratorError) {
        self.schema = schema
        self.source = source
        self.options = options
        let names = try TopLevelNames(schema, source, options), configured = ScalarTypes(options.scalars)
        // All data comes before the texts: it decides where `__typename` is added.
        var data = DataTypeBuilder(schema, source, names, configured, options)
        let fragments = try source.joined.fragments.map { definition throws(OperationGeneratorError) in
            let name = try names.fragment(definition.name)
            return (definition: definition, name: name, data: try data.build(definition, name: name))
        }
        var inputs = InputTypeBuilder(schema, names, configured)
        let operations = try source.joined.operations.map { definition throws(OperationGeneratorError) in
            let key = try definition.name.known("the name of an operation")
            let root = try schema.roots[definition.kind].known("the type of a \(definition.kind.rawValue)")
            let uses = VariableUses(of: definition, on: root, schema, source.fragments)
            return (
                definition: definition, key: key, data: try data.build(definition, key, on: root),
                variables: try inputs.variables(of: definition, key, uses)
            )
        }
        try inputs.addNested()
        let scalars = data.scalars.merging(inputs.scalars)
        let problems = data.problems + scalars.problems
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
        self.inputs = inputs.objects
        self.scalars = scalars
        enumerations = try Self.enumerations(data.enumerations.union(inputs.enumerations), schema, names)
        let typenames = data.typenames
        self.fragments = try fragments.map { definition, name, data throws(OperationGeneratorError) in
            Fragment(definition: definition, name: name, data: data, text: try DocumentText(definition, typenames: typenames, names))
        }
        self.operations = try operations.map { definition, key, data, variables throws(OperationGeneratorError) in
            Operation(
                definition: definition, key: key, name: try names.operation(key), data: data, variables: variables,
                text: try DocumentText(definition, name: key, typenames: typenames, names))
        }
    }

    /// Returns the enums in the order of the schema, then those of introspection.
    private static func enumerations(
        _ used: Set<String>, _ schema: GraphQLSchema, _ names: TopLevelNames
    ) throws(OperationGeneratorError) -> [Enumeration] {
        let own = schema.ownTypes.filter(used.contains), others = used.subtracting(own).sorted()
        return try (own + others).map { name throws(OperationGeneratorError) in
            Enumeration(type: try schema.types[name].known("the type \"\(name)\""), name: try names.schemaType(name))
        }
    }
}
