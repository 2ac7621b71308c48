internal import MartletGraphQL

/// The definitions of a schema as they were read, before the rules of schemas are checked.
struct SchemaDefinitions {
    /// A root type that the schema names.
    struct Root {
        let kind: GraphQLOperationKind
        let type: String
        let place: SourcePlace
    }

    /// A directive on a definition of SDL.
    struct DirectiveUse {
        let directive: Directive
        /// The location as the specification names it, such as `FIELD_DEFINITION`.
        let location: String
        /// The coordinate of what has the directive, such as `Hero.name`.
        let owner: String
    }

    /// A message, and its position in SDL.
    struct Mistake {
        let message: String
        let place: SourcePlace?
    }

    /// The types with their definitions.
    var types: [SchemaType] = []
    /// The extensions of types, each as a type with what it adds.
    var extensions: [SchemaType] = []
    var directives: [DirectiveDefinition] = []
    var description: String?
    /// The positions of `schema`, without extensions.
    var schemas: [SourcePlace] = []
    var roots: [Root] = []
    /// Whether the directives for incremental delivery are defined only if they are listed. The others are built in always.
    var listsAllDirectives = false
    var uses: [DirectiveUse] = []
    /// The positions of the interfaces and members that types name, by "Type Name". The first one counts.
    var namePlaces: [String: SourcePlace] = [:]
    var mistakes: [Mistake] = []

    mutating func report(_ message: String, at place: SourcePlace?) { mistakes.append(Mistake(message: message, place: place)) }

    mutating func append(_ other: SchemaDefinitions) {
        types += other.types
        extensions += other.extensions
        directives += other.directives
        description = description ?? other.description
        schemas += other.schemas
        roots += other.roots
        uses += other.uses
        namePlaces.merge(other.namePlaces) { first, _ in first }
        mistakes += other.mistakes
    }

    /// Adds the extensions to their types, and removes types and directives that are defined again.
    mutating func merge() {
        keepFirst(\.types, "type") {
            $0.name
        } place: {
            $0.place
        }
        keepFirst(\.directives, "directive") {
            "@" + $0.name
        } place: {
            $0.place
        }
        let indices = Dictionary(types.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var hints = NameHints(types.map(\.name))
        for addition in extensions {
            if let builtIn = BuiltInDefinitions.types.first(where: { $0.name == addition.name }) {
                checkExtension(of: builtIn, addition)
                continue
            }
            guard let index = indices[addition.name] else {
                report(
                    "the type \"\(addition.name)\", which is extended, is not defined\(hints.text(for: addition.name))", at: addition.place)
                continue
            }
            if hasKind(of: types[index], addition) { types[index].extend(with: addition) }
        }
        extensions = []
    }

    /// Checks the extension of a type that is built in. A scalar can get directives, which change nothing for documents.
    private mutating func checkExtension(of type: SchemaType, _ addition: SchemaType) {
        if hasKind(of: type, addition), type.kind != .scalar {
            report("the type \"\(type.name)\" is built in, and can't be extended", at: addition.place)
        }
    }

    /// Returns whether an extension has the kind of its type, and reports it otherwise.
    private mutating func hasKind(of type: SchemaType, _ addition: SchemaType) -> Bool {
        if type.kind == addition.kind { return true }
        report("\"\(type.name)\" is \(type.kind.phrase), and is extended as \(addition.kind.phrase)", at: addition.place)
        return false
    }

    private mutating func keepFirst<Definition>(
        _ list: WritableKeyPath<Self, [Definition]>, _ kind: String, name: (Definition) -> String, place: (Definition) -> SourcePlace
    ) {
        var seen: Set<String> = [], kept: [Definition] = []
        for definition in self[keyPath: list] {
            if seen.insert(name(definition)).inserted {
                kept.append(definition)
            } else {
                report("there are two definitions of the \(kind) \"\(name(definition))\"", at: place(definition))
            }
        }
        self[keyPath: list] = kept
    }
}

extension SchemaType {
    mutating func extend(with addition: SchemaType) {
        fields += addition.fields
        interfaces += addition.interfaces
        members += addition.members
        values += addition.values
        inputFields += addition.inputFields
        isOneOf = isOneOf || addition.isOneOf
        specifiedBy = specifiedBy ?? addition.specifiedBy
    }
}

extension SchemaType.Kind {
    /// The keyword of SDL.
    var keyword: String {
        switch self {
        case .scalar: "scalar"
        case .object: "type"
        case .interface: "interface"
        case .union: "union"
        case .enumeration: "enum"
        case .inputObject: "input"
        }
    }

    /// The kind in messages.
    var text: String {
        switch self {
        case .object: "object"
        case .inputObject: "input object"
        case .scalar, .interface, .union, .enumeration: keyword
        }
    }

    /// The kind in messages, with its article.
    var phrase: String {
        switch self {
        case .object, .interface, .enumeration, .inputObject: "an \(text)"
        case .scalar, .union: "a \(text)"
        }
    }
}
