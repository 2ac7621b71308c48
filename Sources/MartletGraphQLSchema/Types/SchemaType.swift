package import MartletGraphQL

/// A named type of a schema (GraphQL, September 2025, §3.4 to §3.10).
package struct SchemaType: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case scalar = "SCALAR"
        case object = "OBJECT"
        case interface = "INTERFACE"
        case union = "UNION"
        case enumeration = "ENUM"
        case inputObject = "INPUT_OBJECT"
    }

    package var kind: Kind
    package var name: String
    package var description: String?
    /// The fields of an object or interface, in the order of the schema.
    package var fields: [FieldDefinition] = []
    /// The interfaces that an object or interface implements.
    package var interfaces: [String] = []
    /// The objects of a union.
    package var members: [String] = []
    /// The values of an enumeration.
    package var values: [EnumValueDefinition] = []
    /// The fields of an input object.
    package var inputFields: [InputValueDefinition] = []
    /// Whether exactly one field of the input object must be given (`@oneOf`).
    package var isOneOf = false
    /// The specification of a custom scalar (`@specifiedBy`).
    package var specifiedBy: String?
    /// The position of the name in SDL.
    package var place = SourcePlace.start

    /// Whether the type has fields to select, and a value's type may be this one or a possible type of it.
    package var isComposite: Bool { [.object, .interface, .union].contains(kind) }

    /// Whether a value of the type has no fields to select.
    package var isLeaf: Bool { kind == .scalar || kind == .enumeration }

    /// Whether variables and arguments may have the type.
    package var isInput: Bool { isLeaf || kind == .inputObject }
}

/// A field of an object or interface.
package struct FieldDefinition: Sendable, Hashable {
    package var name: String
    package var description: String?
    package var arguments: [InputValueDefinition] = []
    package var type: TypeReference
    /// The reason of `@deprecated`; nil if the field is not deprecated.
    package var deprecation: String?
    package var place = SourcePlace.start
}

/// An argument of a field or directive, or a field of an input object.
package struct InputValueDefinition: Sendable, Hashable {
    package var name: String
    package var description: String?
    package var type: TypeReference
    package var defaultValue: ValueLiteral?
    package var deprecation: String?
    package var place = SourcePlace.start

    /// Whether a value must be given.
    package var isRequired: Bool { if case .nonNull = type { defaultValue == nil } else { false } }
}

/// A value of an enumeration.
package struct EnumValueDefinition: Sendable, Hashable {
    package var name: String
    package var description: String?
    package var deprecation: String?
    package var place = SourcePlace.start
}

/// A directive that documents may use (GraphQL, September 2025, §3.13).
package struct DirectiveDefinition: Sendable, Hashable {
    package var name: String
    package var description: String?
    package var arguments: [InputValueDefinition] = []
    /// The locations as the specification names them, such as `FIELD`.
    package var locations: Set<String>
    package var isRepeatable = false
    package var place = SourcePlace.start
}

/// A location of directives in documents, as the specification names it (GraphQL, September 2025, §3.13).
enum DirectiveLocation: String, CaseIterable {
    case query = "QUERY"
    case mutation = "MUTATION"
    case subscription = "SUBSCRIPTION"
    case field = "FIELD"
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    case fragmentSpread = "FRAGMENT_SPREAD"
    case inlineFragment = "INLINE_FRAGMENT"
    case variableDefinition = "VARIABLE_DEFINITION"

    /// The names of all locations, those in schemas included.
    static let all = Set(allCases.map(\.rawValue)).union([
        "SCHEMA", "SCALAR", "OBJECT", "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE", "INPUT_OBJECT",
        "INPUT_FIELD_DEFINITION",
    ])

    init(_ kind: GraphQLOperationKind) {
        self =
            switch kind {
            case .query: .query
            case .mutation: .mutation
            case .subscription: .subscription
            }
    }

    /// The location in messages.
    var text: String {
        switch self {
        case .query: "at a query"
        case .mutation: "at a mutation"
        case .subscription: "at a subscription"
        case .field: "at a field"
        case .fragmentDefinition: "at the definition of a fragment"
        case .fragmentSpread: "at a fragment spread"
        case .inlineFragment: "at an inline fragment"
        case .variableDefinition: "at a variable"
        }
    }
}

extension TypeReference {
    /// The type without list and non-null.
    package var name: String {
        var type = self
        while true {
            switch type {
            case .named(let name): return name
            case .list(let element), .nonNull(let element): type = element
            }
        }
    }

    /// The type without the outer non-null.
    package var nullable: TypeReference { if case .nonNull(let type) = self { type } else { self } }

    package var isNonNull: Bool { if case .nonNull = self { true } else { false } }

    /// The type of the elements if a value is a list.
    package var element: TypeReference? { if case .list(let element) = nullable { element } else { nil } }
}
