/// Which requests share the state of a circuit breaker, a limit or a record of latencies.
///
/// A request belongs to exactly one group, whose name is a key of ``CircuitBreaker/states``, for example.
public struct TrafficScope: Sendable {
    private let group: @Sendable (HTTPRequest) -> String

    /// Requests of one origin, such as `https://api.example`.
    public static var origin: TrafficScope { TrafficScope { originText($0) } }

    /// Requests with one method, origin and path template, such as `GET https://api.example/users/{}`. Requests with a full URL, which have
    /// no template, share one group for each method and origin.
    public static var route: TrafficScope {
        TrafficScope { "\($0.method.rawValue) \(originText($0))/\($0.context.pathTemplate)" }
    }

    /// Requests for which the closure returns the same name, such as the ID of a tenant. It must not block.
    public static func named(_ name: @escaping @Sendable (HTTPRequest) -> String) -> TrafficScope { TrafficScope(group: name) }

    private init(group: @escaping @Sendable (HTTPRequest) -> String) { self.group = group }

    /// Returns the name of the request's group.
    public func name(for request: HTTPRequest) -> String { group(request) }

    private static func originText(_ request: HTTPRequest) -> String { request.origin?.description ?? "" }
}
