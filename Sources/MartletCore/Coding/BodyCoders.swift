#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes bytes of values: `JSONEncoder` is one.
///
/// Implement it for another format; it must be safe to use from many tasks at once. Queries and forms are made of what it
/// writes too, when that is JSON, so that keys and dates look the same everywhere.
public protocol BodyEncoder: Sendable {
    /// The media type of what it writes.
    var contentType: String { get }
    /// A value's bytes.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// Makes values of bytes: `JSONDecoder` is one.
///
/// Implement it for another format; it must be safe to use from many tasks at once.
public protocol BodyDecoder: Sendable {
    /// The media types it reads, for the `Accept` field.
    var accept: String { get }
    /// A value from its bytes.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONEncoder: BodyEncoder {
    /// `application/json`
    public var contentType: String { "application/json" }
}

extension JSONDecoder: BodyDecoder {
    /// `application/json`
    public var accept: String { "application/json" }
}

extension BodyEncoder where Self == JSONEncoder {
    /// JSON with keys as they are and ISO 8601 dates; sorted and with unescaped slashes, so that equal values give equal bytes.
    public static var json: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// As ``json``, with keys in snake case: `fullName` is written `full_name`.
    public static var snakeCase: JSONEncoder {
        let encoder = json
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}

extension BodyDecoder where Self == JSONDecoder {
    /// JSON with keys as they are and ISO 8601 dates, with or without fractions of a second.
    public static var json: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(ISO8601Date.decode)
        return decoder
    }

    /// As ``json``, with keys in snake case: `full_name` is read as `fullName`.
    public static var snakeCase: JSONDecoder {
        let decoder = json
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
