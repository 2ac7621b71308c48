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
    /// The method, URL, header fields and body of the request, for comparisons.
    var snapshot: RequestSnapshot { get }
}

extension CapturedRequest {
    /// The percent-encoded path, such as `/users/1`, never empty.
    public var path: String { String(snapshot.target.prefix { $0 != "?" }) }

    /// The decoded items of the query, as in `request.query["page"]`. A `+` is a space, as in forms.
    public var query: RequestItems {
        let target = snapshot.target
        return RequestItems(encoded: target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) })
    }

    /// The decoded fields of a form body, as in `request.form["user"]`. Empty if the body is not text, or has another `Content-Type` than
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

    /// Returns whether the request has every part that the matcher requires.
    public func matches(_ matcher: RequestMatcher) -> Bool { differences(from: matcher).isEmpty }

    /// Returns the differences from a matcher, each with the expected and the found value, or an empty array if the request matches.
    public func differences(from matcher: RequestMatcher) -> [RequestDifference] { matcher.differences(in: snapshot) }
}

extension RequestSnapshot: CapturedRequest {
    /// The request itself.
    public var snapshot: RequestSnapshot { self }
}

extension HTTPRequest: CapturedRequest {
    /// The method, URL, header fields and body of the request, whose body counts as empty if it is not in memory. Bodies in
    /// `MockTransport.requests` are in memory.
    public var snapshot: RequestSnapshot {
        RequestSnapshot(method: method, url: url.absoluteString, headers: headers, body: body?.buffered ?? .init())
    }
}

extension HTTPRequest {
    /// Returns the request with its body in memory, as test doubles record it.
    package func collected() async throws(HTTPError) -> HTTPRequest {
        guard let body, body.buffered == nil || body.hasTrailers else { return self }
        var request = self
        request.body = HTTPBody(try await body.collect())
        guard body.hasTrailers else { return request }
        let trailers = try await body.makeTrailers()
        request.body = request.body?.trailers { trailers }
        return request
    }
}

extension Optional where Wrapped: CapturedRequest {
    /// Returns whether this is a request and has every part that the matcher requires; false for nil.
    public func matches(_ matcher: RequestMatcher) -> Bool { differences(from: matcher).isEmpty }

    /// Returns the differences from a matcher, or for nil one difference that says that there is no request.
    public func differences(from matcher: RequestMatcher) -> [RequestDifference] {
        self?.differences(from: matcher) ?? [RequestDifference(part: "request", expected: "\(matcher)", found: "none")]
    }
}
