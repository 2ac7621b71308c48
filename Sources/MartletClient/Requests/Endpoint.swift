public import MartletEssentials

/// One operation of an API, written as a type, or an enum with a case for each operation.
///
/// ```swift
/// struct GetUser: Endpoint {
///     typealias Response = User
///     let id: Int
///     var path: Path { "users/\(id)" }
/// }
/// let user = try await client.send(GetUser(id: 1))
/// ```
///
/// With an enum, the call names the type of the response. Without a type, the response is `Data`:
///
/// ```swift
/// enum API: Endpoint {
///     case list, detail(id: String)
///     var path: Path { switch self { case .list: "products"; case .detail(let id): "products/\(id)" } }
/// }
/// let products = try await client.send(API.list, as: [Product].self)
/// ```
///
/// Only ``path`` is required. A property with the type of its requirement without or with `?`, a query or header fields as
/// `[String: String]` and a query as `[URLQueryItem]` are converted. A property with one of these names and any other type does not
/// compile, nor does a getter of what is sent that throws. A `Response` that is not `Decodable` also needs ``decode(_:using:)``. In a
/// module that isolates to the main actor by default, mark models `nonisolated`; endpoints need no mark.
public protocol Endpoint: _EndpointTarget, _EndpointContent, _EndpointRules {
    /// The type that a call returns, decoded from the body of the response. Default: `Data`.
    associatedtype Response: Sendable = Data
    /// The type of the body of an error response, which `HTTPError.decoded(for:)` returns. Default: `ProblemDetails` (RFC 9457).
    associatedtype ErrorBody: Decodable & Sendable = ProblemDetails

    /// The base URL of this endpoint. Default: nil, the client's base URL.
    var baseURL: URL? { get }
    /// A full URL, which replaces the base URL and the path and is sent unchanged, or nil. Default: nil.
    var url: URL? { get }
    /// The path, relative to the base URL.
    var path: Path { get }
    /// The HTTP method. Default: GET.
    var method: HTTPMethod { get }
    /// The query, added to the URL. Default: none.
    var query: Query { get }
    /// The header fields of the request. The client adds its default fields if they are missing. Default: none.
    var headers: HTTPFields { get }
    /// The body of the request. Default: nil, no body.
    var body: RequestBody? { get }
    /// The time limit for the whole call with redirects and retries. Default: nil, that of ``options`` or the client's total timeout.
    var timeout: Duration? { get }
    /// The statuses that the call accepts; any other throws `.statusCode`. Default: `.clientDefault`, those of ``options`` or 200 to 299.
    var validation: StatusValidation { get }
    /// Options that apply to every call of this endpoint. Default: none.
    var options: CallOptions { get }
    /// The name for logs and metrics, read only when needed. Default: the type's name; for an enum with its case, as in `API.detail`.
    var endpointName: String { get }

    /// Whether ``decode(_:using:)`` uses the decoder, so that `Accept` names the decoder's media type.
    ///
    /// Default: true for a `Decodable` other than `Data`, `String`, their Optionals and `EmptyResponse`.
    static var usesDecoder: Bool { get }

    /// Returns the value of a response whose status was accepted.
    ///
    /// Default: decoded by the type of the response, with the client's decoder.
    ///
    /// - Throws: Any error. An `HTTPError` is passed on; any other error becomes `.decodingFailed`.
    func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response

    // The value of each property that an endpoint does not declare, or declares with another type: see `EndpointProperties.swift`. As SPI,
    // these requirements do not appear in code completion.
    @_spi(EndpointSpelling) static func _baseURL(of endpoint: Self) -> URL?
    @_spi(EndpointSpelling) static func _url(of endpoint: Self) -> URL?
    @_spi(EndpointSpelling) static func _method(of endpoint: Self) -> HTTPMethod
    @_spi(EndpointSpelling) static func _query(of endpoint: Self) -> Query
    @_spi(EndpointSpelling) static func _headers(of endpoint: Self) -> HTTPFields
    @_spi(EndpointSpelling) static func _body(of endpoint: Self) -> RequestBody?
    @_spi(EndpointSpelling) static func _timeout(of endpoint: Self) -> Duration?
    @_spi(EndpointSpelling) static func _validation(of endpoint: Self) -> StatusValidation
    @_spi(EndpointSpelling) static func _options(of endpoint: Self) -> CallOptions
    @_spi(EndpointSpelling) static func _endpointName(of endpoint: Self) -> String

    /// How the response is decoded. A ``Request`` has a value for that; any other endpoint has ``decode(_:using:)``.
    @_spi(EndpointSpelling) static func _decoding(of endpoint: Self) -> ResponseDecoding<Response>
}

extension Endpoint {
    /// The default: nil, the client's base URL.
    public var baseURL: URL? { Self._baseURL(of: self) }
    /// The default: nil, no full URL.
    public var url: URL? { Self._url(of: self) }
    /// The default method, GET.
    public var method: HTTPMethod { Self._method(of: self) }
    /// The default: an empty query.
    public var query: Query { Self._query(of: self) }
    /// The default: no header fields.
    public var headers: HTTPFields { Self._headers(of: self) }
    /// The default: no body.
    public var body: RequestBody? { Self._body(of: self) }
    /// The default: nil, no time limit of its own.
    public var timeout: Duration? { Self._timeout(of: self) }
    /// The default: the statuses of ``options``, or 200 to 299.
    public var validation: StatusValidation { Self._validation(of: self) }
    /// The default: options that override nothing.
    public var options: CallOptions { Self._options(of: self) }
    /// The default: the type's name; for an enum with its case, as in `API.detail`.
    ///
    /// For an enum with its own description or mirror it is only the type's name, because these may contain values.
    public var endpointName: String { Self._endpointName(of: self) }
    /// The default for a type with its own ``decode(_:using:)``: false.
    public static var usesDecoder: Bool { false }

    /// The default: decoded by ``decode(_:using:)``.
    public static func _decoding(of endpoint: Self) -> ResponseDecoding<Response> {
        ResponseDecoding(usesDecoder: usesDecoder) { try endpoint.decode($0, using: $1) }
    }

    /// How the response is decoded, as a value.
    package var decoding: ResponseDecoding<Response> { Self._decoding(of: self) }

    /// Unavailable: a `Response` that is not `Decodable` needs its own implementation.
    @available(
        *, unavailable,
        message:
            "make Response Decodable, or write decode(_:using:). In a module that isolates to the main actor by default, mark the Response type nonisolated"
    )
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response {
        throw HTTPError.decodingFailed(DecodingFailure(type: "\(Response.self)", reason: "it is not Decodable", response: response))
    }
}

extension Endpoint where Response: Decodable {
    /// The default for a decodable response: true, except for types that need no decoder, such as `Data`, `String` and `EmptyResponse`.
    public static var usesDecoder: Bool { ResponseValue<Response>.usesDecoder }

    /// The default, which decodes the body as the endpoint's response type with the client's decoder.
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response {
        try ResponseValue.decode(response, decoder)
    }
}

extension Endpoint where Response == Void {
    /// Ignores the body.
    ///
    /// The signature says `Response` and not `Void`. Otherwise an endpoint without a `Response` would be inferred to return `Void`.
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response { () }
}
