public import MartletEssentials

/// An encoder of request bodies, such as `JSONBodyEncoder` or Foundation's `JSONEncoder`.
///
/// Conform a type to support another format. Several tasks may use an encoder at the same time. Queries and forms are built from the output
/// of an encoder that writes JSON, so that keys and dates look the same everywhere.
public protocol BodyEncoder: Sendable {
    /// The media type of the encoded body, sent as `Content-Type`.
    var contentType: String { get }
    /// Returns the bytes of the encoded value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// A decoder of response bodies, such as `JSONBodyDecoder` or Foundation's `JSONDecoder`.
///
/// Conform a type to support another format. Several tasks may use a decoder at the same time.
public protocol BodyDecoder: Sendable {
    /// The media types that the decoder reads, sent as `Accept`.
    var accept: String { get }
    /// Returns the value decoded from the bytes of a response body.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONBodyEncoder: BodyEncoder {
    /// The media type of JSON, `application/json`.
    public var contentType: String { "application/json" }
}

extension JSONBodyDecoder: BodyDecoder {
    /// The media type of JSON, `application/json`.
    public var accept: String { "application/json" }
}

extension JSONEncoder: BodyEncoder {
    /// The media type of JSON, `application/json`.
    public var contentType: String { "application/json" }
}

extension JSONDecoder: BodyDecoder {
    /// The media type of JSON, `application/json`.
    public var accept: String { "application/json" }
}

extension BodyEncoder where Self == JSONBodyEncoder {
    /// An encoder that writes JSON with unchanged, sorted keys and ISO 8601 dates in whole seconds. Slashes are not escaped. Equal values
    /// give equal bytes.
    public static var json: JSONBodyEncoder {
        var encoder = JSONBodyEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    /// An encoder that writes JSON like ``json``, with keys in snake case, such as `full_name` for `fullName`.
    public static var snakeCase: JSONBodyEncoder {
        var encoder = json
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}

extension BodyDecoder where Self == JSONBodyDecoder {
    /// A decoder that reads JSON with unchanged keys and ISO 8601 dates, with or without fractions of a second.
    public static var json: JSONBodyDecoder {
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// A decoder that reads JSON like ``json``, with keys in snake case, such as `full_name` for `fullName`.
    public static var snakeCase: JSONBodyDecoder {
        var decoder = json
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

extension JSONValue {
    /// Creates a JSON value by encoding `value` with an encoder that writes JSON.
    ///
    /// - Throws: The encoder's error, or `DecodingError` if it does not write JSON.
    public init(encoding value: some Encodable, with encoder: any BodyEncoder = .json) throws {
        self = try JSONValue(parsing: try encoder.encode(value))
    }
}
