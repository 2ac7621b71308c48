public import MartletEssentials

// A default satisfies a requirement, so `var baseURL: URL` would compile without being the `baseURL` of an `Endpoint`, and be ignored. In
// these protocols, the type of a property is whatever the endpoint declares. For each property, `Endpoint` requires a static method that
// returns its value. The method exists for the declared types that are honoured. For any other type it is unavailable, and its message
// names the type.
//
// There are three such protocols because the compiler tries each combination of the candidates for all associated types of one protocol.

/// The properties of an ``Endpoint`` that say what is asked for, with the types that the endpoint declares. ``Endpoint`` inherits it.
public protocol _EndpointTarget: Sendable {
    associatedtype _BaseURLType = URL?
    associatedtype _URLType = URL?
    associatedtype _MethodType = HTTPMethod
    associatedtype _QueryType = Query
    /// The error of a getter that throws. No such getter is honoured.
    associatedtype _BaseURLFailure: Error = Never
    associatedtype _URLFailure: Error = Never
    associatedtype _MethodFailure: Error = Never
    associatedtype _QueryFailure: Error = Never

    @_disfavoredOverload var baseURL: _BaseURLType { get throws(_BaseURLFailure) }
    @_disfavoredOverload var url: _URLType { get throws(_URLFailure) }
    @_disfavoredOverload var method: _MethodType { get throws(_MethodFailure) }
    @_disfavoredOverload var query: _QueryType { get throws(_QueryFailure) }
}

extension _EndpointTarget {
    fileprivate func declaredBaseURL() throws(_BaseURLFailure) -> _BaseURLType { try baseURL }
    fileprivate func declaredURL() throws(_URLFailure) -> _URLType { try url }
    fileprivate func declaredMethod() throws(_MethodFailure) -> _MethodType { try method }
    fileprivate func declaredQuery() throws(_QueryFailure) -> _QueryType { try query }
}

extension Endpoint {
    /// Unavailable: the property has another type, or its getter throws.
    @available(*, unavailable, message: "declare 'baseURL' as URL?, with a getter that does not throw, or give the property another name")
    public static func _baseURL(of endpoint: Self) -> URL? { nil }

    /// Unavailable: the property has another type, or its getter throws.
    @available(*, unavailable, message: "declare 'url' as URL?, with a getter that does not throw, or give the property another name")
    public static func _url(of endpoint: Self) -> URL? { nil }

    /// Unavailable: the property has another type, or its getter throws.
    @available(
        *, unavailable,
        message: "declare 'method' as HTTPMethod, such as .post, with a getter that does not throw, or give the property another name"
    )
    public static func _method(of endpoint: Self) -> HTTPMethod { .get }

    /// Unavailable: the property has another type, or its getter throws.
    @available(
        *, unavailable,
        message:
            "declare 'query' as Query, such as [\"page\": 2] or Query(value), with a getter that does not throw, or give the property another name"
    )
    public static func _query(of endpoint: Self) -> Query { [:] }
}

extension Endpoint where _BaseURLType == URL?, _BaseURLFailure == Never {
    /// The default of an endpoint that declares no base URL.
    public static func _baseURL(of endpoint: Self) -> URL? { nil }
}

extension Endpoint where _BaseURLType == URL, _BaseURLFailure == Never {
    /// The base URL that is declared without `?`.
    public static func _baseURL(of endpoint: Self) -> URL? { endpoint.declaredBaseURL() }
}

extension Endpoint where _URLType == URL?, _URLFailure == Never {
    /// The default of an endpoint that declares no full URL.
    public static func _url(of endpoint: Self) -> URL? { nil }
}

extension Endpoint where _URLType == URL, _URLFailure == Never {
    /// The full URL that is declared without `?`.
    public static func _url(of endpoint: Self) -> URL? { endpoint.declaredURL() }
}

extension Endpoint where _MethodType == HTTPMethod, _MethodFailure == Never {
    /// The default of an endpoint that declares no method.
    public static func _method(of endpoint: Self) -> HTTPMethod { .get }
}

extension Endpoint where _MethodType == HTTPMethod?, _MethodFailure == Never {
    /// The declared method. Nil is GET.
    public static func _method(of endpoint: Self) -> HTTPMethod { endpoint.declaredMethod() ?? .get }
}

