import MartletGraphQL

/// What all rules share during one validation: the schema, the document and the violations found.
final class ValidationContext {
    let schema: GraphQLSchema
    let document: ExecutableDocument
    let limits: ValidationLimits
    /// The index of each fragment by its name. Of several with the same name, the first is used.
    let fragments: [String: Int]
    /// Returns the text for a position in a message.
    let describe: (SourcePlace) -> String
    private var reported: Set<GraphQLViolation> = []
    private var violations: [(place: SourcePlace, violation: GraphQLViolation)] = []
    private var remainingWork: Int
    private let types: ValidatedTypes
    var overlaps = TypeOverlaps()

    init(
        _ document: ExecutableDocument, in schema: GraphQLSchema, limits: ValidationLimits, describe: @escaping (SourcePlace) -> String
    ) {
        self.describe = describe
        self.schema = schema
        self.document = document
        self.limits = limits
        types = ValidatedTypes(schema.types)
        remainingWork = limits.work
        fragments = Dictionary(document.fragments.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var remainingViolations: Int { limits.violations - violations.count }

    /// Whether there are as many violations as the limit.
    var isFull: Bool { remainingViolations <= 0 }

    /// Whether comparing must end.
    var isDone: Bool { isFull || remainingWork < 0 }

    func report(_ rule: GraphQLRule, _ message: String, hint: String? = nil, at place: SourcePlace) {
        if isFull || limits.ignored.contains(rule) { return }
        let violation = GraphQLViolation(rule: rule, message: message, hint: hint, line: place.line, column: place.column)
        // Two operations can find the same in a fragment.
        if reported.insert(violation).inserted { violations.append((place, violation)) }
    }

    /// Returns whether work may go on. The first time it may not, that is a violation.
    func spend(_ work: Int) -> Bool {
        guard remainingWork >= 0 else { return false }
        remainingWork -= work
        if remainingWork >= 0 { return true }
        let place = document.operations.first?.place ?? document.fragments.first?.place ?? .start
        report(.limits, "the document is too complex to be validated", at: place)
        return false
    }

    /// The violations in the order of the text.
    var sorted: [GraphQLViolation] {
        violations.enumerated().sorted { ($0.element.place.offset, $0.offset) < ($1.element.place.offset, $1.offset) }
            .map(\.element.violation)
    }

    func type(_ name: String) -> ValidatedType? { types[name] }

    /// The type with fields that a value of a type has.
    func composite(_ name: String) -> ValidatedType? { type(name).flatMap { $0.definition.isComposite ? $0 : nil } }

    /// Returns the field of a type, those of introspection included.
    func field(_ name: String, of type: ValidatedType) -> FieldDefinition? {
        if let field = type.fields[name] { return field }
        switch name {
        case "__typename": return MetaField.typename
        case "__schema" where type.definition.name == schema.roots[.query]: return MetaField.schema
        case "__type" where type.definition.name == schema.roots[.query]: return MetaField.type
        default: return nil
        }
    }
}

extension ValidationContext: ValueContext {
    func report(_ problem: ValueProblem, _ message: String, hint: String?, at place: SourcePlace) {
        report(problem == .repeatedField ? .uniqueInputFieldNames : .valuesOfCorrectType, message, hint: hint, at: place)
    }
}

/// The fields that no type defines (GraphQL, September 2025, §4.1, §4.2).
private enum MetaField {
    static let typename = FieldDefinition(name: "__typename", type: .nonNull(.named("String")))
    static let schema = FieldDefinition(name: "__schema", type: .nonNull(.named("__Schema")))
    static let type = FieldDefinition(
        name: "__type", arguments: [InputValueDefinition(name: "name", type: .nonNull(.named("String")))], type: .named("__Type"))
}
