package import MartletGraphQL

/// A place where a value is expected.
struct ExpectedValue {
    /// The name of the argument, or the path to a part of it, such as `filter.tags[2]`.
    let name: String
    /// The expected type, or nil if it is not known.
    var type: TypeReference?
    /// Whether the argument or input field has a default value.
    var hasDefault = false
    /// The name of the input object if exactly one of its fields must be given.
    var oneOf: String?
    /// The position of the name of the innermost argument or input field.
    let place: SourcePlace
}

/// The use of a variable where a type is expected.
struct VariableUsage {
    let name: String
    let place: SourcePlace
    let expected: ExpectedValue
}

/// How a value violates the rules.
enum ValueProblem {
    /// It does not have its type.
    case wrongType
    /// An input object has a field twice.
    case repeatedField
}

/// What the rules for values need to know, and where they report violations.
protocol ValueContext {
    /// Whether more violations are not reported.
    var isFull: Bool { get }
    func type(_ name: String) -> ValidatedType?
    func report(_ problem: ValueProblem, _ message: String, hint: String?, at place: SourcePlace)
}

/// The rules for literal values in documents and schemas (GraphQL, September 2025, §5.6, and "Input Coercion" in §3.5 to §3.12).
struct ValueRules {
    private let context: any ValueContext

    init(_ context: any ValueContext) { self.context = context }

    private struct Waiting {
        let value: ValueLiteral
        let expected: ExpectedValue
        /// Whether the value must have the type. Parts of a value that has a wrong type are not checked.
        let isChecked: Bool
    }

    /// Checks a value and all values in it, and appends its variables.
    func check(_ value: ValueLiteral, _ expected: ExpectedValue, _ used: inout [VariableUsage]) {
        var waiting = [Waiting(value: value, expected: expected, isChecked: true)]
        while let next = waiting.popLast(), !context.isFull {
            let isCorrect = next.isChecked && check(next.value, next.expected)
            switch next.value {
            case .variable(let name, let place): used.append(VariableUsage(name: name, place: place, expected: next.expected))
            case .list(let elements): waiting += parts(elements, next.expected, isCorrect).reversed()
            case .object(let members): waiting += parts(members, next.expected, isCorrect).reversed()
            case .integer, .float, .string, .boolean, .null, .enumeration: break
            }
        }
    }

    private func parts(_ elements: [ValueLiteral], _ expected: ExpectedValue, _ isChecked: Bool) -> [Waiting] {
        elements.enumerated().map { index, element in
            let expected = ExpectedValue(name: "\(expected.name)[\(index)]", type: expected.type?.element, place: expected.place)
            return Waiting(value: element, expected: expected, isChecked: isChecked)
        }
    }

    private func parts(_ members: [Argument], _ expected: ExpectedValue, _ isChecked: Bool) -> [Waiting] {
        var names: Set<String> = []
        let type = expected.type.flatMap { context.type($0.name) }.flatMap { $0.definition.kind == .inputObject ? $0 : nil }
        return members.map { member in
            if !names.insert(member.name).inserted {
                context.report(.repeatedField, "there are two input fields \"\(member.name)\"", hint: nil, at: member.place)
            }
            let field = type?.inputFields[member.name]
            let expected = ExpectedValue(
                name: "\(expected.name).\(member.name)", type: field?.type, hasDefault: field?.defaultValue != nil,
                oneOf: type?.definition.isOneOf == true ? type?.name : nil, place: member.place)
            return Waiting(value: member.value, expected: expected, isChecked: isChecked)
        }
    }

    /// Returns whether a value has the type, without its parts.
    private func check(_ value: ValueLiteral, _ expected: ExpectedValue) -> Bool {
        guard let reference = expected.type else { return false }
        if case .variable = value { return true }
        if case .null = value {
            if reference.isNonNull { report(value, expected) }
            return !reference.isNonNull
        }
        if case .list(let elements) = value, reference.element != nil { return !elements.isEmpty }
        // A value that is not a list stands for a list with one element.
        var single = reference
        if case .list = value {} else { while let element = single.element { single = element } }
        guard let type = context.type(single.name) else { return false }
        if single.element == nil, type.definition.kind == .inputObject, case .object(let members) = value {
            check(members, expected, of: type)
            return true
        }
        if single.element == nil, isLeaf(value, type) { return false }
        report(value, expected, hint: hint(for: value, type))
        return false
    }

    private func report(_ value: ValueLiteral, _ expected: ExpectedValue, hint: String? = nil) {
        let type = expected.type?.description ?? ""
        let message = "expected a value of type \"\(type)\" for \"\(expected.name)\", found \(value.found)"
        context.report(.wrongType, message, hint: hint, at: expected.place)
    }

    /// Whether the value is one of a scalar or enum (§3.5, §3.9).
    private func isLeaf(_ value: ValueLiteral, _ type: ValidatedType) -> Bool {
        if type.definition.kind == .enumeration {
            if case .enumeration(let name) = value { return type.values.contains(name) }
            return false
        }
        guard type.definition.kind == .scalar else { return false }
        return BuiltInScalar.accepts(value, as: type.name)
    }

    private func hint(for value: ValueLiteral, _ type: ValidatedType) -> String? {
        guard type.definition.kind == .enumeration else { return nil }
        let names = type.definition.values.map(\.name)
        switch value {
        case .enumeration(let name), .string(let name):
            // A value in quotes is a common mistake: the hint is the same name without them.
            return names.contains(name) ? NameHints.question([name]) : NameHints.question(for: name, among: names)
        default: return nil
        }
    }

    private func check(_ members: [Argument], _ expected: ExpectedValue, of type: ValidatedType) {
        let given = Set(members.map(\.name))
        for field in type.definition.inputFields where field.isRequired && !given.contains(field.name) {
            let message = "\"\(expected.name)\" needs the field \"\(field.name)\" of type \"\(field.type)\""
            context.report(.wrongType, message, hint: nil, at: expected.place)
        }
        let known = members.filter { type.inputFields[$0.name] != nil }
        for member in members where type.inputFields[member.name] == nil {
            let hint = NameHints.question(for: member.name, among: type.definition.inputFields.map(\.name))
            let message = "the input object \"\(type.name)\" has no field \"\(member.name)\""
            context.report(.wrongType, message, hint: hint, at: member.place)
        }
        guard type.definition.isOneOf else { return }
        var isNull = false
        if known.count == 1, case .null = known[0].value { isNull = true }
        if known.count != 1 || isNull {
            let message = "\"\(expected.name)\" needs exactly one field of \"\(type.name)\", and it must not be null"
            context.report(.wrongType, message, hint: nil, at: expected.place)
        }
    }
}

extension ValueLiteral {
    /// The description of the value in error messages, without the contents of lists and objects.
    package var found: String {
        switch self {
        case .variable(let name, _): "\"$\(name)\""
        case .integer(let text), .float(let text), .enumeration(let text): Token.quoted(text)
        case .string(let text): "the string \(Token.quoted(text))"
        case .boolean(let value): "\"\(value)\""
        case .null: "\"null\""
        case .list: "a list"
        case .object: "an object"
        }
    }
}
