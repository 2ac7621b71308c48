public import MartletEssentials

extension JSONBodyEncoder {
    /// The conversion of coding keys to the keys of JSON objects.
    ///
    /// The keys of `[String: Value]` dictionaries are data and are never converted.
    public enum KeyEncodingStrategy: Sendable {
        /// Writes `stringValue` unchanged.
        case useDefaultKeys
        /// Converts camel case to snake case: `myURLProperty` becomes `my_url_property`.
        case convertToSnakeCase
        /// Writes the `stringValue` of the returned key. The argument is the coding path, which ends with the key to convert.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// The format of `Date` values.
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
        /// Calls the closure to encode the date. If it encodes nothing, `{}` is written.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The format of `Data` values.
    public enum DataEncodingStrategy: Sendable {
        /// Writes an array of numbers, as `Data` encodes itself.
        case deferredToData
        /// Writes a Base64 string with padding (RFC 4648 §4).
        case base64
        /// Calls the closure to encode the data. If it encodes nothing, `{}` is written.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The treatment of infinite numbers and NaN, which JSON cannot express.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Throws `EncodingError.invalidValue`.
        case `throw`
        /// Writes the given strings instead.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The layout of the JSON text.
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
