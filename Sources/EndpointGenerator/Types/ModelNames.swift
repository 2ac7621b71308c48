/// Names the models of an object's properties.
enum ModelNames {
    /// Returns the properties with names for their models, which are nested in the object's type.
    ///
    /// Properties with equal models and names that end with the same word share a model: `billing_address` and `shipping_address` are
    /// an `Address`.
    static func named(_ properties: [ObjectModel.Property]) -> [ObjectModel.Property] {
        var taken: Set<String> = [], names: [Int: String] = [:]
        for index in properties.indices where properties[index].type.model != nil && names[index] == nil {
            let group = properties.indices.filter { $0 >= index && areShared(properties[index], properties[$0]) }
            let words = group.map { suggestion(properties[$0]) }.reduce(suggestion(properties[index])) { commonEnd($0, $1) }
            let name = Identifier.unused(Identifier.type(words.joined(separator: " ")), taken: taken)
            taken.insert(name)
            for member in group { names[member] = name }
        }
        return properties.indices.map { index in
            var property = properties[index]
            if let name = names[index] { property.type = property.type.naming(name) }
            return property
        }
    }

    /// Whether two properties share a model. Enums are shared only if they have the same name.
    private static func areShared(_ one: ObjectModel.Property, _ other: ObjectModel.Property) -> Bool {
        guard case .object = one.type.model, one.type.model == other.type.model else { return one == other }
        return !commonEnd(suggestion(one), suggestion(other)).isEmpty
    }

    /// The words of the name for the property's model. An element of an array is named in the singular.
    private static func suggestion(_ property: ObjectModel.Property) -> [String] {
        let words = Identifier.words(in: property.member).map { $0.lowercased() }
        guard property.type.isCollection, let last = words.last else { return words }
        return words.dropLast() + [Plurals.singular(last)]
    }

    private static func commonEnd(_ one: [String], _ other: [String]) -> [String] {
        zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.map(\.0).reversed()
    }
}