extension Endpoint where _QueryType == Query, _QueryFailure == Never {
    /// The default of an endpoint that declares no query.
    public static func _query(of endpoint: Self) -> Query { [:] }
}

extension Endpoint where _QueryType == Query?, _QueryFailure == Never {
    /// The declared query. Nil is an empty one.
    public static func _query(of endpoint: Self) -> Query { endpoint.declaredQuery() ?? [:] }
}

extension Endpoint where _QueryType == [String: String], _QueryFailure == Never {
    /// The pairs of the declared dictionary, sorted by name.
    public static func _query(of endpoint: Self) -> Query { Query(endpoint.declaredQuery() as [String: any Encodable & Sendable]) }
}

extension Endpoint where _QueryType == [String: String]?, _QueryFailure == Never {
    /// The pairs of the declared dictionary, sorted by name. Nil is an empty one.
    public static func _query(of endpoint: Self) -> Query { Query((endpoint.declaredQuery() ?? [:]) as [String: any Encodable & Sendable]) }
}

extension Endpoint where _QueryType == [URLQueryItem], _QueryFailure == Never {
    /// The declared items, in order.
    public static func _query(of endpoint: Self) -> Query { Query(endpoint.declaredQuery()) }
}

extension Endpoint where _QueryType == [URLQueryItem]?, _QueryFailure == Never {
    /// The declared items, in order. Nil is an empty query.
    public static func _query(of endpoint: Self) -> Query { Query(endpoint.declaredQuery() ?? []) }
}

/// The header fields and the body of an ``Endpoint``, with the types that the endpoint declares. ``Endpoint`` inherits it.
public protocol _EndpointContent: Sendable {
    associatedtype _HeadersType = HTTPFields
    associatedtype _BodyType = RequestBody?
    /// The error of a getter that throws. No such getter is honoured.
    associatedtype _HeadersFailure: Error = Never
    associatedtype _BodyFailure: Error = Never

    @_disfavoredOverload var headers: _HeadersType { get throws(_HeadersFailure) }
    @_disfavoredOverload var body: _BodyType { get throws(_BodyFailure) }
}

extension _EndpointContent {
    fileprivate func declaredHeaders() throws(_HeadersFailure) -> _HeadersType { try headers }
    fileprivate func declaredBody() throws(_BodyFailure) -> _BodyType { try body }
}

extension Endpoint {
    /// Unavailable: the property has another type, or its getter throws.
    @available(
        *, unavailable,
        message:
            "declare 'headers' as HTTPFields, such as [\"X-Version\": \"2\"], with a getter that does not throw, or give the property another name"
    )
    public static func _headers(of endpoint: Self) -> HTTPFields { [:] }

    /// Unavailable: the property has another type, or its getter throws.
    @available(
        *, unavailable,
        message:
            "declare 'body' as RequestBody?, such as .json(value) or .data(data), with a getter that does not throw, or give the property another name"
    )
    public static func _body(of endpoint: Self) -> RequestBody? { nil }
}

extension Endpoint where _HeadersType == HTTPFields, _HeadersFailure == Never {
    /// The default of an endpoint that declares no header fields.
    public static func _headers(of endpoint: Self) -> HTTPFields { [:] }
}

extension Endpoint where _HeadersType == HTTPFields?, _HeadersFailure == Never {
    /// The declared fields. Nil is no field.
    public static func _headers(of endpoint: Self) -> HTTPFields { endpoint.declaredHeaders() ?? [:] }
}

extension Endpoint where _HeadersType == [String: String], _HeadersFailure == Never {
    /// The fields of the declared dictionary, sorted by name.
    public static func _headers(of endpoint: Self) -> HTTPFields { HTTPFields(endpoint.declaredHeaders()) }
}

extension Endpoint where _HeadersType == [String: String]?, _HeadersFailure == Never {
    /// The fields of the declared dictionary, sorted by name. Nil is no field.
    public static func _headers(of endpoint: Self) -> HTTPFields { HTTPFields(endpoint.declaredHeaders() ?? [:]) }
}

