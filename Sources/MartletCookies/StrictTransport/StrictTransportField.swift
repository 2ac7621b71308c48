/// The value of a `Strict-Transport-Security` field (RFC 6797 §6.1).
struct StrictTransportField: Sendable, Equatable {
    /// The lifetime in seconds. Zero removes the host.
    var maxAge: Int
    var includesSubdomains: Bool

    /// Parses a field value. Returns nil if it is malformed, has no `max-age`, or has a directive twice: it is then ignored.
    init?(_ text: String) {
        var maxAge: Int?, includesSubdomains = false
        var names: Set<String> = []
        var reader = FieldReader(text)
        while !reader.isAtEnd {
            reader.skip { Token.isWhitespace($0) || $0 == FieldReader.semicolon }
            guard !reader.isAtEnd else { break }
            guard let (name, value) = reader.parameter(value: { $1.quoted { $0.token() } }), names.insert(name).inserted else { return nil }
            reader.skip(while: Token.isWhitespace)
            guard reader.isAtEnd || reader.next == FieldReader.semicolon else { return nil }
            switch name {
            case "max-age":
                guard let value, value.isDecimal else { return nil }
                maxAge = Int(value) ?? .max
            case "includesubdomains":
                guard value == nil else { return nil }
                includesSubdomains = true
            default: break
            }
        }
        guard let maxAge else { return nil }
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
    }
}

extension HTTPFieldName {
    static var strictTransportSecurity: Self { "Strict-Transport-Security" }
}
