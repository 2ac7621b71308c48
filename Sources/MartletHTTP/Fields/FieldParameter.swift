/// A parameter of a field value (RFC 9110 §5.6.6).
public struct FieldParameter: Sendable, Hashable {
    /// The name, in lower case.
    public let name: String
    /// The value, unquoted and decoded. Empty for a parameter of a link that has none.
    public let value: String
}

extension [FieldParameter] {
    /// The value of the first parameter with a name, which is compared without regard to case.
    func first(named name: String) -> String? { first { $0.name.equalsIgnoringCase(name) }?.value }
}
