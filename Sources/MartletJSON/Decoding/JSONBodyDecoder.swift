public import MartletEssentials

/// A JSON decoder (RFC 8259) with the defaults of Foundation's `JSONDecoder` and most of its strategies, at several times its speed.
///
/// ```swift
/// var decoder = JSONBodyDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let bird = try decoder.decode(Bird.self, from: data)
/// ```
///
/// It is a value: a copy can be changed without affecting others, and one decoder can be used by several tasks at a time.
///
/// A document is UTF-8, with or without a byte order mark, and is validated completely before a value is decoded, or while a
/// ``JSONReadable`` type reads it. If a name occurs twice in an object, the first member counts.
///
/// The results differ from Foundation's in these cases. The article "Decoding and encoding JSON" has a complete list.
/// - UTF-16 and UTF-32 are not decoded.
/// - Names are compared byte for byte, and not by Unicode equivalence.
/// - A document that is not valid JSON anywhere, such as `[1,]`, throws `DecodingError.dataCorrupted`.
/// - ISO 8601 dates may have fractions of a second, and a day or time that does not exist is an error.
/// - A number with a fraction is never decoded as an integer, however small the fraction is.
public struct JSONBodyDecoder: Sendable {
    /// How the names of members in a document are converted to coding keys. Default: ``KeyDecodingStrategy/useDefaultKeys``.
    ///
    /// The keys of `[String: Value]` dictionaries are data and are never converted.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    /// How dates are decoded. Default: ``DateDecodingStrategy/deferredToDate``.
    public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
    /// How `Data` is decoded. Default: ``DataDecodingStrategy/base64``.
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// How infinity and NaN, which JSON cannot represent as numbers, are decoded. Default: ``NonConformingFloatDecodingStrategy/throw``.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
    /// Values that the `init(from:)` of decoded types can read from its decoder. Default: none.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The maximum nesting of arrays and objects; a deeper document throws. Default: 512.
    public var maxDepth: Int {
        get { limits.maxDepth }
        set { limits.maxDepth = newValue }
    }
    /// The maximum number of values in a document, including arrays, objects and their contents; a larger document throws. Default: 10
    /// million. Numbers above 134,217,727 are reduced to it.
    ///
    /// The finished index of a document takes at most 16 bytes for each value.
    public var maxValues: Int {
        get { limits.maxValues }
        set { limits.maxValues = newValue }
    }

    var limits = JSONLimits()

    /// Creates a decoder with the defaults of Foundation's `JSONDecoder`. A client's default decoder, `.json`, reads ISO 8601 dates.
    public init() {}

    /// Returns the value decoded from a JSON document in UTF-8.
    ///
    /// - Throws: `DecodingError`. If the bytes are not JSON or exceed a limit, it is `.dataCorrupted` with a ``JSONSyntaxError`` as its
    ///   underlying error. Errors thrown by the type's own `init(from:)` are passed on.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try data.withUnsafeBytes { bytes in
            try decode(type, from: bytes.bindMemory(to: UInt8.self))
        }
    }

    /// Decodes a value from bytes that stay valid during the call.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeBufferPointer<UInt8>) throws -> Value {
        if canRead, let readable = type as? any JSONReadable.Type {
            func read<Readable: JSONReadable>(_ type: Readable.Type) -> Value? {
                JSONReader.value(type, bytes, self).map { unsafeBitCast($0, to: Value.self) }
            }
            if let value = read(readable) { return value }
        }
        return try decodeIndexed(type, from: bytes)
    }

    /// Whether types may read themselves. Closures of strategies need coding paths, and names are not converted.
    private var canRead: Bool {
        guard case .useDefaultKeys = keyDecodingStrategy else { return false }
        if case .custom = dateDecodingStrategy { return false }
        if case .custom = dataDecodingStrategy { return false }
        return true
    }

    /// Decodes a value by its `init(from:)`.
    func decodeIndexed<Value: Decodable>(
        _ type: Value.Type, from bytes: UnsafeBufferPointer<UInt8>, at path: [any CodingKey] = []
    ) throws -> Value {
        if type == JSONValue.self, let value = try JSONValue(bytes, limits, path: path) as? Value { return value }
        var state = try JSONDecodingState(bytes, options: self, rootPath: path)
        // The type may have kept its decoder, which then needs its own copy of the bytes.
        defer { if !isKnownUniquelyReferenced(&state) { state.copyBytes() } }
        return try state.decode(type, at: 0)
    }

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
        /// Decodes like ``iso8601``, and also a time without a time zone (`2026-03-01T10:00:00`), as UTC, and a day without a time
        /// (`2026-03-01`), as its midnight in UTC.
        case iso8601AssumingUTC
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
