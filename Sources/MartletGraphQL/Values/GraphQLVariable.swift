/// The value of a variable (GraphQL §2.10): a literal, a Swift value, or a file to upload.
///
/// ```swift
/// let variables: [String: GraphQLVariable] = ["id": "1000", "limit": 3, "filter": ["tags": ["a", nil], "exact": true]]
/// ```
///
/// A Swift value inside a literal is written `.init(value)`, beside literals or alone:
///
/// ```swift
/// let variables: [String: GraphQLVariable] = ["id": .init(id), "filter": ["tags": .init(tags), "exact": true]]
/// ```
///
/// Keys are sent as they are written. An enum value is its name, as a string. Whole numbers that do not fit 64 bits, decimals and dates are
/// Swift values, ``init(_:)``, which are written by the client's encoder.
public enum GraphQLVariable: Sendable {
    /// `null`, which is not the same as leaving the variable out.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text, an ID, the name of an enum value.
    case string(String)
    /// A list.
    case list([GraphQLVariable])
    /// An input object.
    case object([String: GraphQLVariable])
    /// A file, for a variable of type `Upload`.
    case upload(GraphQLUpload)
    /// A Swift value, written by the client's encoder when it is sent.
    case value(GraphQLEncodable)

    /// The variable for a Swift value; nil is `null`.
    ///
    /// Texts, truth values, whole numbers that fit and floating-point numbers become the case of their own; the rest is kept, and written
    /// by the client's encoder when it is sent.
    public init(_ value: (any Encodable & Sendable)?) {
        switch value {
        case nil: self = .null
        case let value as GraphQLVariable: self = value
        case let value as GraphQLUpload: self = .upload(value)
        case let value as String: self = .string(value)
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger where Int64(exactly: value) != nil: self = .integer(Int64(value))
        case let value as Double: self = .number(value)
        case let value as JSONValue: self = GraphQLVariable(json: value)
        case let value?: self = .value(GraphQLEncodable(value))
        }
    }

    /// The variable for a JSON value.
    public init(json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value):
            let double = value.doubleValue
            // A number that a Double would change is written as it is.
            self = JSONNumber(double) == value ? .number(double) : .value(GraphQLEncodable(json))
        case .string(let value): self = .string(value)
        case .array(let elements): self = .list(elements.map(GraphQLVariable.init(json:)))
        case .object(let members): self = .object(members.dictionary.mapValues(GraphQLVariable.init(json:)))
        }
    }
}

extension GraphQLVariable: Hashable {}

extension GraphQLVariable: Encodable {
    /// Writes the value; an upload is `null`, and its bytes go beside the operation.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        case .upload(let upload): try container.encode(upload)
        case .value(let value): try container.encode(value)
        }
    }
}

extension GraphQLVariable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) { self = .null }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list.
    public init(arrayLiteral elements: GraphQLVariable...) { self = .list(elements) }
    /// An input object. A key that comes twice has its last value.
    public init(dictionaryLiteral elements: (String, GraphQLVariable)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
