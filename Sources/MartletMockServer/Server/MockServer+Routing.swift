extension MockServer {
    /// Appends replies to the queue, of which each request gets the next one; they are used before routes and the handler.
    public func enqueue(_ replies: MockReply...) { control.script.enqueue(replies) }

    /// Appends replies in an array to the queue, of which each request gets the next one; they are used before routes and the handler.
    public func enqueue(_ replies: [MockReply]) { control.script.enqueue(replies) }

    /// Adds a route that replies to matching requests with these replies in order, and then repeats the last one. If several routes match,
    /// the latest applies.
    ///
    /// ```swift
    /// server.on(.get("/users/{id}"), .status(503), .json(#"{"id": 1}"#))
    /// server.on(.get("/feed"), faults: .first(2, .drop(atByte: 10)), .json(feed))
    /// ```
    ///
    /// `faults` are the route's own and replace ``faults``. A reply with ``MockReply/beforeBody()`` is chosen by the request head alone:
    /// the latest route that matches the request without its body decides. A route that compares the body is ignored for this decision.
    public func on(_ matcher: RequestMatcher, faults: FaultScript? = nil, _ reply: MockReply, _ more: MockReply...) {
        control.script.add(matcher, [reply] + more, faults: faults)
    }

    /// Adds a route that replies to matching requests with the reply of a closure. Its second argument has the values of the `{names}` in
    /// the matcher's path.
    ///
    /// ```swift
    /// server.on(.get("/users/{id}")) { request, path in .json(#"{"id": \#(path["id"] ?? "0")}"#) }
    /// ```
    ///
    /// The closure runs like the handler of ``start(options:_:)``. `faults` are the route's own and replace ``faults``.
    public func on(
        _ matcher: RequestMatcher, faults: FaultScript? = nil,
        answer: @escaping @Sendable (RecordedRequest, [String: String]) async throws -> MockReply
    ) {
        control.script.add(matcher, faults: faults, answer)
    }

    /// The script that decides which of the server's replies have faults, counted in the order in which the replies begin. Default:
    /// ``FaultScript/never``.
    ///
    /// Setting it starts the script from the beginning. It does not affect routes with faults of their own or the server's own errors.
    public var faults: FaultScript {
        get { control.script.faults }
        set { control.script.faults = newValue }
    }

    /// Throws if enqueued replies, routes or replies of routes were not used by any request, and names them.
    public func verify() throws(UnusedStubsError) { try UnusedStubsError.check(control.script.unused) }

    /// The requests that got a 500 because no reply was scripted for them, in order. Usually empty in a correct test.
    public var unexpectedRequests: [RecordedRequest] { control.unexpected.values }
}
