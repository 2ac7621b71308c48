package import MartletGraphQL

/// The scalars of GraphQL (GraphQL, September 2025, §3.5).
package enum BuiltInScalar: String, CaseIterable, Sendable {
    case int = "Int"
    case float = "Float"
    case string = "String"
    case boolean = "Boolean"
    case id = "ID"

    /// Whether a literal is a value of a scalar. A scalar of the schema itself accepts every literal.
    package static func accepts(_ value: ValueLiteral, as name: String) -> Bool {
        switch (BuiltInScalar(rawValue: name), value) {
        case (.int, .integer(let digits)): Int32(digits) != nil
        case (.float, .integer(let digits)), (.float, .float(let digits)): Double(digits)?.isFinite == true
        case (.string, .string), (.boolean, .boolean), (.id, .string), (.id, .integer), (nil, _): true
        default: false
        }
    }

    /// Whether the value of a variable is one of a scalar. A scalar of the schema itself has any values.
    static func accepts(_ value: GraphQLVariable, as name: String) -> Bool {
        switch (BuiltInScalar(rawValue: name), value) {
        case (.int, .integer(let number)): Int32(exactly: number) != nil
        case (.int, .number(let number)): Int32(exactly: number) != nil
        case (.float, .integer), (.float, .number), (.string, .string), (.boolean, .bool), (.id, .string), (.id, .integer), (nil, _): true
        default: false
        }
    }

    /// Whether a value of a response is one of a scalar. A scalar of the schema itself has any values.
    static func accepts(_ value: JSONValue, as name: String) -> Bool {
        switch (BuiltInScalar(rawValue: name), value) {
        case (.int, _): value.intValue.flatMap(Int32.init(exactly:)) != nil
        case (.float, .integer), (.float, .number), (.string, .string), (.boolean, .bool), (.id, .string), (.id, .integer), (nil, _): true
        default: false
        }
    }
}
