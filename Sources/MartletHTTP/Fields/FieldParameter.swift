/// A parameter of a field value (RFC 9110 §5.6.6).
public struct FieldParameter: Sendable, Hashable {
    /// The name, in lower case.
    public let name: String
    /// The value, unquoted and decoded. Empty for a link parameter without a value.
    public let value: String
}

extension [FieldParameter] {
    /// Returns the value of the first parameter with this name, compared without regard to case.
    func first(named name: String) -> String? { first { $0.name.equalsIgnoringCase(name) }?.value }
}
