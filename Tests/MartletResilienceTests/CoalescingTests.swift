import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletResilience

@Suite("Coalescing", .timeLimit(.minutes(5)))
struct CoalescingTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<String>.get("x")

    /// A server that responds to all requests when its gate is opened.
    private struct Server {
        let gate = OneShot<Void>()
        let transport: MockTransport

        init(_ reply: @escaping @Sendable (HTTPRequest) -> MockReply = { _ in .text("x") }) {
            transport = MockTransport { [gate] request in
                await gate.value()
                return reply(request)
            }
        }
    }

    /// Counts the requests and passes them on.
    private struct Arrivals: Interceptor {
        let count = Count()

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            count.increment()
            return try await next(request)
        }
    }

    private struct Inner: Interceptor {
        let change: @Sendable (inout HTTPRequest) -> Void

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            change(&request)
            return try await next(request)
        }
    }

    private func client(_ server: Server, _ interceptors: any Interceptor...) -> HTTPClient {
        HTTPClient(baseURL: base, transport: server.transport, interceptors: interceptors, time: time)
    }

    /// Sends requests at the same time and returns their results.
    private func results(_ requests: [Request<String>], of client: HTTPClient, _ server: Server, _ arrivals: Arrivals) async throws
        -> [Result<HTTPResponse<String>, HTTPError>]
    {
        let calls = requests.map { request in
            Task { () async -> Result<HTTPResponse<String>, HTTPError> in
                do throws(HTTPError) { return .success(try await client.response(for: request)) } catch { return .failure(error) }
            }
        }
        try await arrivals.count.reach(requests.count)
        // An arrival is counted just before it joins.
        for _ in 0..<100 { await Task.yield() }
        server.gate.set(())
        var results: [Result<HTTPResponse<String>, HTTPError>] = []
        for call in calls { results.append(await call.value) }
        return results
    }

    @Test("The opening of a WebSocket is not shared")
    func upgrade() {
        var request = HTTPRequest(method: .get, url: base)
        #expect(CoalescingKey(request, ignoring: []) != nil)
        request.context.upgrade = ConnectionUpgrade()
        #expect(CoalescingKey(request, ignoring: []) == nil)
    }

    @Test("Identical requests share one exchange and its attempts")
    func shares() async throws {
        let server = Server(), arrivals = Arrivals(), client = client(server, arrivals, Coalescing(), RetryInterceptor())
        let responses = try await results(Array(repeating: get, count: 20), of: client, server, arrivals).map { try $0.get() }
        #expect(responses.map(\.body) == Array(repeating: "x", count: 20))
        #expect(server.transport.requests.count == 1)
        #expect(responses.allSatisfy { $0.trace.attempts.map(\.outcome) == [.status(200)] })
    }

    @Test("Requests that differ in what matters are sent by themselves")
    func differs() async throws {
        let server = Server(), arrivals = Arrivals(), client = client(server, arrivals, Coalescing())
        var reloading = get, small = get
        reloading.options.cachePolicy = .reload
        small.options.limits = ResponseLimits(bodyBytes: 10)
        // The body of a redirect that is followed may be cut.
        var unfollowed = get
        unfollowed.options.redirects = .none
        let requests = [
            get, Request<String>.get("y"), get.header("Accept-Language", "fr"), get.header("Authorization", "Bearer a"),
            get.header("Authorization", "Bearer b"), get.header("Cookie", "a=1"), get.header("Host", "tenant"), reloading, reloading, small,
            unfollowed,
            Request<String>.get("x?a=1"), Request<String>.post("x"), Request<String>.post("x"),
        ]
        for result in try await results(requests, of: client, server, arrivals) { _ = try result.get() }
        #expect(server.transport.requests.count == requests.count)
    }

    @Test("Fields of tracing may differ")
    func tracing() async throws {
        let server = Server(), arrivals = Arrivals(), client = client(server, arrivals, Coalescing())
        let requests = ["a", "b"].map { get.header("traceparent", $0) }
        for result in try await results(requests, of: client, server, arrivals) { _ = try result.get() }
        #expect(server.transport.requests.count == 1)
    }

    @Test("Requests to which an interceptor inside adds different credentials get their own responses")
    func hiddenCredentials() async throws {
        let number = Count(), server = Server { .text($0.headers[.authorization] ?? "") }, arrivals = Arrivals()
        let signing = Inner { request in request.headers[.authorization] = "Bearer \(number.increment())" }
        let client = client(server, arrivals, Coalescing(), signing)
        let bodies = try await results([get, get, get], of: client, server, arrivals).map { try $0.get().body }
        #expect(Set(bodies).count == 3)
        // Later requests do not wait for each other.
        let later = try await client.send(get)
        #expect(!bodies.contains(later))
    }

    @Test(
        "Requests to which an interceptor inside adds different fields of an unknown name get their own responses",
        arguments: [
            "X-Query-Key", "X-Appwrite-Key", "X-MC-Auth", "X-Honeycomb-Team", "X-Remote-User", "X-2FA-Code", "X-Forwarded-Client-Cert",
        ])
    func hiddenFields(name: String) async throws {
        let name = HTTPFieldName(name), number = Count()
        let server = Server { .text($0.headers[name] ?? "") }, arrivals = Arrivals()
        let naming = Inner { request in request.headers[name] = "\(number.increment())" }
        let client = client(server, arrivals, Coalescing(), naming)
        let bodies = try await results([get, get, get], of: client, server, arrivals).map { try $0.get().body }
        #expect(Set(bodies).count == 3)
    }

    @Test("A field that an interceptor inside adds and that the app declares as harmless does not keep requests apart")
    func declared() async throws {
        let number = Count(),
            naming = Inner { request in request.headers["X-Try"] = "\(number.increment())" }
        for isDeclared in [true, false] {
            let server = Server(), arrivals = Arrivals(), ignored: [HTTPFieldName] = isDeclared ? ["X-Try"] : []
            let client = client(server, arrivals, Coalescing(ignoredFields: ignored), naming)
                .with { $0.configuration.harmlessFields = isDeclared ? [] : ["x-try"] }
            for result in try await results([get, get], of: client, server, arrivals) { _ = try result.get() }
            #expect(server.transport.requests.count == 1)
        }
    }

    @Test("A streamed response is not shared")
    func streams() async throws {
        let server = Server(), client = client(server, Coalescing())
        async let first = client.stream(Request<Data>.get("x"))
        async let second = client.stream(Request<Data>.get("x"))
        // Neither waits for the other.
        try await server.transport.waitForRequests(2)
        server.gate.set(())
        let bodies = try await [first.body.collect(), second.body.collect()]
        #expect(bodies.map(\.count) == [1, 1] && server.transport.requests.count == 2)
    }

    @Test("A failure is shared")
    func failures() async throws {
        let server = Server { _ in .disconnect }, arrivals = Arrivals(), client = client(server, arrivals, Coalescing())
        let errors = try await results([get, get], of: client, server, arrivals).map(\.failure)
        #expect(errors.allSatisfy { $0 == .networkError(NetworkFailure(.connectionLost)) })
        #expect(server.transport.requests.count == 1)
    }

    @Test("The exchange continues after the deadline of the request that began it, for the others")
    func deadline() async throws {
        let server = Server(), arrivals = Arrivals(), client = client(server, arrivals, Coalescing())
        let short = Task { await client.result(of: get.timeout(.seconds(1))) }
        try await server.transport.waitForRequests(1)
        let long = Task { await client.result(of: get) }
        try await arrivals.count.reach(2)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        #expect(await short.value.failure == .timeout)
        server.gate.set(())
        #expect(await long.value.failure == nil)
    }

    @Test("A timeout or a limit of the first request concerns only that one", arguments: [HTTPError.timeout, .limitExceeded("x")])
    func firstOnly(error: HTTPError) async throws {
        let count = Count()
        let server = Server { _ in count.increment() == 1 ? .failure(error) : .text("x") }
        let arrivals = Arrivals(), client = client(server, arrivals, Coalescing())
        let results = try await results([get, get, get], of: client, server, arrivals)
        #expect(results.compactMap(\.failure) == [error] && (2...3).contains(server.transport.requests.count))
    }

    @Test("Cancelled waiters leave the others alone, and the exchange ends with the last one", arguments: 0..<30)
    func independence(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let server = Server(), arrivals = Arrivals(), client = client(server, arrivals, Coalescing())
        let count = Int.random(in: 2...12, using: &generator)
        let calls = (0..<count).map { _ in Task { await client.result(of: get) } }
        try await server.transport.waitForRequests(1)
        try await arrivals.count.reach(count)
        let cancelled = Set((0..<count).filter { _ in Bool.random(using: &generator) })
        for index in cancelled.shuffled(using: &generator) { calls[index].cancel() }
        for index in cancelled { #expect(await calls[index].value.failure == .cancelled) }
        server.gate.set(())
        for index in 0..<count where !cancelled.contains(index) { #expect(await calls[index].value.failure == nil) }
    }

    @Test("Requests beyond the maximum number are sent by themselves")
    func maximum() async throws {
        let server = Server(), arrivals = Arrivals(), client = client(server, arrivals, Coalescing(maxSharing: 2))
        var calls: [Task<Result<String, HTTPError>, Never>] = []
        for number in 1...4 {
            calls.append(Task { await client.result(of: get) })
            try await arrivals.count.reach(number)
            for _ in 0..<100 { await Task.yield() }
        }
        server.gate.set(())
        for call in calls { #expect(await call.value.failure == nil) }
        #expect((2...3).contains(server.transport.requests.count))
    }

    @Test("A cookie for a request without credentials is not shared, and one for a known user is")
    func cookies() async throws {
        for (request, count) in [(get, 3), (get.header("Authorization", "Bearer a"), 1)] {
            let server = Server { _ in .text("x", headers: [.setCookie: "session=1"]) }, arrivals = Arrivals()
            let client = client(server, arrivals, Coalescing())
            for result in try await results([request, request, request], of: client, server, arrivals) { _ = try result.get() }
            #expect(server.transport.requests.count == count)
        }
    }

    @Test("A response that varies by a field of an interceptor inside is not shared", arguments: ["X-Tenant", "*"])
    func varies(name: String) async throws {
        let number = Count()
        let server = Server { .text($0.headers["X-Tenant"] ?? "", headers: [.vary: "Accept, \(name)"]) }, arrivals = Arrivals()
        let naming = Inner { request in request.headers["X-Tenant"] = "\(number.increment())" }
        let client = client(server, arrivals, Coalescing(), naming)
        let bodies = try await results([get, get, get], of: client, server, arrivals).map { try $0.get().body }
        #expect(Set(bodies).count == 3)
    }

    @Test("A response that varies by a field to which an interceptor inside gives other bytes, equal in Unicode, is not shared")
    func variesByBytes() async throws {
        let server = Server { _ in .text("x", headers: [.vary: "Accept-Language"]) }, arrivals = Arrivals()
        let spelling = Inner { request in request.headers[.acceptLanguage] = "e\u{301}" }
        let client = client(server, arrivals, Coalescing(), spelling), request = get.header("Accept-Language", "é")
        for result in try await results([request, request], of: client, server, arrivals) { _ = try result.get() }
        #expect(server.transport.requests.count == 2)
    }

    @Test("Clients with different transports do not share a response")
    func transports() async throws {
        let servers = ["a", "b"].map { name in Server { _ in .text(name) } }, coalescing = Coalescing()
        let calls = servers.map { server in Task { try await client(server, coalescing).send(get) } }
        for server in servers {
            try await server.transport.waitForRequests(1)
            server.gate.set(())
        }
        var bodies: [String] = []
        for call in calls { bodies.append(try await call.value) }
        #expect(bodies == ["a", "b"])
    }

    @Test("Requests whose shared exchanges time out are not sent each by itself")
    func timeouts() async throws {
        let gates = (0..<20).map { _ in OneShot<Void>() }, arrivals = Arrivals()
        let transport = MockTransport { request in
            await gates[min(Int(request.headers["X-Number"] ?? "") ?? 0, 19)].value()
            return .failure(.timeout)
        }
        let number = Count()
        let numbering = Inner { request in request.headers["X-Number"] = "\(number.increment() - 1)" }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [arrivals, Coalescing(), numbering], time: time)
        let calls = (0..<20).map { _ in Task { await client.result(of: get) } }
        try await arrivals.count.reach(20)
        for round in 0..<20 {
            // The others join the next exchange.
            for _ in 0..<2_000 { await Task.yield() }
            gates[round].set(())
        }
        for call in calls { #expect(await call.value.failure == .timeout) }
        #expect(transport.requests.count <= 10)
    }

    @Test("Requests whose URLs an interceptor inside changes get their own responses")
    func hiddenURL() async throws {
        let number = Count(), server = Server { .text($0.url.query ?? "") }, arrivals = Arrivals()
        let routing = Inner { request in request.url = URL(string: "https://h/x?user=\(number.increment())")! }
        let client = client(server, arrivals, Coalescing(), routing)
        let bodies = try await results([get, get, get], of: client, server, arrivals).map { try $0.get().body }
        #expect(Set(bodies).count == 3)
    }
}
