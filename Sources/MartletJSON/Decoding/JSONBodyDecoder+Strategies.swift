public import MartletEssentials

extension JSONBodyDecoder {
    /// How the names of members become coding keys.
    public enum KeyDecodingStrategy: Sendable {
        /// Uses names unchanged.
        case useDefaultKeys
        /// Converts `full_name` to `fullName`. Underscores at the start and end are kept. A name without other underscores is unchanged.
        case convertFromSnakeCase
        /// Uses the key that the closure returns. Its argument is a coding path whose last key is the name in the document.
        case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
    }

    /// How dates are decoded.
    public enum DateDecodingStrategy: Sendable {
        /// Decodes a number of seconds since January 1, 2001, as `Date` decodes itself.
        case deferredToDate
        /// Decodes ISO 8601 in the profile of RFC 3339 §5.6, with or without fractions of a second. An impossible day or time is an error.
        case iso8601
        /// Decodes a number of seconds since January 1, 1970.
        case secondsSince1970
        /// Decodes a number of milliseconds since January 1, 1970.
        case millisecondsSince1970
        /// Calls the closure to decode the date.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` is decoded.
    public enum DataDecodingStrategy: Sendable {
        /// Decodes an array of bytes, as `Data` decodes itself.
        case deferredToData
        /// Decodes a Base64 string (RFC 4648 §4).
        case base64
        /// Calls the closure to decode the data.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How infinity and NaN, which JSON cannot represent as numbers, are decoded.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Throws `DecodingError.typeMismatch` for a string.
        case `throw`
        /// Decodes these strings as infinity and NaN.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
