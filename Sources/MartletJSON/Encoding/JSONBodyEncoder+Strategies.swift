public import MartletEssentials

extension JSONBodyEncoder {
    /// How an encoder converts coding keys to the names of members in a document.
    ///
    /// The keys of `[String: Value]` dictionaries are data and are never converted.
    public enum KeyEncodingStrategy: Sendable {
        /// Writes the `stringValue` of each key unchanged.
        case useDefaultKeys
        /// Converts keys in camel case to snake case, such as `myURLProperty` to `my_url_property`.
        case convertToSnakeCase
        /// Writes the `stringValue` of the key that the closure returns. The argument is the coding path, which ends with the key to
        /// convert.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// How an encoder writes `Date` values.
    public enum DateEncodingStrategy: Sendable {
        /// Writes the seconds since January 1, 2001 as a number, as `Date` encodes itself.
        case deferredToDate
        /// Writes the seconds since January 1, 1970 as a number.
        case secondsSince1970
        /// Writes the milliseconds since January 1, 1970 as a number.
        case millisecondsSince1970
        /// Writes a string in UTC such as `1994-11-06T08:49:37Z`, rounded down to a second.
        ///
        /// Dates outside the years 1 to 9999 throw `EncodingError.invalidValue`.
        case iso8601
        /// Writes a string in UTC such as `1994-11-06T08:49:37.500Z`, rounded to the nearest millisecond.
        ///
        /// Dates outside the years 1 to 9999 throw `EncodingError.invalidValue`.
        case iso8601WithFractionalSeconds
        /// Encodes each date with the closure. If it encodes nothing, `{}` is written.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How an encoder writes `Data` values.
    public enum DataEncodingStrategy: Sendable {
        /// Writes an array of numbers, one for each byte, as `Data` encodes itself.
        case deferredToData
        /// Writes a Base64 string with padding (RFC 4648 §4).
        case base64
        /// Encodes each `Data` value with the closure. If it encodes nothing, `{}` is written.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How an encoder writes infinity and NaN, which JSON cannot represent as numbers.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Throws `EncodingError.invalidValue` for infinity and NaN.
        case `throw`
        /// Writes these strings in place of infinity and NaN.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// A set of options for the layout of the JSON text.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The bits of the set options.
        public let rawValue: UInt

        /// Creates a set of options from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Sorts the members of all objects by the UTF-8 bytes of their keys.
        public static let sortedKeys = OutputFormatting(rawValue: 1)
        /// Puts each member and element on its own line, indented by two spaces for each level.
        public static let prettyPrinted = OutputFormatting(rawValue: 2)
        /// Writes `/` in strings as `\/`.
        public static let escapingSlashes = OutputFormatting(rawValue: 4)
    }
}
