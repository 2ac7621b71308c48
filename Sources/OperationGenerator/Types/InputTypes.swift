internal import MartletGraphQL
internal import MartletGraphQLSchema

/// A variable of an operation, or a field of an input object.
struct InputProperty {
    /// The name in GraphQL.
    var key: String
    var name: String
    /// The source of the type.
    var type: String
    var description: String?
    var deprecation: String?
    /// Whether the type contains the object that it is a property of.
    var isIndirect = false

    /// Whether the property can be left out.
    var isOptional: Bool { type.hasSuffix("?") }
}

/// An input object. If it is one of several fields, it is written as an enum.
struct InputObject {
    var name: String
    var description: String?
    var properties: [InputProperty]
    var isOneOf: Bool
    var isRecursive: Bool
}

/// Builds the types of variables and of the input objects that they contain.
struct InputTypeBuilder {
    private let schema: GraphQLSchema
    private let names: TopLevelNames
    private(set) var scalars: ScalarTypes
    private(set) var enumerations: Set<String> = []
    private(set) var objects: [InputObject] = []
    private var wanted: Set<String> = []

    init(_ schema: GraphQLSchema, _ names: TopLevelNames, _ scalars: ScalarTypes) {
        self.schema = schema
        self.names = names
        self.scalars = scalars
    }

    /// Returns the variables of an operation with a name.
    mutating func variables(
        of operation: OperationDefinition, _ name: String, _ uses: VariableUses
    ) throws(OperationGeneratorError) -> [InputProperty] {
        let members = SwiftNames.members(operation.variables.map(\.name))
        return try zip(operation.variables, members).map { variable, member throws(OperationGeneratorError) in
            let base = try base(of: variable.type.name, "the variable $\(variable.name) of \(name)")
            let hasDefault = variable.defaultValue != nil
            let distinguishesNull = hasDefault || operation.kind == .mutation || uses.distinguishesNull(variable.name)
            let type = Self.type(variable.type, base, hasDefault: hasDefault, distinguishesNull: distinguishesNull)
            return InputProperty(key: variable.name, name: member, type: type, description: uses.descriptions[variable.name])
        }
    }

    /// Adds the input objects of variables, and the input objects in these.
    mutating func addNested() throws(OperationGeneratorError) {
        // The order decides which field an error names.
        var waiting: [String] = wanted.sorted().reversed(), found = wanted
        while let name = waiting.popLast() {
            wanted = []
            let type = try schema.types[name].known("the type \"\(name)\"")
            let cycle = RecursiveInput(name, schema)
            let members = SwiftNames.members(type.inputFields.map(\.name))
            let properties = try zip(type.inputFields, members).map { field, member throws(OperationGeneratorError) in
                let base = try base(of: field.type.name, "the input field \(name).\(field.name)")
                let swift =
                    type.isOneOf
                    ? TypeReference.nonNull(field.type).swift(base)
                    : Self.type(field.type, base, hasDefault: field.defaultValue != nil, distinguishesNull: true)
                return InputProperty(
                    key: field.name, name: member, type: swift, description: field.description, deprecation: field.deprecation,
                    isIndirect: cycle.contains(field))
            }
            objects.append(
                InputObject(
                    name: try names.schemaType(name), description: type.description, properties: properties, isOneOf: type.isOneOf,
                    isRecursive: properties.contains(where: \.isIndirect)))
            waiting += wanted.sorted().reversed().filter { found.insert($0).inserted }
        }
        objects.sort { $0.name < $1.name }
    }

    private mutating func base(of name: String, _ place: String) throws(OperationGeneratorError) -> String {
        switch schema.types[name]?.kind {
        case .enumeration:
            enumerations.insert(name)
            return try names.schemaType(name)
        case .inputObject:
            wanted.insert(name)
            return try names.schemaType(name)
        default: return scalars.type(of: name, at: place)
        }
    }

    private static func type(_ type: TypeReference, _ base: String, hasDefault: Bool, distinguishesNull: Bool) -> String {
        if case .nonNull = type { return hasDefault ? type.swift(base) + "?" : type.swift(base) }
        return distinguishesNull ? "GraphQLNullable<\(TypeReference.nonNull(type).swift(base))>?" : type.swift(base)
    }
}

/// The input objects that contain an input object without a list between them. A struct can't contain itself.
struct RecursiveInput {
    private let name: String
    private let schema: GraphQLSchema

    init(_ name: String, _ schema: GraphQLSchema) {
        self.name = name
        self.schema = schema
    }

    /// Whether the value of a field may contain the object that has the field.
    func contains(_ field: InputValueDefinition) -> Bool {
        guard !field.type.isList, schema.types[field.type.name]?.kind == .inputObject else { return false }
        var waiting = [field.type.name], seen = Set(waiting)
        while let next = waiting.popLast() {
            if next == name { return true }
            for field in schema.types[next]?.inputFields ?? [] where !field.type.isList {
                if schema.types[field.type.name]?.kind == .inputObject, seen.insert(field.type.name).inserted {
                    waiting.append(field.type.name)
                }
            }
        }
        return false
    }
}
