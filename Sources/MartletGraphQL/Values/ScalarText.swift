internal import MartletEssentials

/// The text of a scalar that a server writes as a text or as a number.
enum ScalarText {
    /// The text, or the number's digits without an exponent.
    ///
    /// Fractions are read as `Decimal` does: of a number, not of a text, what is beyond 38 digits is rounded.
    ///
    /// - Throws: `DecodingError`, also for a whole number of so many digits that they can't all be read.
    static func read(from decoder: any Decoder, as type: Any.Type) throws -> String {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            throw DecodingError.valueNotFound(type, .init(codingPath: container.codingPath, debugDescription: "null was found"))
        }
        if let text = try? container.decode(String.self) { return text }
        // Beyond that it may have been rounded, and would not say so.
        if let number = try? container.decode(Decimal.self), abs(number) < maxDecimal { return number.description }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            if let number = try? container.decode(Int128.self) { return "\(number)" }
            if let number = try? container.decode(UInt128.self) { return "\(number)" }
        }
        // A decoder may know no Decimal.
        if let number = try? container.decode(Int64.self) { return "\(number)" }
        if let number = try? container.decode(UInt64.self) { return "\(number)" }
        throw DecodingError.typeMismatch(
            type, .init(codingPath: container.codingPath, debugDescription: "neither a text nor a number of which all digits can be read"))
    }

    private static let maxDecimal = Decimal(sign: .plus, exponent: 38, significand: 1)
}
