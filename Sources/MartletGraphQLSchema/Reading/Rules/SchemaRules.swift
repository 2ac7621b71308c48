internal import MartletGraphQL

/// The rules for type systems (GraphQL, September 2025, §3).
///
/// One rule is left out: that a field is not deprecated unless that of its interface is. It is new, servers break it, and clients do
/// not need it.
struct SchemaRules {
    private(set) var definitions: SchemaDefinitions
    /// All types by their names, with the built-in ones.
    let types: [String: SchemaType]
    let directives: [String: DirectiveDefinition]
    private let validated: ValidatedTypes
    private var typeHints: NameHints
    /// Whether there are so many mistakes that more are not looked for. Their number can be the square of the schema's size.
    private(set) var isFull = false

    static let maxMistakes = 10_000

    /// Merges extensions, finds the root types, and reports every violation, at most ``maxMistakes``.
    static func check(_ definitions: inout SchemaDefinitions) {
        definitions.types.removeAll { BuiltInDefinitions.typeNames.contains($0.name) }
        definitions.merge()
        definitions.addConventionalRoots()
        var rules = SchemaRules(definitions)
        rules.checkRoots()
        for type in definitions.types { rules.check(type) }
        for directive in definitions.directives { rules.check(directive) }
        rules.checkUses()
        rules.checkInputCycles()
        rules.checkDirectiveCycles()
        definitions = rules.definitions
    }

