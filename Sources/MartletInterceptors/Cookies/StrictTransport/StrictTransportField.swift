/// The value of a `Strict-Transport-Security` field (RFC 6797 §6.1).
struct StrictTransportField: Sendable, Equatable {
    /// The lifetime in seconds. Zero removes the host.
    var maxAge: Int
    var includesSubdomains: Bool

    /// Parses a field value. Returns nil if it is malformed, has no `max-age`, or has a directive twice: it is then ignored.
    init?(_ text: String) {
        var maxAge: Int?, includesSubdomains = false
        var names: Set<String> = []
        for directive in text.utf8.split(separator: UInt8(ascii: ";")).map({ Substring($0).trimmingWhitespace }) where !directive.isEmpty {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingWhitespace)
            let name = parts[0].lowercased(), value = parts.count > 1 ? StrictTransportField.unquoted(parts[1]) : nil
            guard name.isToken, names.insert(name).inserted, parts.count == 1 || value != nil else { return nil }
            switch name {
            case "max-age":
                guard let value, value.isDecimal else { return nil }
                maxAge = Int(value) ?? .max
            case "includesubdomains":
                guard parts.count == 1 else { return nil }
                includesSubdomains = true
            default: break
            }
        }
        guard let maxAge else { return nil }
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
    }

    /// Returns the text of a token or a quoted string without escapes, or nil if it is neither.
    private static func unquoted(_ text: Substring) -> Substring? {
        guard text.utf8.first == UInt8(ascii: "\"") else { return text.isToken ? text : nil }
        let inner = text.dropFirst().dropLast()
        return text.utf8.count >= 2 && text.utf8.last == UInt8(ascii: "\"") && !inner.utf8.contains(UInt8(ascii: "\"")) ? inner : nil
    }
}

extension HTTPFieldName {
    static var strictTransportSecurity: Self { "Strict-Transport-Security" }
}
