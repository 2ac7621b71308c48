public import MartletEssentials

/// What a test expects of a request. Each part that is named must fit; what is not named may be anything.
///
/// ```swift
/// .get("/users/{id}")
/// .get("/users?page=2").header(.accept, "application/json")
/// .post("/users").json(["name": "Ada"])
/// .any.host("api.example.com").where("has a trace") { $0.headers.contains("traceparent") }
/// ```
///
/// One matcher serves stubs of `MockTransport`, routes of `MockServer`, replays and assertions. In a path, `{id}` and `*` stand for
/// one segment, `**` at the end for all the rest; a path without a leading slash may stand below any other: `users/{id}` takes
/// `/v1/users/1`. A pattern that makes no sense takes nothing, and the differences say why.
public struct RequestMatcher: Sendable, CustomStringConvertible {
    private var parts: [MatcherPart]
    private var pattern: PathPattern?

    private init(parts: [MatcherPart], pattern: PathPattern? = nil) {
        self.parts = parts
        self.pattern = pattern
    }

    /// Any request.
    public static var any: Self { Self(parts: []) }

    /// Requests with this method, and this path when one is given; a query in it names items that must be there.
    public static func method(_ method: HTTPMethod, _ path: String? = nil) -> Self {
        var matcher = Self(parts: [.method(method)])
        if let path { matcher.take(path) }
        return matcher
    }

    /// Requests with this path, whatever the method; a query in it names items that must be there.
    public static func path(_ path: String) -> Self {
        var matcher = any
        matcher.take(path)
        return matcher
    }

    /// GET requests with this path.
    public static func get(_ path: String) -> Self { method(.get, path) }
    /// HEAD requests with this path.
    public static func head(_ path: String) -> Self { method(.head, path) }
    /// POST requests with this path.
    public static func post(_ path: String) -> Self { method(.post, path) }
    /// PUT requests with this path.
    public static func put(_ path: String) -> Self { method(.put, path) }
    /// PATCH requests with this path.
    public static func patch(_ path: String) -> Self { method(.patch, path) }
    /// DELETE requests with this path.
    public static func delete(_ path: String) -> Self { method(.delete, path) }
    /// OPTIONS requests with this path.
    public static func options(_ path: String) -> Self { method(.options, path) }

    // MARK: More parts

    /// And a query item with this name, and this value when one is given. Of several items of the name one must fit.
    public func query(_ name: String, _ value: String? = nil) -> Self { and(.query(name, value)) }

    /// And no query item with this name.
    public func withoutQuery(_ name: String) -> Self { and(.withoutQuery(name)) }

    /// And a field with this name, and this value when one is given. Of several fields of the name one must fit.
    public func header(_ name: HTTPFieldName, _ value: String? = nil) -> Self { and(.header(name, value)) }

    /// And no field with this name.
    public func withoutHeader(_ name: HTTPFieldName) -> Self { and(.withoutHeader(name)) }

    /// And this host, with the port when it is in the URL: `api.example.com`, `127.0.0.1:8080`.
    public func host(_ host: String) -> Self { and(.host(host)) }

    /// And a JSON body that is equal to `value`; the order of members does not matter.
    public func json(_ value: JSONValue) -> Self { and(.json(value, isWhole: true)) }

    /// And a JSON body that has what `value` has, at least: objects may have more members, on every level. Arrays are compared whole.
    public func json(containing value: JSONValue) -> Self { and(.json(value, isWhole: false)) }

    /// And a form body with exactly these fields, in any order. Its `Content-Type`, if it has one, must be that of a form.
    public func form(_ fields: KeyValuePairs<String, String>) -> Self {
        and(.form(RequestItems(fields.map { ($0.key, $0.value) })))
    }

    /// And exactly this body.
    public func body(_ body: Data) -> Self { and(.body(body)) }

    /// And exactly this text as body.
    public func body(_ text: String) -> Self { body(Data(text.utf8)) }

    /// And what `condition` says of the request, which reports call `name`.
    public func `where`(_ name: String, _ condition: @escaping @Sendable (RequestSnapshot) -> Bool) -> Self {
        and(.condition(name, condition))
    }

    // MARK: Matching

    /// What does not fit, in the order of the parts; empty when all does.
    public func differences(in request: some CapturedRequest) -> [RequestDifference] {
        let snapshot = request.snapshot
        return parts.flatMap { $0.differences(in: snapshot) }
    }

    /// What the path's `{names}` stand for, decoded; empty when the path does not fit.
    public func parameters(of request: some CapturedRequest) -> [String: String] {
        pattern?.parameters(of: request.snapshot.path) ?? [:]
    }

    /// The parts, as they are written: `GET /users/{id} ?page=2`.
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
}
