internal import MartletEssentials

/// Deadlines below a second, which the transport or the client enforces.
enum DeadlineCases {
    static let all = [
        Case("deadlines.total", "A call to a server that does not respond ends at the total timeout, and its connection is closed", total),
        Case("deadlines.body", "A call whose buffered body never ends fails at the total timeout, and its connection is closed", body),
        Case(
            "deadlines.attempt", "A call to a server that does not respond ends at the attempt timeout, and its connection is closed",
            attempt),
        Case(
            "deadlines.idle", "A stream that falls silent returns its bytes, fails at the idle timeout, and closes its connection", idle),
        Case("deadlines.connect", "A call to a host that accepts no connection ends at the total timeout", connect),
        Case("deadlines.upload", "A call whose request body never arrives ends at the total timeout", upload),
        Case("deadlines.not-early", "A response that arrives before a timeout below a second is returned", notEarly),
        Case("deadlines.own", "A transport that claims to end exchanges at their deadline does so without the client", own),
    ]

    private static let short = Duration.milliseconds(150)

    /// Makes calls with longer and longer timeouts until one has reached the server before its timeout. On a busy machine the first one may
    /// not.
    private static func timesOut(
        _ context: CaseContext, _ server: MockServer, _ configuration: (Duration) -> HTTPClient.Configuration,
        _ call: (HTTPClient) async -> Outcome
    ) async throws {
        var timeout = short
        for _ in 0..<20 where server.connectionCount == 0 {
            context.expect("the call", await call(context.client(server, configuration(timeout))), fails: .timeout)
            timeout = min(timeout * 2, .seconds(5))
        }
        context.expect("connections opened before the timeout", server.connectionCount > 0, "one", seen: "none")
        try await context.waitUntilClosed(server)
    }

    static func total(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .silence }
        try await timesOut(context, server, { .init(totalTimeout: $0) }) { await context.start(.get("x"), over: $0).value }
        let streaming = try await context.serve { _ in .silence }
        context.step("waiting for the head of a stream")
        try await timesOut(context, streaming, { .init(totalTimeout: $0) }) { client in
            await Outcome.of { () throws(HTTPError) in
                _ = try await client.stream(Request<Data>.get("x"))
                return Data()
            }
        }
    }

    static func body(_ context: CaseContext) async throws {
        let endless = MockReply.stream { HTTPBody { Data(count: 10) } }.piecesDelayed(by: .milliseconds(10))
        let server = try await context.serve { _ in endless }
        try await timesOut(context, server, { .init(totalTimeout: $0) }) { await context.start(.get("x"), over: $0).value }
    }

    static func attempt(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .silence }
        try await timesOut(context, server, { .init(attemptTimeout: $0) }) { await context.start(.get("x"), over: $0).value }
    }

    static func idle(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .stream("first", "second").piecesDelayed(by: .seconds(3600)) }
        var timeout = short
        for attempt in 1...20 {
            context.step("waiting for the head")
            let response = try await context.client(server, .init(idleTimeout: timeout)).stream(Request<Data>.get("x"))
            var iterator = response.body.makeAsyncIterator()
            let first = await Outcome.of { () throws(HTTPError) in try await iterator.next() ?? Data() }
            // On a busy machine the first bytes may be late.
            if case .failed(.timeout, _) = first, attempt < 20 {
                timeout = min(timeout * 2, .seconds(5))
                continue
            }
            context.expect("the first bytes", first, body: Data("first".utf8))
            context.step("reading a silent stream")
            let outcome = await Outcome.of { () throws(HTTPError) in try await iterator.next() ?? Data() }
            context.expect("the next bytes", outcome, fails: .timeout)
            break
        }
        try await context.waitUntilClosed(server)
    }

    static func connect(_ context: CaseContext) async throws {
        let nobody = try FullBacklog()
        defer { withExtendedLifetime(nobody) {} }
        let client = HTTPClient(
            baseURL: try context.url("http://127.0.0.1:\(nobody.port)/"), transport: context.transport,
            configuration: .init(totalTimeout: short))
        context.expect("the value", await context.start(.get("x"), over: client).value, fails: .timeout)
    }

    static func upload(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in .status(200) }
        guard context.options.capabilities.contains(.streamedUploads) else {
            let client = context.client(server, .init(totalTimeout: short), interceptors: [EndlessBody()])
            return context.expect("the value", await context.start(.post("x"), over: client).value, fails: .timeout)
        }
        try await timesOut(context, server, { .init(totalTimeout: $0) }) { client in
            await context.start(.post("x"), over: context.client(server, client.configuration, interceptors: [EndlessBody()])).value
        }
    }

    /// Replaces the body of each request by one that never produces bytes, because its clock stands still.
    private struct EndlessBody: Interceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.body = HTTPBody {
                try await ManualTime(autoAdvances: false).sleep(for: .seconds(1))
                return nil
            }
            return try await next(request)
        }
    }

    /// Repeats the call, because a busy machine may delay a response. A transport that rounds timeouts down fails every time.
    static func notEarly(_ context: CaseContext) async throws {
        let server = try await context.serve { _ in MockReply.text("in time").delayed(by: .milliseconds(20)) }
        for timeout in [Duration.milliseconds(500), .milliseconds(900), .milliseconds(1900)] {
            let client = context.client(server, .init(totalTimeout: timeout))
            var outcome = Outcome.failed(.timeout, bytes: 0)
            for _ in 0..<20 where outcome.answer == nil { outcome = await context.start(.get("x"), over: client).value }
            context.expect("with \(timeout)", outcome, body: Data("in time".utf8))
        }
    }

    static func own(_ context: CaseContext) async throws {
        guard context.transport.endsByDeadline else { return try await total(context) }
        let nobody = try FullBacklog()
        defer { withExtendedLifetime(nobody) {} }
        let server = try await context.serve(.silence, .stream { HTTPBody { Data(count: 10) } }.piecesDelayed(by: .milliseconds(10)))
        var requests = [try context.request(server), try context.request(server)]
        requests.append(HTTPRequest(url: try context.url("http://127.0.0.1:\(nobody.port)/")))
        for (request, words) in zip(requests, ["waiting for the head", "waiting for the body's end", "waiting for a connection"]) {
            var request = request
            request.context.deadline = .now + short
            context.expect(words, await context.exchange(request), fails: .timeout)
        }
        try await context.waitUntilClosed(server)
    }
}
