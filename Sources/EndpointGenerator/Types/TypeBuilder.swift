/// Chooses the Swift types of shapes.
struct TypeBuilder {
    let options: GeneratorOptions
    private(set) var notes = Notes()
    /// The number of properties of all models.
    private var propertyCount = 0
    /// The place of the first object that exceeds the limit of properties, or nil.
    private(set) var tooManyProperties: String?

    /// The maximum number of properties of all models. More of them are rather the keys of a dictionary.
    static let maxProperties = 2_000

    init(_ options: GeneratorOptions) { self.options = options }

    /// Adds notes about the samples.
    mutating func add(_ other: Notes) { notes.merge(other) }

    /// Returns the type of a whole document. The name of its own model is empty.
    mutating func root(_ shape: Shape) -> SwiftType {
        let type = type(of: shape, member: "", path: "")
        return shape.nullCount > 0 && type != .json ? .optional(type) : type
    }

    /// Returns the type of values that are not null.
    private mutating func type(of shape: Shape, member: String, path: String) -> SwiftType {
        guard shape.kindCount == 1 else {
            notes.add(.anyValue, path)
            return .json
        }
        if shape.boolCount > 0 { return .bool }
        if shape.numbers.count > 0 { return number(shape.numbers, member, path) }
        if shape.strings.count > 0 { return string(shape.strings, member, path) }
        if shape.arrayCount > 0 { return .array(element(shape.elements.first, member, path)) }
        return object(shape, member, path)
    }

    private mutating func number(_ numbers: NumberFacts, _ member: String, _ path: String) -> SwiftType {
        if let unit = numbers.timeUnit, TimeNames.suggestsTime(member) {
            notes.add(unit == .seconds ? .unixSeconds : .unixMilliseconds, path)
        }
        switch numbers.kind {
        case .int:
            if numbers.exceeds32Bits { notes.add(.wideInteger, path) }
            return .int
        case .uint64: return .uint64
        case .bigInteger: return .decimal
        case .huge: return .number
        case .fraction:
            if options.usesDecimal { return numbers.areDecimals ? .decimal : .number }
            notes.add(.double, path)
            return .double
        }
    }

    private mutating func string(_ strings: StringFacts, _ member: String, _ path: String) -> SwiftType {
        if options.enums.contains(member), strings.canBeCases { return openEnum(strings, path) }
        if strings.areDates {
            if strings.values.contains(where: { $0.contains(".") }) { notes.add(.fractionalDate, path) }
            return .date
        }
        if strings.areUUIDs { return .uuid }
        if strings.areURLs { return .url }
        // The strings of a top-level array are a list of names rather than the values of a property.
        return options.findsEnums && strings.lookLikeCases && !member.isEmpty ? openEnum(strings, path) : .string
    }

    private mutating func openEnum(_ strings: StringFacts, _ path: String) -> SwiftType {
        notes.add(.openEnum, path)
        return .openEnum(EnumModel(values: strings.values))
    }

    private mutating func element(_ shape: Shape?, _ member: String, _ path: String) -> SwiftType {
        guard let shape else {
            notes.add(.anyValue, path + "[]")
            return .json
        }
        let type = type(of: shape, member: member, path: path + "[]")
        // `JSONValue` has a null of its own.
        return shape.nullCount > 0 && type != .json ? .optional(type) : type
    }

    // MARK: Objects

    private mutating func object(_ shape: Shape, _ member: String, _ path: String) -> SwiftType {
        if shape.members.isEmpty {
            notes.add(.anyValue, path)
            return .dictionary(.json)
        }
        if options.dictionaries.contains(member) || DynamicKeys.areDynamic(shape) {
            notes.add(.dictionary, path)
            let values = shape.mergedMembers
            let type = type(of: values, member: member, path: path + ".*")
            return .dictionary(values.nullCount > 0 && type != .json ? .optional(type) : type)
        }
        propertyCount += shape.members.count
        guard propertyCount <= TypeBuilder.maxProperties else {
            tooManyProperties = tooManyProperties ?? path
            return .dictionary(.json)
        }
        return .object(ObjectModel(properties: ModelNames.named(properties(of: shape, path))))
    }

