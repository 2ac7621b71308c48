package import MartletEssentials

/// Compares JSON bodies and reports them.
extension JSONValue {
    /// The value of a body; nil if the body is not JSON.
    ///
    /// Every number is a `number` with its text, never an `integer`, so that reports show `1.0` and not `1`. If an object has a name
    /// twice, its last value counts.
    package init?(comparing body: Data) {
        guard let root = try? JSONNode(parsing: body, limits: .redaction) else { return nil }
        self.init(comparing: root)
    }

    private init(comparing node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number: self = JSONValue.written(node.number ?? "")
        case .string: self = .string(node.text ?? "")
        case .array: self = .array(JSONArray(node.elements.map { JSONValue(comparing: $0) }))
        case .object: self = .object(JSONObject(node.members.map { (key: $0.name, value: JSONValue(comparing: $0.value)) }))
        }
    }

    private static func written(_ text: String) -> JSONValue {
        guard let number = JSONNumber(text) else { return .null }
        return .number(number)
    }

    /// A number of either kind, or nil for another value.
    private var anyNumber: JSONNumber? {
        switch self {
        case .integer(let value): JSONNumber("\(value)")
        case .number(let value): value
        default: nil
        }
    }

    /// Whether two values are equal, with all digits of their numbers.
    ///
    /// - Parameter isLiteral: Whether this value may come from a literal in Swift, which has only the digits of a `Double`. A number that
    ///   rounds to it is then equal, unless both are whole numbers of 64 bits.
    func equals(_ found: JSONValue, isLiteral: Bool) -> Bool {
        guard let expectedNumber = anyNumber, let foundNumber = found.anyNumber else { return self == found }
        guard expectedNumber != foundNumber, isLiteral, case .number(let literal) = self else { return expectedNumber == foundNumber }
        let rounded = literal.doubleValue
        guard rounded.isFinite, JSONNumber(rounded) == literal, foundNumber.doubleValue == rounded else { return false }
        return foundNumber.integer(as: Int64.self) == nil || literal.integer(as: Int64.self) == nil
    }

    /// The value in one line with sorted names and masked secrets, truncated if it is long.
    var line: String { Redaction.visible(Redaction.cut(Redaction.text(JSONText.line(self)), 200)) }

    /// Returns the value without members with these names, at any level.
    package func without(_ names: Set<String>) -> JSONValue {
        guard !names.isEmpty else { return self }
        switch self {
        case .object(let members):
            let kept = members.filter { !names.contains($0.key) }
            return .object(JSONObject(kept.map { (key: $0.key, value: $0.value.without(names)) }))
        case .array(let elements): return .array(JSONArray(elements.map { $0.without(names) }))
        default: return self
        }
    }
}
