public import MartletEssentials

extension JSONBodyDecoder {
    /// How a decoder converts the names of members in a document to coding keys.
    public enum KeyDecodingStrategy: Sendable {
        /// Uses the names of the document unchanged.
        case useDefaultKeys
        /// Converts names in snake case to camel case, such as `full_name` to `fullName`. Underscores at the start and end are kept. A name
        /// without other underscores is unchanged.
        case convertFromSnakeCase
        /// Uses the key that the closure returns for a name. Its argument is a coding path whose last key is the name in the document.
        case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
    }

    /// How a decoder reads `Date` values.
    public enum DateDecodingStrategy: Sendable {
        /// Decodes a number of seconds since January 1, 2001, as `Date` decodes itself.
        case deferredToDate
        /// Decodes an ISO 8601 string as RFC 3339 §5.6 defines it, with or without fractions of a second. Offsets without a colon or
        /// without minutes (`+0200`, `+02`) are accepted too. An impossible day or time is an error.
        case iso8601
        /// Decodes a number of seconds since January 1, 1970.
        case secondsSince1970
        /// Decodes a number of milliseconds since January 1, 1970.
        case millisecondsSince1970
        /// Decodes each date with the closure.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How a decoder reads `Data` values.
    public enum DataDecodingStrategy: Sendable {
        /// Decodes an array of numbers, one for each byte, as `Data` decodes itself.
        case deferredToData
        /// Decodes a Base64 string (RFC 4648 §4), and throws for any other text.
        case base64
        /// Decodes each `Data` value with the closure.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How a decoder reads infinity and NaN, which JSON cannot represent as numbers.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Throws `DecodingError.typeMismatch` for every string in place of a number.
        case `throw`
        /// Decodes these strings, in place of numbers, as infinity and NaN.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
