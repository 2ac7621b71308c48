/// The Swift type of values in the samples.
indirect enum SwiftType: Hashable, Sendable {
    case bool, int, uint64, double, decimal, number
    case string, date, uuid, url
    /// `JSONValue`, for values of several kinds and for places without values.
    case json
    case openEnum(EnumModel)
    case object(ObjectModel)
    case array(SwiftType)
    case dictionary(SwiftType)
    case optional(SwiftType)

    /// The type as Swift source.
    var source: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .uint64: "UInt64"
        case .double: "Double"
        case .decimal: "Decimal"
        case .number: "JSONNumber"
        case .string: "String"
        case .date: "Date"
        case .uuid: "UUID"
        case .url: "URL"
        case .json: "JSONValue"
        case .openEnum(let model): "OpenEnum<\(model.name)>"
        case .object(let model): model.name
        case .array(let element): "[\(element.source)]"
        case .dictionary(let value): "[String: \(value.source)]"
        case .optional(let wrapped): "\(wrapped.source)?"
        }
    }

    /// Whether the type or a part of it is declared by Foundation.
    var needsFoundation: Bool {
        switch self {
        case .decimal, .date, .uuid, .url: true
        case .object(let model): model.properties.contains(where: \.type.needsFoundation)
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.needsFoundation
        default: false
        }
    }

    /// Whether the type or a part of it is declared by Martlet.
    var needsMartlet: Bool {
        switch self {
        case .json, .number, .openEnum: true
        case .object(let model): model.properties.contains(where: \.type.needsMartlet)
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.needsMartlet
        default: false
        }
    }

    /// Whether the type is `JSONReadable` if the declared models are.
    var isJSONReadable: Bool {
        switch self {
        case .bool, .int, .uint64, .double, .string, .openEnum, .object: true
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.isJSONReadable
        case .decimal, .number, .date, .uuid, .url, .json: false
        }
    }

    var isOptional: Bool { if case .optional = self { true } else { false } }

    /// The object or enum inside arrays, dictionaries and Optionals.
    var model: Model? {
        switch self {
        case .object(let model): .object(model)
        case .openEnum(let model): .openEnum(model)
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.model
        default: nil
        }
    }

    /// Whether the model is an element of an array or a value of a dictionary.
    var isCollection: Bool {
        switch self {
        case .array, .dictionary: true
        case .optional(let inner): inner.isCollection
        default: false
        }
    }

    /// Returns the type with another name of its model.
    func naming(_ name: String) -> SwiftType {
        switch self {
        case .object(var model):
            model.name = name
            return .object(model)
        case .openEnum(var model):
            model.name = name
            return .openEnum(model)
        case .array(let inner): return .array(inner.naming(name))
        case .dictionary(let inner): return .dictionary(inner.naming(name))
        case .optional(let inner): return .optional(inner.naming(name))
        default: return self
        }
    }
}

/// A type that is declared for the samples.
enum Model: Hashable, Sendable {
    case object(ObjectModel)
    case openEnum(EnumModel)

    var name: String {
        switch self {
        case .object(let model): model.name
        case .openEnum(let model): model.name
        }
    }
}

/// A struct for an object of the samples.
struct ObjectModel: Hashable, Sendable {
    /// A property for a member.
    struct Property: Hashable, Sendable {
        /// The name of the member in the document.
        let member: String
        /// The raw value of the coding key.
        let key: String
        /// The name that the client's encoder writes.
        let written: String
        /// The name in Swift, without backticks.
        let name: String
        var type: SwiftType
    }

    /// Empty until the place of the type is known.
    var name = ""
    var properties: [Property]

    /// The types nested in this one, in the order of their properties.
    var models: [Model] {
        var models: [Model] = []
        for property in properties {
            if let model = property.type.model, !models.contains(model) { models.append(model) }
        }
        return models
    }

    /// Whether a coding key differs from the name of its property.
    var needsCodingKeys: Bool { properties.contains { $0.key != $0.name } }
}

/// An enum for the strings of the samples.
struct EnumModel: Hashable, Sendable {
    /// A case.
    struct Case: Hashable, Sendable {
        let name: String
        let value: String
    }

    var name = ""
    let cases: [Case]

    init(values: [String]) {
        var cases: [Case] = [], taken: Set<String> = []
        for value in values {
            let property = Identifier.property(value)
            // `.none` and `.some` would be those of an Optional.
            let name = Identifier.unused(["none", "some"].contains(property) ? property + "Value" : property, taken: taken)
            taken.insert(name)
            cases.append(Case(name: name, value: value))
        }
        self.cases = cases
    }
}

/// The type of a response or of a request's body, and the model that must be declared for it.
struct PayloadType: Sendable {
    /// The type with the name of its model.
    let type: SwiftType
    /// The name by which the endpoint refers to the type: `Response`, `Body` or the type itself.
    let directName: String
    /// Whether the model is declared at the top level and not in the endpoint.
    let isTopLevel: Bool
    /// Whether the model exists and is not declared.
    let isExisting: Bool
    /// Whether the model is named after an element of the collection.
    let usesElementName: Bool

    /// Names the model of a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - direct: The name of a model that is the whole document: `Response` or `Body`.
    ///   - element: The name of a model inside an array or dictionary.
    ///   - model: The name of a model at the top level, or nil to nest it in the endpoint.
    init(_ type: SwiftType, direct: String, element: String, model: String?) {
        var isWhole = false
        if case .object = type { isWhole = true }
        usesElementName = !isWhole && model == nil && type.model != nil
        self.type = type.naming(model ?? (isWhole ? direct : element))
        directName = direct
        isTopLevel = model != nil && type.model != nil
        isExisting = false
    }

    /// Uses a model that the app has.
    init(existing model: String) {
        type = .object(ObjectModel(name: model, properties: []))
        directName = "Response"
        isTopLevel = true
        isExisting = true
        usesElementName = false
    }

    /// The model to declare, or nil.
    var model: Model? { isExisting ? nil : type.model }

    /// Whether the endpoint needs a type alias, because its nested model has another name.
    var needsAlias: Bool { type.source != directName }

    /// Whether Martlet would return the body's text and not the value of the JSON string.
    var isString: Bool { type == .string || type == .optional(.string) }
}
