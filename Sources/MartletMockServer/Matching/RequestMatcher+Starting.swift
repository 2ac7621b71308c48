extension RequestMatcher {
    /// Matches requests to this host, with the port if the URL has one, such as `api.example.com` or `127.0.0.1:8080`.
    public static func host(_ host: String) -> Self { any.host(host) }

    /// Matches requests with a query item of this name and, if given, this value.
    public static func query(_ name: String, _ value: String? = nil) -> Self { any.query(name, value) }

    /// Matches requests with a header field of this name and, if given, this value.
    public static func header(_ name: HTTPFieldName, _ value: String? = nil) -> Self { any.header(name, value) }

    /// Matches requests with a JSON body equal to `value`, whatever the order of members.
    public static func json(_ value: JSONValue) -> Self { any.json(value) }

    /// Matches requests for which a closure returns true; reports call the condition `name`.
    public static func `where`(_ name: String, _ condition: @escaping @Sendable (RequestSnapshot) -> Bool) -> Self {
        any.where(name, condition)
    }
}