    private init(_ definitions: SchemaDefinitions) {
        self.definitions = definitions
        types = Dictionary((definitions.types + BuiltInDefinitions.types).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        validated = ValidatedTypes(types)
        directives = Dictionary(
            (definitions.directives + BuiltInDefinitions.directives).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        typeHints = NameHints((definitions.types + BuiltInDefinitions.types).map(\.name).filter { !$0.hasPrefix("__") })
    }

    mutating func report(_ message: String, at place: SourcePlace?) {
        isFull = isFull || definitions.mistakes.count >= Self.maxMistakes
        if !isFull { definitions.report(message, at: place) }
    }

    // MARK: Root types

    private mutating func checkRoots() {
        for place in definitions.schemas.dropFirst() { report("\"schema\" is defined twice", at: place) }
        var kinds: Set<GraphQLOperationKind> = [], used: [String: GraphQLOperationKind] = [:]
        for root in definitions.roots {
            let name = "the \(root.kind) type"
            guard kinds.insert(root.kind).inserted else {
                report("\(name) is given twice", at: root.place)
                continue
            }
            if let type = type(root.type, of: name, at: root.place), type.kind != .object {
                report("\(name) \"\(root.type)\" is \(type.kind.phrase), and must be an object", at: root.place)
            }
            if let other = used[root.type] { report("\"\(root.type)\" is \(name) and the \(other) type", at: root.place) }
            used[root.type] = root.kind
        }
        if !kinds.contains(.query) {
            report("the schema has no query type: define the object \"Query\", or name one in \"schema\"", at: definitions.schemas.first)
        }
    }

    /// Returns a type, or reports that it is not defined.
    mutating func type(_ name: String, of use: String, at place: SourcePlace?) -> SchemaType? {
        if let type = types[name] { return type }
        if !isFull { report("the type \"\(name)\" of \(use) is not defined\(typeHints.text(for: name))", at: place) }
        return nil
    }

    // MARK: Definitions

    private mutating func check(_ type: SchemaType) {
        if isFull { return }
        checkName(type.name, "the type \"\(type.name)\"", at: type.place)
        switch type.kind {
        case .scalar: break
        case .object, .interface:
            checkNotEmpty(type, type.fields.count, "fields")
            checkFields(of: type)
            checkInterfaces(of: type)
        case .union:
            checkNotEmpty(type, type.members.count, "members")
            checkMembers(of: type)
        case .enumeration:
            checkNotEmpty(type, type.values.count, "values")
            checkUnique(type.values.map { ($0.name, $0.place) }, "values") { "\(type.name).\($0)" }
            for value in type.values where ["true", "false", "null"].contains(value.name) {
                report("\"\(type.name).\(value.name)\" can't be the name of an enum's value", at: value.place)
            }
        case .inputObject:
            checkNotEmpty(type, type.inputFields.count, "fields")
            checkInputs(type.inputFields, "fields") { "\(type.name).\($0)" }
            for field in type.inputFields where type.isOneOf {
                guard case .nonNull = field.type else {
                    if field.defaultValue != nil {
                        report("\"\(type.name).\(field.name)\" of a @oneOf has a default value", at: field.place)
                    }
                    continue
                }
                report("\"\(type.name).\(field.name)\" of a @oneOf must not be \"\(field.type)\", but nullable", at: field.place)
            }
        }
    }

    private mutating func check(_ directive: DirectiveDefinition) {
        checkName(directive.name, "the directive \"@\(directive.name)\"", at: directive.place)
        checkInputs(directive.arguments, "arguments") { "@\(directive.name)(\($0):)" }
        for location in directive.locations.sorted() where !DirectiveLocation.all.contains(location) {
            var hints = NameHints(DirectiveLocation.all.sorted())
            let message =
                "the location \(Token.quoted(location)) of \"@\(directive.name)\" is not one of GraphQL\(hints.text(for: location))"
            report(message, at: directive.place)
        }
    }

    private mutating func checkName(_ name: String, _ what: String, at place: SourcePlace) {
        if name.hasPrefix("__") { report("\(what) begins with \"__\", which is reserved for introspection", at: place) }
    }

    private mutating func checkNotEmpty(_ type: SchemaType, _ count: Int, _ members: String) {
        if count == 0 { report("the \(type.kind.keyword) \"\(type.name)\" has no \(members)", at: type.place) }
    }

    /// Checks the names of the members of a type, or of the arguments of a field or directive.
    private mutating func checkUnique(_ names: [(name: String, place: SourcePlace)], _ what: String, coordinate: (String) -> String) {
        var seen: Set<String> = []
        for (name, place) in names {
            if !seen.insert(name).inserted { report("there are two \(what) \"\(coordinate(name))\"", at: place) }
            checkName(name, "\"\(coordinate(name))\"", at: place)
        }
    }

    private mutating func checkFields(of type: SchemaType) {
        checkUnique(type.fields.map { ($0.name, $0.place) }, "fields") { "\(type.name).\($0)" }
        for field in type.fields {
            let coordinate = "\(type.name).\(field.name)"
            if let found = self.type(field.type.name, of: "\"\(coordinate)\"", at: field.place), found.kind == .inputObject {
                report("the type of \"\(coordinate)\" is the input object \"\(found.name)\", and must be an output type", at: field.place)
            }
            checkInputs(field.arguments, "arguments") { "\(coordinate)(\($0):)" }
        }
    }

    /// Checks the arguments of a field or directive, or the fields of an input object.
    private mutating func checkInputs(_ inputs: [InputValueDefinition], _ what: String, coordinate: (String) -> String) {
        checkUnique(inputs.map { ($0.name, $0.place) }, what, coordinate: coordinate)
        for input in inputs {
            let name = coordinate(input.name)
            if input.isRequired, input.deprecation != nil {
                report("\"\(name)\" is deprecated, but required. Make it nullable, or give it a default value", at: input.place)
            }
            guard let type = type(input.type.name, of: "\"\(name)\"", at: input.place) else { continue }
            if !type.isInput {
                report("the type of \"\(name)\" is \(type.kind.phrase), \"\(type.name)\", and must be an input type", at: input.place)
            } else if let value = input.defaultValue {
                check(value, of: input.type, name, at: input.place)
            }
        }
    }

    /// Reports why the value of an argument or input field does not have its type.
    private mutating func check(_ value: ValueLiteral, of type: TypeReference, _ name: String, at place: SourcePlace) {
        let context = ConstantContext(validated)
        // The parser refuses variables here.
        var variables: [VariableUsage] = []
        ValueRules(context).check(value, ExpectedValue(name: name, type: type, place: place), &variables)
        for violation in context.found { report(violation.message, at: violation.place) }
    }

    private mutating func checkMembers(of union: SchemaType) {
        var seen: Set<String> = []
        for name in union.members {
            let place = definitions.namePlaces["\(union.name) \(name)"] ?? union.place
            guard seen.insert(name).inserted else {
                report("\"\(name)\" is a member of the union \"\(union.name)\" twice", at: place)
                continue
            }
            if let type = type(name, of: "the union \"\(union.name)\"", at: place), type.kind != .object {
                report("the member \"\(name)\" of the union \"\(union.name)\" is \(type.kind.phrase), and must be an object", at: place)
            }
        }
    }
}

extension SchemaRules {
    /// Checks the directives on the definitions of SDL (GraphQL, September 2025, §3.13).
    mutating func checkUses() {
        var hints = NameHints(directives.keys.sorted()), used: Set<String> = []
        for use in definitions.uses where !isFull {
            let name = use.directive.name, place = use.directive.place
            guard let definition = directives[name] else {
                report("the directive \"@\(name)\" on \"\(use.owner)\" is not defined\(hints.text(for: name, prefix: "@"))", at: place)
                continue
            }
            if !definition.locations.contains(use.location) {
                let allowed = definition.locations.sorted().joined(separator: ", ")
                report("the directive \"@\(name)\" can't be on \(use.location) (\"\(use.owner)\"), but on \(allowed)", at: place)
            }
            // The location, because a type may have the name "schema".
            if !used.insert("\(use.location) \(use.owner) \(name)").inserted, !definition.isRepeatable {
                report("the directive \"@\(name)\" is on \"\(use.owner)\" twice, and is not repeatable", at: place)
            }
            check(use.directive.arguments, of: definition, on: use)
        }
    }

    private mutating func check(_ arguments: [Argument], of definition: DirectiveDefinition, on use: SchemaDefinitions.DirectiveUse) {
        let directive = "@\(definition.name)"
        var seen: Set<String> = [], hints = NameHints(definition.arguments.map(\.name))
        for argument in arguments {
            let coordinate = "\(directive)(\(argument.name):)"
            if !seen.insert(argument.name).inserted { report("\"\(coordinate)\" is given twice", at: argument.place) }
            guard let known = definition.arguments.first(where: { $0.name == argument.name }) else {
                let hint = hints.text(for: argument.name)
                report("the directive \"\(directive)\" has no argument \"\(argument.name)\"\(hint)", at: argument.place)
                continue
            }
            check(argument.value, of: known.type, coordinate, at: argument.place)
        }
        for argument in definition.arguments where argument.isRequired && !seen.contains(argument.name) {
            report("\"\(directive)(\(argument.name):)\" is required, and missing on \"\(use.owner)\"", at: use.directive.place)
        }
    }
}

extension SchemaDefinitions {
    /// Adds the root types with the names of the convention to a schema that has no `schema`.
    fileprivate mutating func addConventionalRoots() {
        guard schemas.isEmpty else { return }
        for (kind, name) in [(GraphQLOperationKind.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription")] {
            guard !roots.contains(where: { $0.kind == kind }), let type = types.first(where: { $0.name == name }) else { continue }
            if type.kind == .object { roots.append(Root(kind: kind, type: name, place: type.place)) }
        }
    }
}

/// Collects the violations of a value in a schema, at most 100.
private final class ConstantContext: ValueContext {
    private let types: ValidatedTypes
    private(set) var found: [(message: String, place: SourcePlace)] = []

    init(_ types: ValidatedTypes) { self.types = types }

    var isFull: Bool { found.count >= 100 }

    func type(_ name: String) -> ValidatedType? { types[name] }

    func report(_ problem: ValueProblem, _ message: String, hint: String?, at place: SourcePlace) {
        found.append((message + (hint.map { " (\($0))" } ?? ""), place))
    }
}
