internal import MartletEssentials

/// A request captured by `MockTransport`, `MockServer` or a recording, which a test can read, compare with a ``RequestMatcher`` and print.
///
/// ```swift
/// #expect(server.requests[0].query["page"] == "2")
/// #expect(server.requests[0].json == ["name": "Ada"])
/// #expect(transport.requests[0].form["user"] == "ada")
///
/// #expect(transport.requests.first.matches(.post("/users").json(["name": "Ada"])))
/// #expect(server.requests.last.differences(from: .get("/users/{id}").header(.accept, "application/json")).isEmpty)
/// ```
///
/// If the last form fails, its message shows the differences. The form before it shows only the request.
public protocol CapturedRequest: Sendable {
    /// The parts of the request that a test compares.
    var snapshot: RequestSnapshot { get }
}

extension CapturedRequest {
    /// The path, percent-encoded: `/users/1`. Never empty.
    public var path: String { String(snapshot.target.prefix { $0 != "?" }) }

    /// The items of the query, decoded: `request.query["page"]`. A `+` is a space, as in forms.
    public var query: RequestItems {
        let target = snapshot.target
        return RequestItems(encoded: target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) })
    }

    /// The fields of a form, decoded: `request.form["user"]`. Empty if the body is not text, or has another `Content-Type` than
    /// `application/x-www-form-urlencoded`.
    public var form: RequestItems {
        let request = snapshot, type = request.headers[.contentType]
        let isForm = type.map { MediaType($0)?.essence == "application/x-www-form-urlencoded" } ?? true
        return RequestItems(encoded: isForm && !request.body.isEmpty ? String(validUTF8: request.body) : nil)
    }

    /// The body as a JSON value, or nil if it is not JSON.
    public var json: JSONValue? {
        let body = snapshot.body
        return body.isEmpty ? nil : try? JSONValue(parsing: body)
    }

    /// The body as text, or nil if it is not UTF-8.
    public var text: String? { String(validUTF8: snapshot.body) }

    /// Returns whether the request has every part that the matcher names.
    public func matches(_ matcher: RequestMatcher) -> Bool { differences(from: matcher).isEmpty }

    /// Returns the differences from a matcher, each with the expected and the found value. Empty if the request matches.
    public func differences(from matcher: RequestMatcher) -> [RequestDifference] { matcher.differences(in: snapshot) }
}

extension RequestSnapshot: CapturedRequest {
    /// The request itself.
    public var snapshot: RequestSnapshot { self }
}

extension HTTPRequest: CapturedRequest {
    /// The parts of the request. A body that is not in memory counts as empty. Bodies in `MockTransport.requests` are in memory.
    public var snapshot: RequestSnapshot {
        RequestSnapshot(method: method, url: url.absoluteString, headers: headers, body: body?.buffered ?? .init())
    }
}

extension HTTPRequest {
    /// Returns the request with its body in memory, as test doubles record it.
    package func collected() async throws(HTTPError) -> HTTPRequest {
        guard let body, body.buffered == nil else { return self }
        var request = self
        request.body = HTTPBody(try await body.collect())
        return request
    }
}

extension Optional where Wrapped: CapturedRequest {
    /// Returns whether there is a request and it has every part that the matcher names.
    public func matches(_ matcher: RequestMatcher) -> Bool { differences(from: matcher).isEmpty }

    /// Returns the differences from a matcher. If there is no request, returns one difference that says so.
    public func differences(from matcher: RequestMatcher) -> [RequestDifference] {
        self?.differences(from: matcher) ?? [RequestDifference(part: "request", expected: "\(matcher)", found: "none")]
    }
}
