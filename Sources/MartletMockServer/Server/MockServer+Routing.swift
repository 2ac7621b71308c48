extension MockServer {
    /// Adds replies behind those that are left. They come before routes and the handler.
    public func enqueue(_ replies: MockReply...) { control.script.enqueue(replies) }

    /// Adds replies behind those that are left. They come before routes and the handler.
    public func enqueue(_ replies: [MockReply]) { control.script.enqueue(replies) }

    /// Answers requests that fit, in this order; the last reply stays. Of several routes that fit, the latest answers.
    ///
    /// ```swift
    /// server.on(.get("/users/{id}"), .status(503), .json(#"{"id": 1}"#))
    /// server.on(.get("/feed"), faults: .first(2, .drop(atByte: 10)), .json(feed))
    /// ```
    ///
    /// `faults` are this route's own and take the place of ``faults``. A reply that is to come
    /// ``MockReply/beforeBody()`` is looked for by the request's head alone: among the routes that fit a request without a body, the
    /// latest decides, so that a route that asks for a body neither gives such a reply nor stands in the way of one.
    public func on(_ matcher: RequestMatcher, faults: FaultScript? = nil, _ reply: MockReply, _ more: MockReply...) {
        control.script.add(matcher, [reply] + more, faults: faults)
    }

    /// Answers requests that fit with what `answer` makes of each, and of what the path's `{names}` stand for.
    ///
    /// ```swift
    /// server.on(.get("/users/{id}")) { request, path in .json(#"{"id": \#(path["id"] ?? "0")}"#) }
    /// ```
    ///
    /// It runs as the handler of ``start(options:_:)`` does. `faults` are this route's own and take the place of ``faults``.
    public func on(
        _ matcher: RequestMatcher, faults: FaultScript? = nil,
        answer: @escaping @Sendable (RecordedRequest, [String: String]) async throws -> MockReply
    ) {
        control.script.add(matcher, faults: faults, answer)
    }

    /// What goes wrong with the server's replies, in the order in which they are begun. Default: ``FaultScript/never``.
    ///
    /// Setting it begins anew. Routes that have faults of their own are not touched by it, nor are the server's own errors.
    public var faults: FaultScript {
        get { control.script.faults }
        set { control.script.faults = newValue }
    }

    /// Throws when there are replies that were enqueued, or routes, or replies of routes, that no request has used, and names them.
    public func verify() throws(UnusedStubsError) { try UnusedStubsError.check(control.script.unused) }

    /// The requests so far for which there was nothing and which got a 500, in order: none, in a test that means what it says.
    public var unexpectedRequests: [RecordedRequest] { control.unexpected.values }
}