    private mutating func properties(of shape: Shape, _ path: String) -> [ObjectModel.Property] {
        var properties: [ObjectModel.Property] = [], taken: Set<String> = []
        for inner in shape.members {
            let innerPath = path.isEmpty ? inner.name : "\(path).\(inner.name)"
            let key = options.isSnakeCase ? SnakeCaseKeys.key(for: inner.name) : inner.name
            guard !properties.contains(where: { $0.key == key }) else {
                notes.add(.repeatedMember, innerPath)
                continue
            }
            let name = Identifier.unused(Identifier.property(key), taken: taken)
            taken.insert(name)
            var type = type(of: inner.shape, member: inner.name, path: innerPath)
            if shape.isOptional(inner) {
                if type != .json { notes.add(.optional, innerPath) }
                type = .optional(type)
            }
            let written = options.isSnakeCase ? SnakeCaseKeys.written(key) : key
            if written != inner.name { notes.add(.otherKey, innerPath) }
            properties.append(.init(member: inner.name, key: key, written: written, name: name, type: type))
        }
        return properties
    }
}

/// Recognizes names of members that are times.
enum TimeNames {
    private static let words: Set<String> = [
        "at", "changed", "created", "date", "deleted", "due", "end", "ended", "exp", "expiration", "expires", "expiry", "iat", "issued",
        "login", "modified", "nbf", "on", "published", "received", "seen", "sent", "since", "start", "started", "time", "timestamp", "ts",
        "until", "updated",
    ]

    /// Whether a word of a member's name means a time: `created_at`, `lastSeen`, `exp`.
    static func suggestsTime(_ member: String) -> Bool { Identifier.words(in: member).contains { words.contains($0.lowercased()) } }
}

/// Recognizes objects whose names are data, such as numbers, UUIDs and dates.
enum DynamicKeys {
    /// The maximum length of a name that is data, in bytes: that of an e-mail address (RFC 5321 §4.5.3.1.3).
    private static let maxLength = 254

    /// Whether the names of a shape's members are data.
    static func areDynamic(_ shape: Shape) -> Bool {
        guard shape.mergedMembers.kindCount <= 1 else { return false }
        let names = shape.members.map(\.name)
        if names.count > 1, names.allSatisfy(isCurrency), shape.mergedMembers.numbers.count > 0 { return true }
        guard names.allSatisfy({ $0.utf8.count <= maxLength }) else { return false }
        let kinds: [(String) -> Bool] = [isNumber, isUUID, isDate, isDigest, isAddress]
        return kinds.contains { isKind in names.allSatisfy { isKind($0) } }
    }

    private static func isNumber(_ name: String) -> Bool { Int64(name) != nil && name.first != "+" && name != "-1" }

    private static func isUUID(_ name: String) -> Bool { StringFacts.isUUID(name) }

    /// Whether a name is a day or a month: `2026-01-31`, `2026-01`.
    private static func isDate(_ name: String) -> Bool {
        name.prefixMatch(of: /\d{4}-\d\d(-\d\d)?(T.*)?$/) != nil
    }

    /// Whether a name is hexadecimal and has the length of an identifier.
    private static func isDigest(_ name: String) -> Bool {
        name.utf8.count >= 16 && name.contains(where: \.isNumber) && name.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    }

    /// Whether a name could be a currency (ISO 4217).
    private static func isCurrency(_ name: String) -> Bool { name.wholeMatch(of: /[A-Z]{3}/) != nil }

    /// Whether a name is an e-mail address.
    private static func isAddress(_ name: String) -> Bool { name.wholeMatch(of: /[^@\s]+@[^@\s]+\.[^@\s]+/) != nil }
}

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
