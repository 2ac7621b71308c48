public import MartletEssentials

extension JSONBodyDecoder {
    /// How the names of members become coding keys.
    public enum KeyDecodingStrategy: Sendable {
        /// Names stay as they are.
        case useDefaultKeys
        /// `full_name` becomes `fullName`. Underscores at the start and end are kept. A name without other underscores is not changed.
        case convertFromSnakeCase
        /// The key that a closure returns for a coding path, whose last key is the name in the document.
        case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
    }

    /// How dates are decoded.
    public enum DateDecodingStrategy: Sendable {
        /// As `Date` decodes itself: seconds since the start of 2001.
        case deferredToDate
        /// ISO 8601 in the profile of RFC 3339 §5.6, with or without fractions of a second. An impossible day or time is an error.
        case iso8601
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// The date that a closure decodes.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` is decoded.
    public enum DataDecodingStrategy: Sendable {
        /// As `Data` decodes itself: an array of bytes.
        case deferredToData
        /// A string in base 64.
        case base64
        /// The data that a closure decodes.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How infinity and NaN, which JSON cannot represent as numbers, are decoded.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// A string throws `DecodingError.typeMismatch`.
        case `throw`
        /// These strings are decoded as infinity and NaN.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
