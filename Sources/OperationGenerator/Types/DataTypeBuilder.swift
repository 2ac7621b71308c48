internal import EndpointGenerator
internal import MartletGraphQL
internal import MartletGraphQLSchema

/// Builds the types of data, and collects what they use.
struct DataTypeBuilder {
    private let schema: GraphQLSchema
    private let source: SourceDocuments
    private let names: TopLevelNames
    private(set) var scalars: ScalarTypes
    private(set) var enumerations: Set<String> = []
    private(set) var problems: [OperationGeneratorError.Problem] = []
    /// The offsets of the braces of the selection sets that `__typename` is added to.
    private(set) var typenames: Set<Int> = []
    private let shared: SharedSelections
    private var fields: [String: [String: FieldDefinition]] = [:]
    private var output: DataSize

    init(_ schema: GraphQLSchema, _ source: SourceDocuments, _ names: TopLevelNames, _ scalars: ScalarTypes, _ options: OperationOptions) {
        self.schema = schema
        self.source = source
        self.names = names
        self.scalars = scalars
        shared = SharedSelections(source.joined, source.fragments, limit: options.maxSelections)
        output = DataSize(limit: 10_000 + source.selectionCount * options.maxFieldsPerSelection)
        if !shared.isComplete {
            problems.append(.init("the fragments are combined in too many ways to compare their selections: spread fewer at one place"))
        }
    }

    /// Returns the type of the data of an operation.
    mutating func build(_ operation: OperationDefinition, _ name: String, on type: String) throws(OperationGeneratorError) -> DataType {
        output.begin("the \(operation.kind.rawValue) \"\(name)\"", operation.place)
        return try build([SelectionSource(set: operation.selectionSet, type: type, conditions: [])], name: "Data")
    }

    /// Returns the type of a fragment.
    mutating func build(_ fragment: FragmentDefinition, name: String) throws(OperationGeneratorError) -> DataType {
        output.begin("the fragment \"\(fragment.name)\"", fragment.place)
        let source = SelectionSource(set: fragment.selectionSet, type: fragment.typeCondition, conditions: [])
        return try build([source], name: name, isFragment: true)
    }

    /// Adds properties or cases to the type of the definition, and returns whether there is room for them.
    private mutating func hasRoom(for count: Int) throws(OperationGeneratorError) -> Bool {
        if output.isFull { return false }
        output.add(count)
        guard output.isFull else { return true }
        let (owner, place, _) = try output.largest.known("the largest type")
        problems.append(
            source.problem(
                "the selections of \(owner) are repeated for too many combinations of types (all files would have more than "
                    + "\(output.limit) properties and cases): move inner selections to fragments", place))
        return false
    }

    /// Returns the type of the data of the selection sets of one object.
    ///
    /// - Parameter isFragment: Whether the type is that of a fragment, which can't be the type of another fragment.
    private mutating func build(
        _ sources: [SelectionSource], name: String, isFragment: Bool = false
    ) throws(OperationGeneratorError) -> DataType {
        // The object has the types of all selection sets.
        let types = Set(sources.map(\.type)).sorted().map { schema.objects(of: $0) }
        let possible = types.dropFirst().reduce(types.first ?? []) { $0.intersection($1) }
        let parts = SelectionParts(sources, possible: possible, schema: schema, fragments: source.fragments)
        if !parts.narrowings.isEmpty { addTypename(sources) }
        return try build(parts, possible, name, isFragment: isFragment)
    }

    private mutating func build(
        _ parts: SelectionParts, _ possible: Set<String>, _ name: String, isFragment: Bool = false
    ) throws(OperationGeneratorError) -> DataType {
        let hasOwnFields = parts.fields.contains { $0.key != "__typename" }
        if parts.narrowings.isEmpty, !isFragment, !hasOwnFields, let only = parts.spreads.first, parts.spreads.count == 1,
            only.conditions.contains([])
        {
            return .fragment(try names.fragment(only.name))
        }
        if !parts.narrowings.isEmpty, !hasOwnFields, parts.spreads.isEmpty {
            return .variants(try variants(parts.narrowings, possible, name))
        }
        return .structure(try structure(parts, possible, name))
    }

