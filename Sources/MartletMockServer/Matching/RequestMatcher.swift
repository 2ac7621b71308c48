public import MartletEssentials

/// A description of requests by the parts that must match, such as the method and the path. All other parts may have any value.
///
/// ```swift
/// let matchers: [RequestMatcher] = [
///     .get("/users/{id}"),
///     .get("/users?page=2").header(.accept, "application/json"),
///     .post("/users").json(["name": "Ada"]),
///     .any.host("api.example.com").where("has a trace") { $0.headers.contains("traceparent") },
/// ]
/// ```
///
/// Matchers are used for stubs of `MockTransport`, routes of `MockServer`, replays and assertions. In a path, `{id}` and `*` match one
/// segment, and `**` at the end matches any number of segments. A path without a leading slash matches below any other: `users/{id}`
/// matches `/v1/users/1`. An invalid pattern matches nothing, and the differences say why.
public struct RequestMatcher: Sendable, CustomStringConvertible {
    private var parts: [MatcherPart]
    private var pattern: PathPattern?

    private init(parts: [MatcherPart], pattern: PathPattern? = nil) {
        self.parts = parts
        self.pattern = pattern
    }

    /// Matches any request.
    public static var any: Self { Self(parts: []) }

    /// Matches requests with this method and, if given, this path and the query items in it.
    public static func method(_ method: HTTPMethod, _ path: String? = nil) -> Self {
        var matcher = Self(parts: [.method(method)])
        if let path { matcher.take(path) }
        return matcher
    }

    /// Matches requests with this path, the query items in it, and any method.
    public static func path(_ path: String) -> Self {
        var matcher = any
        matcher.take(path)
        return matcher
    }

    /// Matches GET requests with this path.
    public static func get(_ path: String) -> Self { method(.get, path) }
    /// Matches HEAD requests with this path.
    public static func head(_ path: String) -> Self { method(.head, path) }
    /// Matches POST requests with this path.
    public static func post(_ path: String) -> Self { method(.post, path) }
    /// Matches PUT requests with this path.
    public static func put(_ path: String) -> Self { method(.put, path) }
    /// Matches PATCH requests with this path.
    public static func patch(_ path: String) -> Self { method(.patch, path) }
    /// Matches DELETE requests with this path.
    public static func delete(_ path: String) -> Self { method(.delete, path) }
    /// Matches OPTIONS requests with this path.
    public static func options(_ path: String) -> Self { method(.options, path) }

    // MARK: More parts

    /// Returns a matcher that also requires a query item of this name and, if given, this value. If several items have the name, one must
    /// match.
    public func query(_ name: String, _ value: String? = nil) -> Self { and(.query(name, value)) }

    /// Returns a matcher that also requires that no query item has this name.
    public func withoutQuery(_ name: String) -> Self { and(.withoutQuery(name)) }

    /// Returns a matcher that also requires a header field of this name and, if given, this value. If several fields have the name, one
    /// must match.
    public func header(_ name: HTTPFieldName, _ value: String? = nil) -> Self { and(.header(name, value)) }

    /// Returns a matcher that also requires that no header field has this name.
    public func withoutHeader(_ name: HTTPFieldName) -> Self { and(.withoutHeader(name)) }

    /// Returns a matcher that also requires this host, with the port if the URL has one, such as `api.example.com` or `127.0.0.1:8080`.
    public func host(_ host: String) -> Self { and(.host(host)) }

    /// Returns a matcher that also requires a JSON body equal to `value`, whatever the order of members.
    public func json(_ value: JSONValue) -> Self { and(.json(value, isWhole: true)) }

    /// Returns a matcher that also requires a JSON body that contains `value`, in which objects may have more members on every level.
    /// Arrays are compared whole.
    public func json(containing value: JSONValue) -> Self { and(.json(value, isWhole: false)) }

    /// Returns a matcher that also requires a form body with exactly these fields, in any order. Its `Content-Type`, if present, must be
    /// that of a form.
    public func form(_ fields: KeyValuePairs<String, String>) -> Self {
        and(.form(RequestItems(fields.map { ($0.key, $0.value) })))
    }

    /// Returns a matcher that also requires exactly these bytes as the body.
    public func body(_ body: Data) -> Self { and(.body(body)) }

    /// Returns a matcher that also requires exactly this text as the body.
    public func body(_ text: String) -> Self { body(Data(text.utf8)) }

    /// Returns a matcher that also requires that a closure returns true; reports call the condition `name`.
    public func `where`(_ name: String, _ condition: @escaping @Sendable (RequestSnapshot) -> Bool) -> Self {
        and(.condition(name, condition))
    }

    // MARK: Matching

    /// Returns the parts in which a request differs, in the order of the matcher's parts, or an empty array if it matches.
    public func differences(in request: some CapturedRequest) -> [RequestDifference] {
        let snapshot = request.snapshot
        return parts.flatMap { $0.differences(in: snapshot) }
    }

    /// Returns the decoded values of a request's path for the `{names}` in the matcher's path, or none if the path does not match.
    public func parameters(of request: some CapturedRequest) -> [String: String] {
        pattern?.parameters(of: request.snapshot.path) ?? [:]
    }

    /// The matcher's parts in a short form, such as `GET /users/{id} ?page=2`.
    public var description: String {
        parts.isEmpty ? "any request" : parts.map(\.description).joined(separator: " ")
    }

    private func and(_ part: MatcherPart) -> Self {
        var matcher = self
        matcher.parts.append(part)
        return matcher
    }

    private mutating func take(_ path: String) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = PathPattern(String(parts[0]))
        self.pattern = pattern
        self.parts.append(.path(pattern))
        if parts.count > 1 { self.parts += RequestItems(encoded: String(parts[1])).map { .query($0.name, $0.value) } }
    }

    // MARK: Starting with another part

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

/// One part in which a request differs from a ``RequestMatcher``, with the expected and the found value.
public struct RequestDifference: Sendable, Hashable, CustomStringConvertible {
    /// The part that differs, such as `method`, `query page`, `header Accept` or `body /user/name` (with a JSON pointer, RFC 6901).
    public let part: String
    /// The expected value, masked if it is a secret.
    public let expected: String
    /// The found value, masked if it is a secret.
    public let found: String

    /// Creates a difference. The caller must mask and shorten the texts.
    public init(part: String, expected: String, found: String) {
        self.part = part
        self.expected = expected
        self.found = found
    }

    /// The difference as text, such as `path: expected /users/{id}, found /orders/1`.
    public var description: String { "\(part): expected \(expected), found \(found)" }
}
