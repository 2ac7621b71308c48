extension RequestMatcher {
    /// Requests to this host, with the port if it is in the URL: `api.example.com`, `127.0.0.1:8080`.
    public static func host(_ host: String) -> Self { any.host(host) }

    /// Requests with a query item of this name, and this value if one is given.
    public static func query(_ name: String, _ value: String? = nil) -> Self { any.query(name, value) }

    /// Requests with a header field of this name, and this value if one is given.
    public static func header(_ name: HTTPFieldName, _ value: String? = nil) -> Self { any.header(name, value) }

    /// Requests with a JSON body that is equal to `value`; the order of members does not matter.
    public static func json(_ value: JSONValue) -> Self { any.json(value) }

    /// Requests that fulfil a condition, which reports call `name`.
    public static func `where`(_ name: String, _ condition: @escaping @Sendable (RequestSnapshot) -> Bool) -> Self {
        any.where(name, condition)
    }
}
