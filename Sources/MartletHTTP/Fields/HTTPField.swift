/// A line of header fields: a name and its value as text.
public struct HTTPField: Hashable, Sendable {
    /// The field's name.
    public let name: HTTPFieldName
    /// The value of the line.
    public let value: String
    /// Whether the line was marked as a credential.
    let isMarked: Bool

    /// Whether the line carries a credential, because it was marked as one or its name indicates one.
    public var isCredential: Bool { isMarked || name.isAlwaysCredential }

    /// Returns whether the names, the values, and whether the lines carry credentials are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.value == right.value && left.isCredential == right.isCredential
    }

    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}
