public import MartletEssentials

/// One operation of an API as a type, or an enum with a case for each.
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
/// An enum names the answer at the call, or leaves it as `Data`:
///
/// ```swift
/// enum API: Endpoint {
///     case list, detail(id: String)
///     var path: Path { switch self { case .list: "products"; case .detail(let id): "products/\(id)" } }
/// }
/// let products = try await client.send(API.list, as: [Product].self)
/// ```
///
/// Only ``path`` must be written. A `Response` that is not `Decodable` needs a ``decode(_:using:)`` of its own. In a module that
/// isolates to the main actor by default, mark endpoints and models `nonisolated`.
public protocol Endpoint: Sendable {
    /// The type of the response's value. Default: `Data`.
    associatedtype Response: Sendable = Data
    /// The type of the body of an error response, which ``HTTPError/decoded(for:)`` returns. Default: `ProblemDetails` (RFC 9457).
    associatedtype ErrorBody: Decodable & Sendable = ProblemDetails

    /// The base URL, when it is not the client's. Default: nil.
    var baseURL: URL? { get }
    /// A full URL in place of base URL and path, taken as it is. Default: nil.
    var url: URL? { get }
    /// The path below the base URL.
    var path: Path { get }
    /// The method. Default: GET.
    var method: HTTPMethod { get }
    /// The query. Default: none.
    var query: Query { get }
    /// Fields of the request. Default: none.
    var headers: HTTPFields { get }
    /// The body. Default: none.
    var body: RequestBody? { get }
    /// The time limit for the whole call. Default: nil, that of ``options`` or the client's total timeout.
    var timeout: Duration? { get }
    /// The statuses that the call accepts. Default: `.clientDefault`, those of ``options`` or 200 to 299.
    var validation: StatusValidation { get }
    /// Further options. Default: none.
    var options: CallOptions { get }
    /// The name for logs and metrics. Default: the type's name; for an enum also the case, as in `API.detail`. It is read only when needed.
    var endpointName: String { get }

    /// Whether ``decode(_:using:)`` uses the decoder, so that `Accept` names its media type. Default: true for a `Decodable` other than
    /// `Data`, `String` and `EmptyResponse`.
    static var usesDecoder: Bool { get }

    /// Makes the answer of a response whose status was accepted. Default: by its type, with the client's decoder.
    ///
    /// What it throws is `.decodingFailed`, unless it is an `HTTPError`.
    func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response
}

extension Endpoint {
    /// The client's base URL.
    public var baseURL: URL? { nil }
    /// No full URL.
    public var url: URL? { nil }
    /// GET.
    public var method: HTTPMethod { .get }
    /// No query.
    public var query: Query { [:] }
    /// No fields.
    public var headers: HTTPFields { [:] }
    /// No body.
    public var body: RequestBody? { nil }
    /// No limit of its own.
    public var timeout: Duration? { nil }
    /// No statuses of its own.
    public var validation: StatusValidation { .clientDefault }
    /// No options of its own.
    public var options: CallOptions { CallOptions() }
    /// The type's name; for an enum also the case, as in `API.detail`.
    ///
    /// For an enum with a description or a mirror of its own it is the type's name alone: these may contain values.
    public var endpointName: String {
        let type = "\(Self.self)"
        if self is any CustomStringConvertible || self is any CustomDebugStringConvertible || self is any CustomReflectable { return type }
        let mirror = Mirror(reflecting: self)
        guard mirror.displayStyle == .enum else { return type }
        return "\(type).\(mirror.children.first?.label ?? String(describing: self))"
    }
    /// Not for a type of one's own.
    public static var usesDecoder: Bool { false }

    /// The answer as a value that says how it is made.
    package var decoding: ResponseDecoding<Response> {
        // A request knows how its response is decoded. Overload resolution may pass one to a function for any endpoint.
        // Types are compared first, because a cast that fails takes long.
        if Self.self == Request<Response>.self, let request = self as? Request<Response> { return request.decoding }
        return ResponseDecoding(usesDecoder: Self.usesDecoder) { try decode($0, using: $1) }
    }

    /// There is no default for a type that is not `Decodable`.
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
    /// By the type of the answer.
    public static var usesDecoder: Bool { ResponseValue<Response>.usesDecoder }

    /// By the type of the answer, with the client's decoder.
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response {
        try ResponseValue.decode(response, decoder)
    }
}

extension Endpoint where Response == Void {
    /// The body is not looked at.
    ///
    /// The signature says `Response` and not `Void`, lest an endpoint that names no Response be inferred to answer with nothing.
    public func decode(_ response: HTTPResponse<Data>, using decoder: any BodyDecoder) throws -> Response { () }
}