extension Endpoint where _BodyType == RequestBody?, _BodyFailure == Never {
    /// The default of an endpoint that declares no body.
    public static func _body(of endpoint: Self) -> RequestBody? { nil }
}

extension Endpoint where _BodyType == RequestBody, _BodyFailure == Never {
    /// The body that is declared without `?`.
    public static func _body(of endpoint: Self) -> RequestBody? { endpoint.declaredBody() }
}

/// The rules and the name of an ``Endpoint``, with the types that the endpoint declares. ``Endpoint`` inherits it.
public protocol _EndpointRules: Sendable {
    associatedtype _TimeoutType = Duration?
    associatedtype _ValidationType = StatusValidation
    associatedtype _OptionsType = CallOptions
    associatedtype _EndpointNameType = String

    @_disfavoredOverload var timeout: _TimeoutType { get }
    @_disfavoredOverload var validation: _ValidationType { get }
    @_disfavoredOverload var options: _OptionsType { get }
    @_disfavoredOverload var endpointName: _EndpointNameType { get }
}

extension _EndpointRules {
    fileprivate var declaredTimeout: _TimeoutType { timeout }
    fileprivate var declaredValidation: _ValidationType { validation }
    fileprivate var declaredOptions: _OptionsType { options }
    fileprivate var declaredEndpointName: _EndpointNameType { endpointName }
}

extension Endpoint {
    /// Unavailable: the property has another type.
    @available(*, unavailable, message: "declare 'timeout' as Duration?, such as .seconds(10), or give the property another name")
    public static func _timeout(of endpoint: Self) -> Duration? { nil }

    /// Unavailable: the property has another type.
    @available(
        *, unavailable, message: "declare 'validation' as StatusValidation, such as .codes(200..<300), or give the property another name"
    )
    public static func _validation(of endpoint: Self) -> StatusValidation { .clientDefault }

    /// Unavailable: the property has another type.
    @available(*, unavailable, message: "declare 'options' as CallOptions, or give the property another name")
    public static func _options(of endpoint: Self) -> CallOptions { CallOptions() }

    /// Unavailable: the property has another type.
    @available(*, unavailable, message: "declare 'endpointName' as String, or give the property another name")
    public static func _endpointName(of endpoint: Self) -> String { endpoint.nameOfType }

    fileprivate var nameOfType: String {
        let type = "\(Self.self)"
        if self is any CustomStringConvertible || self is any CustomDebugStringConvertible || self is any CustomReflectable { return type }
        let mirror = Mirror(reflecting: self)
        guard mirror.displayStyle == .enum else { return type }
        return "\(type).\(mirror.children.first?.label ?? String(describing: self))"
    }
}

extension Endpoint where _TimeoutType == Duration? {
    /// The default of an endpoint that declares no timeout.
    public static func _timeout(of endpoint: Self) -> Duration? { nil }
}

extension Endpoint where _TimeoutType == Duration {
    /// The timeout that is declared without `?`.
    public static func _timeout(of endpoint: Self) -> Duration? { endpoint.declaredTimeout }
}

extension Endpoint where _ValidationType == StatusValidation {
    /// The default of an endpoint that declares no validation.
    public static func _validation(of endpoint: Self) -> StatusValidation { .clientDefault }
}

extension Endpoint where _ValidationType == StatusValidation? {
    /// The declared validation. Nil is the client's.
    public static func _validation(of endpoint: Self) -> StatusValidation { endpoint.declaredValidation ?? .clientDefault }
}

extension Endpoint where _OptionsType == CallOptions {
    /// The default of an endpoint that declares no options.
    public static func _options(of endpoint: Self) -> CallOptions { CallOptions() }
}

extension Endpoint where _OptionsType == CallOptions? {
    /// The declared options. Nil is none.
    public static func _options(of endpoint: Self) -> CallOptions { endpoint.declaredOptions ?? CallOptions() }
}

extension Endpoint where _EndpointNameType == String {
    /// The default of an endpoint that declares no name.
    public static func _endpointName(of endpoint: Self) -> String { endpoint.nameOfType }
}

extension Endpoint where _EndpointNameType == String? {
    /// The declared name. Nil is the default.
    public static func _endpointName(of endpoint: Self) -> String { endpoint.declaredEndpointName ?? endpoint.nameOfType }
}
