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
