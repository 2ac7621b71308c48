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
