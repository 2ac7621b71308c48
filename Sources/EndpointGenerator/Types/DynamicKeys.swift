/// Recognizes objects whose names are data, such as numbers, UUIDs and dates.
enum DynamicKeys {
    /// The maximum length of a name that is data, in bytes: that of an e-mail address (RFC 5321 §4.5.3.1.3).
    private static let maxLength = 254

    /// Whether the names of a shape's members are data.
    static func areDynamic(_ shape: Shape) -> Bool {
        guard shape.mergedMembers.kindCount <= 1 else { return false }
        let names = shape.members.map(\.name)
        if names.count > 1, names.allSatisfy(isCurrency), shape.mergedMembers.numbers.count > 0 { return true }
        guard names.allSatisfy({ $0.utf8.count <= maxLength }) else { return false }
        let kinds: [(String) -> Bool] = [isNumber, isUUID, isDate, isDigest, isAddress]
        return kinds.contains { isKind in names.allSatisfy { isKind($0) } }
    }

    private static func isNumber(_ name: String) -> Bool { Int64(name) != nil && name.first != "+" && name != "-1" }

    private static func isUUID(_ name: String) -> Bool { StringFacts.isUUID(name) }

    /// Whether a name is a day or a month: `2026-01-31`, `2026-01`.
    private static func isDate(_ name: String) -> Bool {
        name.prefixMatch(of: /\d{4}-\d\d(-\d\d)?(T.*)?$/) != nil
    }

    /// Whether a name is hexadecimal and has the length of an identifier.
    private static func isDigest(_ name: String) -> Bool {
        name.utf8.count >= 16 && name.contains(where: \.isNumber) && name.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    }

    /// Whether a name could be a currency (ISO 4217).
    private static func isCurrency(_ name: String) -> Bool { name.wholeMatch(of: /[A-Z]{3}/) != nil }

    /// Whether a name is an e-mail address.
    private static func isAddress(_ name: String) -> Bool { name.wholeMatch(of: /[^@\s]+@[^@\s]+\.[^@\s]+/) != nil }
}
