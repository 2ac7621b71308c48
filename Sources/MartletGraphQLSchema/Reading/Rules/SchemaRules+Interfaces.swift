internal import MartletGraphQL

extension SchemaRules {
    /// Checks that an object or interface has what its interfaces promise (GraphQL, September 2025, §3.6, IsValidImplementation).
    mutating func checkInterfaces(of type: SchemaType) {
        let declared = Set(type.interfaces)
        var seen: Set<String> = []
        let fields = Dictionary(type.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for name in type.interfaces where !isFull {
            let place = definitions.namePlaces["\(type.name) \(name)"] ?? type.place
            guard seen.insert(name).inserted else {
                report("\"\(type.name)\" implements \"\(name)\" twice", at: place)
                continue
            }
            guard let interface = self.type(name, of: "\"\(type.name)\"", at: place) else { continue }
            guard interface.kind == .interface else {
                report("\"\(type.name)\" implements \"\(name)\", which is \(interface.kind.phrase), not an interface", at: place)
                continue
            }
            if name == type.name || interface.interfaces.contains(type.name) {
                let through = name == type.name ? "" : " through \"\(name)\""
                report("the interface \"\(type.name)\" implements itself\(through)", at: place)
                continue
            }
            for inherited in Set(interface.interfaces).subtracting(declared).sorted() {
                report("\"\(type.name)\" must implement \"\(inherited)\" too, because \"\(name)\" does", at: place)
            }
            for promised in interface.fields where !isFull {
                if let field = fields[promised.name] {
                    check(field, of: type, implements: promised, of: interface)
                } else {
                    report("\"\(type.name)\" lacks the field \"\(promised.name)\" of its interface \"\(name)\"", at: place)
                }
            }
        }
    }

    private mutating func check(
        _ field: FieldDefinition, of type: SchemaType, implements promised: FieldDefinition, of interface: SchemaType
    ) {
        let own = "\(type.name).\(field.name)", other = "\(interface.name).\(promised.name)"
        if !isSubtype(field.type, of: promised.type) {
            report(
                "\"\(own)\" has the type \"\(field.type)\", which is not a kind of \"\(promised.type)\" of \"\(other)\"", at: field.place)
        }
        let arguments = Dictionary(field.arguments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for argument in promised.arguments {
            guard let given = arguments[argument.name] else {
                report("\"\(own)\" lacks the argument \"\(argument.name)\" of \"\(other)\"", at: field.place)
                continue
            }
            if given.type != argument.type {
                let types = "the type \"\(given.type)\", but \"\(other)(\(argument.name):)\" has \"\(argument.type)\""
                report("\"\(own)(\(argument.name):)\" has \(types)", at: given.place)
            }
        }
        let names = Set(promised.arguments.map(\.name))
        for argument in field.arguments where argument.isRequired && !names.contains(argument.name) {
            report("\"\(own)(\(argument.name):)\" is required, but \"\(other)\" has no such argument", at: argument.place)
        }
    }

    /// Whether each value of a type is one of another type (GraphQL, September 2025, §3.6, IsValidImplementationFieldType).
    private func isSubtype(_ type: TypeReference, of other: TypeReference) -> Bool {
        var pair = (type, other)
        while true {
            switch pair {
            case (.nonNull(let type), .nonNull(let other)), (.list(let type), .list(let other)): pair = (type, other)
            case (.nonNull(let type), _): pair.0 = type
            case (.named(let type), .named(let other)):
                guard type != other, let found = types[other] else { return type == other }
                return found.members.contains(type) || found.kind == .interface && types[type]?.interfaces.contains(other) == true
            case (.named, _), (.list, _): return false
            }
        }
    }
}
