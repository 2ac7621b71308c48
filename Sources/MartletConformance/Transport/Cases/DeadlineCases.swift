internal import MartletEssentials

/// Times below a second, which a transport keeps or lets the client keep.
enum DeadlineCases {
    static let all = [
        Case("deadlines.total", "A server that does not answer is left at the total timeout, and its connection closed", total),
        Case("deadlines.body", "A buffered body that never ends is left at the total timeout, and its connection closed", body),
        Case("deadlines.attempt", "A server that does not answer is left at the attempt timeout, and its connection closed", attempt),
        Case("deadlines.idle", "A stream that falls silent is left at the idle timeout, its bytes given, its connection closed", idle),
        Case("deadlines.connect", "A host that takes no connection is left at the total timeout", connect),
        Case("deadlines.upload", "A request body that never comes is left at the total timeout", upload),
        Case("deadlines.not-early", "An answer that comes before a timeout below a second is given", notEarly),
        Case("deadlines.own", "A transport that says it ends by the deadline does so by itself", own),
    ]

    private static let short = Duration.milliseconds(150)

    /// Calls, each time with a longer timeout, until one has reached the server before its time was up: on a busy machine the first may
    /// not.
    private static func timesOut(
        _ trial: CaseContext, _ server: MockServer, _ configuration: (Duration) -> HTTPClient.Configuration,
        _ call: (HTTPClient) async -> Outcome
    ) async throws {
        var timeout = short
        for _ in 0..<20 where server.connectionCount == 0 {
            trial.expect("the call", await call(trial.client(server, configuration(timeout))), fails: .timeout)
            timeout = min(timeout * 2, .seconds(5))
        }
        trial.expect("connections that were made in time", server.connectionCount > 0, "one", seen: "none")
        try await trial.waitUntilClosed(server)
    }

    static func total(_ trial: CaseContext) async throws {
        let server = try await trial.serve { _ in .silence }
        try await timesOut(trial, server, { .init(totalTimeout: $0) }) { await trial.start(.get("x"), over: $0).value }
        let streaming = try await trial.serve { _ in .silence }
        trial.step("waiting for the head of a stream")
        try await timesOut(trial, streaming, { .init(totalTimeout: $0) }) { client in
            await Outcome.of { () throws(HTTPError) in
                _ = try await client.stream(Request<Data>.get("x"))
                return Data()
            }
        }
    }

    static func body(_ trial: CaseContext) async throws {
        let endless = MockReply.stream { HTTPBody { Data(count: 10) } }.piecesDelayed(by: .milliseconds(10))
        let server = try await trial.serve { _ in endless }
        try await timesOut(trial, server, { .init(totalTimeout: $0) }) { await trial.start(.get("x"), over: $0).value }
    }

    static func attempt(_ trial: CaseContext) async throws {
        let server = try await trial.serve { _ in .silence }
        try await timesOut(trial, server, { .init(attemptTimeout: $0) }) { await trial.start(.get("x"), over: $0).value }
    }

    static func idle(_ trial: CaseContext) async throws {
        let server = try await trial.serve { _ in .stream("first", "second").piecesDelayed(by: .seconds(3600)) }
        var timeout = short
        for attempt in 1...20 {
            trial.step("waiting for the head")
            let response = try await trial.client(server, .init(idleTimeout: timeout)).stream(Request<Data>.get("x"))
            var iterator = response.body.makeAsyncIterator()
            let first = await Outcome.of { () throws(HTTPError) in try await iterator.next() ?? Data() }
            // On a busy machine the first bytes may be late.
            if case .failed(.timeout, _) = first, attempt < 20 {
                timeout = min(timeout * 2, .seconds(5))
                continue
            }
            trial.expect("the first bytes", first, body: Data("first".utf8))
            trial.step("reading a silent stream")
            let outcome = await Outcome.of { () throws(HTTPError) in try await iterator.next() ?? Data() }
            trial.expect("the next", outcome, fails: .timeout)
            break
        }
        try await trial.waitUntilClosed(server)
    }

    static func connect(_ trial: CaseContext) async throws {
        let nobody = try FullBacklog()
        defer { withExtendedLifetime(nobody) {} }
        let client = HTTPClient(
            baseURL: try trial.url("http://127.0.0.1:\(nobody.port)/"), transport: trial.transport,
            configuration: .init(totalTimeout: short))
        trial.expect("the value", await trial.start(.get("x"), over: client).value, fails: .timeout)
    }

    static func upload(_ trial: CaseContext) async throws {
        let server = try await trial.serve { _ in .status(200) }
        guard trial.options.capabilities.contains(.streamedUploads) else {
            let client = trial.client(server, .init(totalTimeout: short), interceptors: [EndlessBody()])
            return trial.expect("the value", await trial.start(.post("x"), over: client).value, fails: .timeout)
        }
        try await timesOut(trial, server, { .init(totalTimeout: $0) }) { client in
            await trial.start(.post("x"), over: trial.client(server, client.configuration, interceptors: [EndlessBody()])).value
        }
    }

    /// Gives each request a body that never says anything.
    private struct EndlessBody: Interceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.body = HTTPBody {
                try await Task.sleep(for: .seconds(3600))
                return nil
            }
            return try await next(request)
        }
    }

    /// A machine that stands still for a moment makes an answer late; a transport that rounds times down does it every time.
    static func notEarly(_ trial: CaseContext) async throws {
        let server = try await trial.serve { _ in MockReply.text("in time").delayed(by: .milliseconds(20)) }
        for timeout in [Duration.milliseconds(500), .milliseconds(900), .milliseconds(1900)] {
            let client = trial.client(server, .init(totalTimeout: timeout))
            var outcome = Outcome.failed(.timeout, bytes: 0)
            for _ in 0..<20 where outcome.answer == nil { outcome = await trial.start(.get("x"), over: client).value }
            trial.expect("with \(timeout)", outcome, body: Data("in time".utf8))
        }
    }

    static func own(_ trial: CaseContext) async throws {
        guard trial.transport.endsByDeadline else { return try await total(trial) }
        let nobody = try FullBacklog()
        defer { withExtendedLifetime(nobody) {} }
        let server = try await trial.serve(.silence, .stream { HTTPBody { Data(count: 10) } }.piecesDelayed(by: .milliseconds(10)))
        var requests = [try trial.request(server), try trial.request(server)]
        requests.append(HTTPRequest(url: try trial.url("http://127.0.0.1:\(nobody.port)/")))
        for (request, words) in zip(requests, ["waiting for the head", "waiting for the body's end", "waiting for a connection"]) {
            var request = request
            request.context.deadline = .now + short
            trial.expect(words, await trial.exchange(request), fails: .timeout)
        }
        try await trial.waitUntilClosed(server)
    }
}
