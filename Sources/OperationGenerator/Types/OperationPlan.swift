internal import EndpointGenerator
internal import MartletGraphQL
internal import MartletGraphQLSchema

/// The types of all files.
struct OperationPlan {
    struct Operation {
        let definition: OperationDefinition
        let name: String
        var data: DataType
        var variables: [InputProperty]
        var text: DocumentText?
    }

    struct Fragment {
        let definition: FragmentDefinition
        let name: String
        var data: DataType
        var text: DocumentText?
    }

    let schema: GraphQLSchema
    let source: SourceDocuments
    let options: OperationOptions
    let names: TopLevelNames
    private(set) var operations: [Operation] = []
    private(set) var fragments: [Fragment] = []
    private(set) var inputs: [InputObject] = []
    private(set) var enumerations: [SchemaType] = []
    private(set) var scalars: ScalarTypes

    init(_ schema: GraphQLSchema, _ source: SourceDocuments, _ options: OperationOptions) throws(OperationGeneratorError) {
        self.schema = schema
        self.source = source
        self.options = options
        names = try TopLevelNames(schema, source, options)
        scalars = ScalarTypes(options.scalars)
    }

    mutating func build() throws(OperationGeneratorError) {
        var data = DataTypeBuilder(schema, source, names, scalars, options)
        for definition in source.joined.fragments {
            let name = names.fragments[definition.name] ?? definition.name
            fragments.append(Fragment(definition: definition, name: name, data: data.build(definition, name: name)))
        }
        var inputs = InputTypeBuilder(schema, names, data.scalars)
        for definition in source.joined.operations {
            let type = data.build(definition, on: schema.roots[definition.kind] ?? "")
            let variables = inputs.variables(of: definition, VariableUses(of: definition, schema, source.fragments))
            operations.append(
                Operation(definition: definition, name: names.operations[definition.name ?? ""] ?? "", data: type, variables: variables))
        }
        inputs.addNested()
        self.inputs = inputs.objects
        enumerations = schema.ownTypes.compactMap { schema.types[$0] }
            .filter { $0.kind == .enumeration && (data.enumerations.contains($0.name) || inputs.enumerations.contains($0.name)) }
        // Enums of introspection.
        enumerations += data.enumerations.subtracting(enumerations.map(\.name)).sorted().compactMap { schema.types[$0] }
        scalars = data.scalars.merging(inputs.scalars)
        let problems =
            data.problems
            + scalars.unknown.sorted { $0.key < $1.key }.map { scalar, place in
                OperationGeneratorError.Problem(
                    "\(place) has the custom scalar \"\(scalar)\", whose Swift type is not known: give it with --scalar \(scalar)=Type, "
                        + "such as --scalar \(scalar)=String")
            }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
        for index in fragments.indices {
            fragments[index].text = DocumentText(
                fragments[index].definition, typenames: data.typenames, fragmentTypes: names.fragments)
        }
        for index in operations.indices {
            operations[index].text = DocumentText(
                operations[index].definition, typenames: data.typenames, fragmentTypes: names.fragments)
        }
    }
}
