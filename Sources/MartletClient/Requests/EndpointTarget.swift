public import MartletEssentials

// A default satisfies a requirement, so `var baseURL: URL` would compile without being the `baseURL` of an `Endpoint`, and be ignored. In these
// protocols, the type of a property is whatever the endpoint declares. For each property, `Endpoint` requires a static method that returns its
// value. The method exists for the declared types that are honoured. For any other type it is unavailable, and its message names the type.
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
