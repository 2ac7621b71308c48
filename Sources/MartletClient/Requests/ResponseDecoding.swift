public import MartletEssentials

/// How a request or an endpoint converts a response into the value of the call.
public struct ResponseDecoding<Value: Sendable>: Sendable {
    /// Whether the client's decoder reads the body. If so, `Accept` names the decoder's media type.
    package let usesDecoder: Bool
    private let method: Method

    private enum Method: Sendable {
        case closure(@Sendable (HTTPResponse<Data>, any BodyDecoder) throws -> Value)
        /// The type itself, because a closure would have to be allocated for each request.
        case type(any (Decodable & Sendable).Type)
    }

    /// Creates a decoding from a closure that converts a response into a value.
    ///
    /// - Parameters:
    ///   - usesDecoder: Whether the closure uses the decoder, so that `Accept` names the decoder's media type. Default: false.
    ///   - decode: Returns the value of a response. An `HTTPError` that it throws is passed on; any other error becomes `.decodingFailed`.
    public init(usesDecoder: Bool = false, _ decode: @escaping @Sendable (HTTPResponse<Data>, any BodyDecoder) throws -> Value) {
        self.usesDecoder = usesDecoder
        method = .closure(decode)
    }

    fileprivate init(usesDecoder: Bool, type: any (Decodable & Sendable).Type) {
        self.usesDecoder = usesDecoder
        method = .type(type)
    }

    /// Returns the value of a response. Throws any error.
    func decode(_ response: HTTPResponse<Data>, _ decoder: any BodyDecoder) throws -> Value {
        switch method {
        case .closure(let decode): try decode(response, decoder)
        case .type(let type): try ResponseDecoding.decode(type, response, decoder)
        }
    }

    private static func decode<Decoded: Decodable>(
        _ type: Decoded.Type, _ response: HTTPResponse<Data>, _ decoder: any BodyDecoder
    ) throws -> Value {
        // Forced, because the metadata of an Optional would have to be looked up for each call. The types are the same: see `decodable`.
        try ResponseValue<Decoded>.decode(response, decoder) as! Value
    }

    /// Returns a decoding that converts the value to another type.
    func map<NewValue: Sendable>(_ transform: @escaping @Sendable (Value) throws -> NewValue) -> ResponseDecoding<NewValue> {
        ResponseDecoding<NewValue>(usesDecoder: usesDecoder) { try transform(decode($0, $1)) }
    }

    /// Returns the response with its body decoded. Throws `.decodingFailed`, or the `HTTPError` that the decoding threw.
    package func value(
        of response: consuming HTTPResponse<Data>, with decoder: any BodyDecoder
    ) throws(HTTPError) -> HTTPResponse<Value> {
        let value: Value
        do { value = try decode(response, decoder) } catch {
            let request = response.metadata.request
            throw HTTPError(decoding: error, as: Value.self, from: response).completed(ifKnown: request, stage: .decoding)
        }
        return response.map { _ in value }
    }
}

extension ResponseDecoding where Value: Decodable {
    /// The decoding of a `Decodable` type with the client's decoder, or without it for bytes, text and `EmptyResponse`.
    ///
    /// `Data` is the bytes and `String` the text of the body. `EmptyResponse` ignores the body. An Optional is nil if the body is empty or
    /// only white space. The client's decoder decodes every other type.
    public static var decodable: Self { Self(usesDecoder: ResponseValue<Value>.usesDecoder, type: Value.self) }
}

extension ResponseDecoding where Value == Void {
    /// The decoding that ignores the body and has no value.
    public static var void: Self { Self { _, _ in } }
}

/// The response type of calls that return no value: the body is ignored. Calls that return it have a discardable result.
public struct EmptyResponse: Codable, Sendable, Hashable {
    /// Creates the only value of this type.
    public init() {}
}

/// A response type whose value a call may ignore: ``EmptyResponse``, and `Data`, which endpoints without a response type have.
public protocol _DiscardableResponse: Sendable {}
extension EmptyResponse: _DiscardableResponse {}
extension Data: _DiscardableResponse {}

/// Decodes the types that are handled apart from the client's decoder.
enum ResponseValue<Value: Decodable> {
    static var usesDecoder: Bool {
        Value.self != Data.self && Value.self != String.self && Value.self != EmptyResponse.self && Value.self != Data?.self
            && Value.self != String?.self
    }

    static func decode(_ response: HTTPResponse<Data>, _ decoder: any BodyDecoder) throws -> Value {
        // Forced, because the metadata of an Optional would have to be looked up for each call.
        if Value.self == Data.self { return response.body as! Value }
        return try decodeOther(response, decoder)
    }

    // A separate function, because it looks up the metadata of Optionals.
    @inline(never)
    private static func decodeOther(_ response: HTTPResponse<Data>, _ decoder: any BodyDecoder) throws -> Value {
        if let value = try plain(response) { return value }
        // A body of only white space is not JSON and counts as empty.
        if response.body.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            if let type = Value.self as? any OptionalValue.Type, let none = type.none as? Value { return none }
            throw HTTPError.noData(Explanation("\(Value.self) was expected and the body is empty (status \(response.status))"))
        }
        // Parsed in one pass regardless of its depth. Foundation's decoder would try each type at each level.
        if Value.self == JSONValue.self, decoder is JSONDecoder, let value = try JSONValue(parsing: response.body) as? Value {
            return value
        }
        return try decoder.decode(Value.self, from: response.body)
    }

    private static func plain(_ response: HTTPResponse<Data>) throws -> Value? {
        switch Value.self {
        case is EmptyResponse.Type: return EmptyResponse() as? Value
        case is String.Type: return try text(response) as? Value
        case is Data?.Type: return (response.body.isEmpty ? Data?.none : response.body) as? Value
        case is String?.Type: return (response.body.isEmpty ? String?.none : try text(response)) as? Value
        default: return nil
        }
    }

    /// Returns the body as text in the charset of its media type, by default UTF-8.
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

/// An Optional of any type.
protocol OptionalValue {
    static var none: Self { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { self }
}

extension HTTPError {
    /// Creates an error from a decoder's error. It names the type, the coding path and the reason. An `HTTPError` is kept, and a `.noData`
    /// gets the status of the response.
    package init(decoding error: any Error, as type: Any.Type, from response: HTTPResponse<Data>) {
        if let error = error as? HTTPError {
            self = error
            if case .noData(var nothing) = error {
                nothing.context.status = response.status
                self = .noData(nothing)
            }
            return
        }
        let (path, reason) = (error as? DecodingError).map { CodingPath.explain(decoding: $0) } ?? ("", CodingPath.explain(error))
        self = .decodingFailed(
            DecodingFailure(
                type: "\(type)", codingPath: path, reason: reason, response: response,
                context: ErrorContext(stage: .decoding, underlying: error)))
    }
}
