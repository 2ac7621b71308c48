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
