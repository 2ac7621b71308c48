internal import EndpointGenerator

/// The Swift type of the data of a selection set.
indirect enum DataType {
    case structure(DataStruct)
    case variants(DataVariants)
    /// The type of a fragment, which is the whole selection.
    case fragment(String)

    var name: String {
        switch self {
        case .structure(let type): type.name
        case .variants(let type): type.name
        case .fragment(let name): name
        }
    }

    /// The sources of the types of all properties.
    var propertyTypes: [String] {
        var types: [String] = [], waiting = [self]
        while let type = waiting.popLast() {
            switch type {
            case .structure(let type):
                types += type.fields.map(\.type)
                waiting += type.fields.compactMap(\.nested) + type.parts.compactMap { $0.nested.map { .variants($0) } }
            case .variants(let type): waiting += type.cases.map(\.payload)
            case .fragment: break
            }
        }
        return types
    }
}

/// A struct with the fields that are selected on an object.
struct DataStruct {
    var name: String
    /// The fields, each with a key of its own.
    var fields: [DataField]
    /// The properties that are decoded from the same object.
    var parts: [DataPart]

    /// Whether the compiler can't synthesize the decoding.
    var hasOwnDecoding: Bool { !parts.isEmpty || fields.contains(where: \.isPartial) }

    /// The names and types of all properties, as in a declaration.
    var properties: [String] {
        fields.map { "\(Identifier.escaped($0.name)): \($0.type)" }
            + parts.map { "\(Identifier.escaped($0.name)): \($0.type)\($0.isOptional ? "?" : "")" }
    }

    /// Whether the keys differ from the names of properties.
    var hasOtherKeys: Bool { fields.contains { $0.key != $0.name } }
}

/// A property with the value of a selected field.
struct DataField {
    /// The key in the response.
    var key: String
    var name: String
    /// The source of the type.
    var type: String
    var description: String?
    var deprecation: String?
    /// Whether the response may have the value without the fields selected in it. It is then nil.
    var isPartial = false
    /// The type that is declared for the field.
    var nested: DataType?

    var isOptional: Bool { type.hasSuffix("?") }
}

/// A property that is decoded from the same object: a fragment beside other selections, or what depends on the type of the object.
struct DataPart {
    enum Presence {
        case always
        /// The part is in the response if it has this key.
        case key(String)
        /// No key shows whether the part is in the response.
        case unknown
    }

    var name: String
    /// The type without `?`.
    var type: String
    var presence: Presence
    var nested: DataVariants?

    var isOptional: Bool { if case .always = presence { false } else { true } }
}

/// An enum with a case for each type that an object may have, by `__typename`.
struct DataVariants {
    struct Case {
        var name: String
        /// The object types.
        var types: [String]
        var payload: DataType
    }

    var name: String
    var cases: [Case]
}
