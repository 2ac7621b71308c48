public import MartletEssentials

/// How the value of a call is made of its response: what a `Request` and an `Endpoint` carry to the client.
public struct ResponseDecoding<Value: Sendable>: Sendable {
    /// Whether the client's decoder reads the body, so that `Accept` says what it reads.
    package let usesDecoder: Bool
    let decode: @Sendable (HTTPResponse<Data>, any BodyDecoder) throws -> Value

    /// A value made by a closure.
    public init(usesDecoder: Bool = false, _ decode: @escaping @Sendable (HTTPResponse<Data>, any BodyDecoder) throws -> Value) {
        self.usesDecoder = usesDecoder
        self.decode = decode
    }

    /// The value, made into another.
    func map<NewValue: Sendable>(_ transform: @escaping @Sendable (Value) throws -> NewValue) -> ResponseDecoding<NewValue> {
        ResponseDecoding<NewValue>(usesDecoder: usesDecoder) { try transform(decode($0, $1)) }
    }
}

extension ResponseDecoding {
    /// The response with its body decoded. Throws `.decodingFailed`, or the `HTTPError` that the decoding threw.
    package func value(of response: HTTPResponse<Data>, with decoder: any BodyDecoder) throws(HTTPError) -> HTTPResponse<Value> {
        do { return try response.map { _ in try decode(response, decoder) } } catch {
            throw HTTPError(decoding: error, as: Value.self, from: response)
        }
    }
}

extension ResponseDecoding where Value: Decodable {
    /// A `Decodable`: bytes as `Data`, text as `String`, nothing as `EmptyResponse`, nil of an Optional for no content, and any other
    /// by the client's decoder.
    public static var decodable: Self { Self(usesDecoder: ResponseValue<Value>.usesDecoder) { try ResponseValue.decode($0, $1) } }
}

extension ResponseDecoding where Value == Void {
    /// No value: the body is not looked at.
    public static var void: Self { Self { _, _ in } }
}

/// No value: the answer's body is not looked at. As the answer of a call it may be ignored.
public struct EmptyResponse: Codable, Sendable, Hashable {
    /// Nothing.
    public init() {}
}

/// The types with a meaning of their own among the decodable ones.
enum ResponseValue<Value: Decodable> {
    static var usesDecoder: Bool {
        Value.self != Data.self && Value.self != String.self && Value.self != EmptyResponse.self && Value.self != Data?.self
            && Value.self != String?.self
    }

    static func decode(_ response: HTTPResponse<Data>, _ decoder: any BodyDecoder) throws -> Value {
        if let value = try plain(response) { return value }
        // What is no JSON but white space is no content either.
        if response.body.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            if let type = Value.self as? any OptionalValue.Type, let none = type.none as? Value { return none }
            throw HTTPError.noData(Explanation("\(Value.self) was expected and the body is empty (status \(response.status))"))
        }
        // In one pass, whatever its depth. Foundation's decoder would try each type at each level.
        if Value.self == JSONValue.self, decoder is JSONDecoder, let value = try JSONValue(parsing: response.body) as? Value {
            return value
        }
        return try decoder.decode(Value.self, from: response.body)
    }

    private static func plain(_ response: HTTPResponse<Data>) throws -> Value? {
        switch Value.self {
        case is Data.Type: return response.body as? Value
        case is EmptyResponse.Type: return EmptyResponse() as? Value
        case is String.Type: return try text(response) as? Value
        case is Data?.Type: return (response.body.isEmpty ? Data?.none : response.body) as? Value
        case is String?.Type: return (response.body.isEmpty ? String?.none : try text(response)) as? Value
        default: return nil
        }
    }

    /// The body as text, by the charset of its type; UTF-8 when it has none.
    private static func text(_ response: HTTPResponse<Data>) throws -> String {
        let charset = response.headers[.contentType].flatMap { MediaType($0)?["charset"]?.lowercased() } ?? "utf-8"
        let text: String? =
            switch charset {
            case "utf-8", "utf8", "us-ascii", "ascii": String(validUTF8: response.body)
            case "iso-8859-1", "latin1", "iso8859-1": String(latin1: response.body)
            case "utf-16": String(data: response.body, encoding: .utf16)
            case "utf-16le": String(data: response.body, encoding: .utf16LittleEndian)
            case "utf-16be": String(data: response.body, encoding: .utf16BigEndian)
            case "windows-1252": String(data: response.body, encoding: .windowsCP1252)
            default: nil
            }
        guard let text else {
            throw HTTPError.decodingFailed(
                DecodingFailure(type: "String", reason: "the body is not text in “\(charset)”", response: response))
        }
        return text
    }
}

private protocol OptionalValue { static var none: Self { get } }
extension Optional: OptionalValue {}