    // MARK: Structs

    private mutating func structure(
        _ parts: SelectionParts, _ possible: Set<String>, _ name: String
    ) throws(OperationGeneratorError) -> DataStruct {
        let spreadTypes = try parts.spreads.map { spread throws(OperationGeneratorError) in try names.fragment(spread.name) }
        let variantNames = parts.narrowings.isEmpty ? [] : ["variant"]
        var taken = TakenNames(outer: names.all), type = DataStruct(name: name, fields: [], parts: [])
        guard try hasRoom(for: parts.fields.count + parts.spreads.count) else { return type }
        let members = SwiftNames.members(parts.fields.map(\.key) + spreadTypes.map(Self.lowercasedFirst) + variantNames)
        for (field, member) in zip(parts.fields, members) { type.fields.append(try self.field(field, member, &taken)) }
        for (index, spread) in parts.spreads.enumerated() {
            let isAlways = spread.conditions.contains([])
            let presence: DataPart.Presence = isAlways ? .always : key(of: spread.name, without: spread.places).map { .key($0) } ?? .unknown
            type.parts.append(DataPart(name: members[parts.fields.count + index], type: spreadTypes[index], presence: presence))
        }
        if !parts.narrowings.isEmpty {
            let nested = try variants(parts.narrowings, possible, taken.unused("Variant"))
            type.parts.append(DataPart(name: members[members.count - 1], type: nested.name, presence: .always, nested: nested))
        }
        return type
    }

    private mutating func field(
        _ field: SelectionParts.Field, _ member: String, _ taken: inout TakenNames
    ) throws(OperationGeneratorError) -> DataField {
        let (selected, parent, _) = field.selections[0]
        let definition = definition(of: selected.name, on: parent)
        let type = try self.type(of: selected, on: parent), named = type.name
        var result = DataField(
            key: field.key, name: member, type: "", description: definition?.description, deprecation: definition?.deprecation)
        let base: String
        switch schema.types[named]?.kind {
        case .enumeration:
            enumerations.insert(named)
            base = "GraphQLEnum<\(try names.schemaType(named))>"
        case .object, .interface, .union:
            let wanted = SwiftNames.type(type.isList ? Plurals.singular(field.key) : field.key)
            let name = taken.unused(wanted)
            let types = try field.selections.map { selection throws(OperationGeneratorError) in
                try self.type(of: selection.field, on: selection.parent).name
            }
            let nested = try build(field.sources(types: types), name: name)
            base = nested.name
            if case .fragment = nested {
            } else {
                taken.insert(name)
                result.nested = nested
            }
        default: base = scalars.type(of: named, at: "the field \(parent).\(selected.name)")
        }
        result.type = type.swift(base)
        if field.isConditional, !result.isOptional { result.type += "?" }
        result.isPartial = field.isConditional && field.selections.contains { shared.partialFields.contains($0.field.place.offset) }
        return result
    }

    private mutating func type(of field: FieldSelection, on parent: String) throws(OperationGeneratorError) -> TypeReference {
        let type = definition(of: field.name, on: parent)?.type ?? GraphQLSchema.metaTypes[field.name]
        return try type.known("the field \"\(field.name)\" of \"\(parent)\"")
    }

