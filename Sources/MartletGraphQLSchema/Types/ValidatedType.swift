/// A type of the schema whose fields are found by name.
final class ValidatedType {
    let definition: SchemaType
    private(set) lazy var fields = Dictionary(definition.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    private(set) lazy var inputFields = Dictionary(definition.inputFields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    private(set) lazy var values = Set(definition.values.map(\.name))

    init(_ definition: SchemaType) { self.definition = definition }

    var name: String { definition.name }
}

/// The types of a schema by their names. Each is made when it is needed first.
final class ValidatedTypes {
    private let definitions: [String: SchemaType]
    private var made: [String: ValidatedType?] = [:]

    init(_ definitions: [String: SchemaType]) { self.definitions = definitions }

    subscript(_ name: String) -> ValidatedType? {
        if let known = made[name] { return known }
        let type = definitions[name].map(ValidatedType.init)
        made[name] = .some(type)
        return type
    }
}
