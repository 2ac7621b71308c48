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
    /// The type of the answer. Default: `Data`.
    associatedtype Response: Sendable = Data

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
    /// How long the call may take in all. Default: nil, the client's total timeout.
    var timeout: Duration? { get }
    /// Which statuses are an answer. Default: 200 to 299.
    var validation: StatusValidation { get }
    /// What else is particular to the call. Default: the client's settings.
    var options: CallOptions { get }

    /// Whether ``decode(_:using:)`` uses the decoder, so that `Accept` says what it reads. Default: true for a `Decodable`, but not
    /// for `Data`, `String` and `EmptyResponse`.
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
    /// The client's total timeout.
    public var timeout: Duration? { nil }
    /// 200 to 299.
    public var validation: StatusValidation { .successCodes }
    /// The client's settings.
    public var options: CallOptions { CallOptions() }
    /// Not for a type of one's own.
    public static var usesDecoder: Bool { false }

    /// The answer as a value that says how it is made.
    package var decoding: ResponseDecoding<Response> {
        ResponseDecoding(usesDecoder: Self.usesDecoder) { try decode($0, using: $1) }
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

/// What is particular to one call; what is nil is the client's.
public struct CallOptions: Sendable {
    /// How long one exchange may take to give its answer.
    public var attemptTimeout: Duration?
    /// How long a streamed body may be silent.
    public var idleTimeout: Duration?
    /// How long the body is held back until the server says `100 Continue` (RFC 9110 §10.1.1), so that one it refuses (401, 413, 417) is
    /// not sent for nothing. Default: nil, the body is sent at once. A second is usual: many servers never say it, and when the time is
    /// over the body is sent all the same.
    ///
    /// Over libcurl, with HTTP/1.1, the request says `Expect: 100-continue`; a stream is not asked for a byte while it waits, and the
    /// answer to a refusal is handed on as it is, a 417 without its body, rather than tried again. With HTTP/2 libcurl sends the body at
    /// once. URLSession has no such wait: there the option has no effect.
    public var expectContinue: Duration?
    /// The sizes the answer may have.
    public var limits: ResponseLimits?
    /// Which redirects are followed.
    public var redirects: RedirectPolicy
    /// Values of your own for interceptors, which ride in the request's context.
    public var context: RequestContext

    /// Options that differ from the client's.
    public init(
        attemptTimeout: Duration? = nil, idleTimeout: Duration? = nil, expectContinue: Duration? = nil, limits: ResponseLimits? = nil,
        redirects: RedirectPolicy = .clientDefault, context: RequestContext = RequestContext()
    ) {
        self.attemptTimeout = attemptTimeout
        self.idleTimeout = idleTimeout
        self.expectContinue = expectContinue
        self.limits = limits
        self.redirects = redirects
        self.context = context
    }
}
