/// Names the models of an object's properties.
enum ModelNames {
    /// Returns the properties with names for their models, which are nested in the object's type.
    ///
    /// Properties with equal models and names that end with the same word share a model: `billing_address` and `shipping_address` are
    /// an `Address`.
    static func named(_ properties: [ObjectModel.Property]) -> [ObjectModel.Property] {
        // In a script without capitals, a type would be named like its property.
        var taken = Set(properties.map(\.name)), names: [Int: String] = [:]
        let suggestions = properties.map(suggestion)
        let groups = Dictionary(grouping: properties.indices) { Group(properties[$0], $0, suggestions[$0].last) }
        for index in properties.indices where properties[index].type.model != nil && names[index] == nil {
            let group = groups[Group(properties[index], index, suggestions[index].last)] ?? [index]
            let words = group.map { suggestions[$0] }.reduce(suggestions[index]) { commonEnd($0, $1) }
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

    /// What properties that share a model have in common. An enum is not shared.
    private struct Group: Hashable {
        let model: Model?
        let word: String?
        /// The property, if it shares no model.
        let index: Int?

        init(_ property: ObjectModel.Property, _ index: Int, _ word: String?) {
            if case .object(let model) = property.type.model, let word {
                (self.model, self.word, self.index) = (.object(model), word, nil)
            } else {
                (self.model, self.word, self.index) = (nil, nil, index)
            }
        }
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