    private mutating func definition(of field: String, on type: String) -> FieldDefinition? {
        if let known = fields[type] { return known[field] }
        let own = Dictionary((schema.types[type]?.fields ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        fields[type] = own
        return own[field]
    }

    // MARK: Variants

    private mutating func variants(
        _ narrowings: [SelectionParts.Narrowing], _ possible: Set<String>, _ name: String
    ) throws(OperationGeneratorError) -> DataVariants {
        var groups: [[Int]: [String]] = [:]
        for type in possible.sorted() {
            let applying = narrowings.indices.filter { narrowings[$0].possible.contains(type) }
            if !applying.isEmpty { groups[applying, default: []].append(type) }
        }
        guard try hasRoom(for: groups.count) else { return DataVariants(name: name, cases: []) }
        let sorted = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        let wanted = sorted.map { applying, types in types.count == 1 ? types[0] : narrowings[applying[applying.count - 1]].type }
        let cases = SwiftNames.members(wanted.map(Self.lowercasedFirst), taken: ["unknown"])
        var taken = TakenNames(outer: names.all), result = DataVariants(name: name, cases: [])
        for (index, (applying, types)) in sorted.enumerated() {
            var parts = SelectionParts([], possible: Set(types), schema: schema, fragments: source.fragments)
            for part in applying { parts.add(narrowings[part]) }
            let name = taken.unused(SwiftNames.type(wanted[index]))
            let payload = try build(parts, Set(types), name)
            if case .fragment = payload {} else { taken.insert(name) }
            result.cases.append(DataVariants.Case(name: cases[index], types: types, payload: payload))
        }
        return result
    }

    private mutating func addTypename(_ sources: [SelectionSource]) {
        let always = sources.filter(\.conditions.isEmpty), chosen = always.isEmpty ? sources : Array(always.prefix(1))
        let isSelected = always.contains { source in
            source.set.selections.contains { selection in
                guard case .field(let field) = selection else { return false }
                return field.responseKey == "__typename" && field.directives.isEmpty
            }
        }
        if !isSelected { typenames.formUnion(chosen.map(\.set.openBrace.offset)) }
    }

    // MARK: Presence

    /// Returns a key that the response has only if it has a fragment, or nil if there is none.
    private func key(of fragment: String, without places: [Int]) -> String? {
        let others = places.reduce(into: Set()) { $0.formUnion(shared.otherKeys[$1] ?? []) }
        return keys(of: fragment).first { !others.contains($0) }
    }

    /// Returns the keys that are always in the response to a fragment, in the order of the text.
    private func keys(of fragment: String) -> [String] {
        var keys: [String] = [], waiting = [fragment], seen: Set<String> = [fragment]
        while let name = waiting.popLast() {
            guard let definition = source.fragments[name] else { continue }
            let own = SelectionSource(set: definition.selectionSet, type: definition.typeCondition, conditions: [])
            let possible = schema.objects(of: definition.typeCondition)
            let parts = SelectionParts([own], possible: possible, schema: schema, fragments: source.fragments)
            keys += parts.fields.filter { !$0.isConditional }.map(\.key)
            waiting += parts.spreads.filter { $0.conditions.contains([]) }.map(\.name).filter { seen.insert($0).inserted }.reversed()
        }
        return keys
    }

    private static func lowercasedFirst(_ name: String) -> String {
        name.drop { $0.isUppercase }.isEmpty ? name.lowercased() : Identifier.property(name, maxLength: .max)
    }
}

extension GraphQLSchema {
    /// The types of the fields that every schema has.
    static let metaTypes: [String: TypeReference] = [
        "__schema": .nonNull(.named("__Schema")), "__type": .named("__Type"), "__typename": .nonNull(.named("String")),
    ]
}

/// Counts the properties and cases of the types of data. Without a limit, a short document could need gigabytes of Swift: a fragment on
/// some types is written for each combination of types, and so are the fragments in it.
private struct DataSize {
    let limit: Int
    private var count = 0
    private var definitions: [(owner: String, place: SourcePlace, count: Int)] = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { count > limit }

    /// Counts for another definition from now on.
    mutating func begin(_ owner: String, _ place: SourcePlace) { definitions.append((owner, place, 0)) }

    mutating func add(_ number: Int) {
        count += number
        definitions[definitions.count - 1].count += number
    }

    /// The definition with the most properties and cases.
    var largest: (owner: String, place: SourcePlace, count: Int)? { definitions.max { $0.count < $1.count } }
}

extension TypeReference {
    /// Whether the type is a list.
    var isList: Bool { element != nil }

    /// Returns the Swift type of data, in which a type that may be null is an Optional.
    func swift(_ base: String) -> String {
        switch self {
        case .nonNull(.named): base
        case .nonNull(.list(let element)): "[\(element.swift(base))]"
        case .nonNull(let type): type.swift(base)
        case .named: base + "?"
        case .list(let element): "[\(element.swift(base))]?"
        }
    }
}
