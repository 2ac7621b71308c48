internal import MartletEssentials

/// What a test can compare with a ``RequestMatcher`` and print: requests caught by `MockTransport`, `MockServer`, a recording.
///
/// ```swift
/// #expect(transport.requests.first.matches(.post("/users").json(["name": "Ada"])))
/// #expect(server.requests.last.differences(from: .get("/users/{id}").header(.accept, "application/json")).isEmpty)
/// ```
///
/// The second form says what is different when it fails; the first one prints the request alone.
public protocol CapturedRequest: Sendable {
    /// The request's parts that a test compares.
    var snapshot: RequestSnapshot { get }
}

extension CapturedRequest {
    /// Whether every part that the matcher names fits.
    public func matches(_ matcher: RequestMatcher) -> Bool { differences(from: matcher).isEmpty }

    /// What does not fit, each part with what was expected and what was found; empty when all does.
    public func differences(from matcher: RequestMatcher) -> [RequestDifference] { matcher.differences(in: snapshot) }
}

extension RequestSnapshot: CapturedRequest {
    /// Itself.
    public var snapshot: RequestSnapshot { self }
}

extension HTTPRequest: CapturedRequest {
    /// The request's parts. A body that is not in memory counts as empty: `MockTransport.requests` have theirs in memory.
    public var snapshot: RequestSnapshot {
        RequestSnapshot(method: method, url: url.absoluteString, headers: headers, body: body?.buffered ?? .init())
    }
}

extension HTTPRequest {
    /// The request with its body in memory, as doubles keep it.
    package func collected() async throws(HTTPError) -> HTTPRequest {
        guard let body, body.buffered == nil else { return self }
        var request = self
        request.body = HTTPBody(try await body.collect())
        return request
    }
}

extension Optional where Wrapped: CapturedRequest {
    /// Whether there is a request and every part that the matcher names fits.
    public func matches(_ matcher: RequestMatcher) -> Bool { differences(from: matcher).isEmpty }

    /// What does not fit; one difference that says so when there is no request.
    public func differences(from matcher: RequestMatcher) -> [RequestDifference] {
        self?.differences(from: matcher) ?? [RequestDifference(part: "request", expected: "\(matcher)", found: "none")]
    }
}
