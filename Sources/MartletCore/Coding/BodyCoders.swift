@_exported public import MartletJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An encoder of request bodies, such as ``JSONBodyEncoder`` or Foundation's `JSONEncoder`.
///
/// Implement it for another format. It must be safe to use from many tasks at once. Queries and forms are made of what it writes too, if
/// that is JSON, so that keys and dates look the same everywhere.
public protocol BodyEncoder: Sendable {
    /// The media type of what it writes.
    var contentType: String { get }
    /// Returns the bytes of a value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// A decoder of response bodies, such as ``JSONBodyDecoder`` or Foundation's `JSONDecoder`.
///
/// Implement it for another format. It must be safe to use from many tasks at once.
public protocol BodyDecoder: Sendable {
    /// The media types it reads, for the `Accept` field.
    var accept: String { get }
    /// Returns the value of bytes.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONBodyEncoder: BodyEncoder {
    /// `application/json`
    public var contentType: String { "application/json" }
}

extension JSONBodyDecoder: BodyDecoder {
    /// `application/json`
    public var accept: String { "application/json" }
}

extension JSONEncoder: BodyEncoder {
    /// `application/json`
    public var contentType: String { "application/json" }
}

extension JSONDecoder: BodyDecoder {
    /// `application/json`
    public var accept: String { "application/json" }
}

extension BodyEncoder where Self == JSONBodyEncoder {
    /// JSON with keys as they are and ISO 8601 dates. Keys are sorted and slashes unescaped, so that equal values give equal bytes.
    public static var json: JSONBodyEncoder {
        var encoder = JSONBodyEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    /// JSON as ``json`` writes it, with keys in snake case: `fullName` is written `full_name`.
    public static var snakeCase: JSONBodyEncoder {
        var encoder = json
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}

extension BodyDecoder where Self == JSONBodyDecoder {
    /// JSON with keys as they are and ISO 8601 dates, with or without fractions of a second.
    public static var json: JSONBodyDecoder {
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// JSON as ``json`` reads it, with keys in snake case: `full_name` is read as `fullName`.
    public static var snakeCase: JSONBodyDecoder {
        var decoder = json
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

extension JSONValue {
    /// Creates the JSON that an encoder makes of a value.
    ///
    /// - Throws: The encoder's error, or `DecodingError` if it does not write JSON.
    public init(encoding value: some Encodable, with encoder: any BodyEncoder = .json) throws {
        self = try JSONValue(parsing: try encoder.encode(value))
    }
}
