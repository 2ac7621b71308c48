internal import MartletEssentials

/// Decodes scalars that servers send as a string or as a number.
enum ScalarText {
    /// Returns the string, or the number's digits without an exponent.
    ///
    /// Fractions are decoded as `Decimal`, which rounds numbers after 38 digits. Strings are not rounded.
    ///
    /// - Throws: `DecodingError`, also for an integer with too many digits to be read exactly.
    static func read(from decoder: any Decoder, as type: Any.Type) throws -> String {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            throw DecodingError.valueNotFound(type, .init(codingPath: container.codingPath, debugDescription: "null was found"))
        }
        if let text = try? container.decode(String.self) { return text }
        // Larger numbers may have been rounded, and `Decimal` does not report that.
        if let number = try? container.decode(Decimal.self), abs(number) < maxDecimal { return number.description }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            if let number = try? container.decode(Int128.self) { return "\(number)" }
            if let number = try? container.decode(UInt128.self) { return "\(number)" }
        }
        // Some decoders do not support Decimal.
        if let number = try? container.decode(Int64.self) { return "\(number)" }
        if let number = try? container.decode(UInt64.self) { return "\(number)" }
        throw DecodingError.typeMismatch(
            type, .init(codingPath: container.codingPath, debugDescription: "expected a string, or a number whose digits can all be read"))
    }

    private static let maxDecimal = Decimal(sign: .plus, exponent: 38, significand: 1)
}
