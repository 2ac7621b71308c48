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
        if shape.numbers.count > 0 { return number(shape.numbers, path) }
        if shape.strings.count > 0 { return string(shape.strings, member, path) }
        if shape.arrayCount > 0 { return .array(element(shape.elements.first, member, path)) }
        return object(shape, member, path)
    }

    private mutating func number(_ numbers: NumberFacts, _ path: String) -> SwiftType {
        switch numbers.kind {
        case .int: return .int
        case .int64: return .int64
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
