import Foundation
import MartletClient
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@Suite("The lifecycle of a client's calls", .timeLimit(.minutes(5)))
struct LifecycleTests {
    private let base = URL(string: "https://h/")
    private let time = ManualTime(autoAdvances: false)

    private func client(_ transport: any Transport, interceptors: [any Interceptor] = []) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: interceptors, configuration: .init(totalTimeout: nil), time: time)
    }

    /// Never calls the rest of the chain, and ignores the cancellation.
    private struct Hanging: Interceptor {
        let began = OneShot<Void>()

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            began.set(())
            await OneShot<Void>().value()
            throw HTTPError.noData("never")
        }
    }

    @Test("cancelAll ends the client's calls with .cancelled, but not those of other clients, and later calls work")
    func cancelAll() async throws {
        let transport = MockTransport(.silence, .silence, .status(200))
        let one = client(transport), copy = one, two = client(transport)
        async let first = one.result(of: Request<Data>.get("a"))
        try await transport.waitForRequests(1)
        async let second = two.result(of: Request<Data>.get("b"))
        try await transport.waitForRequests(2)
        copy.cancelAll()
        guard case .failure(let error) = await first else { Issue.record("answered"); return }
        #expect(error == .cancelled && error.request?.url.path == "/a" && transport.calls?.runningCount == 1)
        _ = try await one.send(Request<Data>.get("c"))
        transport.cancelAll()
        let ended = await second
        #expect(ended == .failure(.cancelled) && transport.calls?.runningCount == 0)
    }

    @Test("A call ends when it is cancelled even if an interceptor hangs and ignores the cancellation")
    func hangingInterceptor() async throws {
        let hanging = Hanging()
        let client = client(MockTransport(), interceptors: [hanging])
        async let result = client.result(of: Request<Data>.get("a"))
        await hanging.began.value()
        client.cancelAll()
        let ended = await result
        #expect(ended == .failure(.cancelled))
    }

    @Test("cancelAll cancels a call but not the task that made it")
    func callersTask() async throws {
        let transport = MockTransport(.silence)
        let client = client(transport)
        let task = Task {
            _ = await client.result(of: Request<Data>.get("a"))
            return Task.isCancelled
        }
        try await transport.waitForRequests()
        client.cancelAll()
        #expect(await task.value == false)
    }

    @Test("A stream is a running call until its body is read, dropped or cancelled, and then its next chunk throws .cancelled")
    func streams() async throws {
        let transport = MockTransport { _ in .stream("a", "b") }
        let client = client(transport), calls = try #require(client.calls)
        var response: HTTPResponse<HTTPBody>? = try await client.stream(Request<Data>.get("a"))
        #expect(calls.runningCount == 1)
        #expect(try await response?.body.collect() == Data("ab".utf8) && calls.runningCount == 0)
        response = try await client.stream(Request<Data>.get("a"))
        response = nil
        #expect(calls.runningCount == 0)
        response = try await client.stream(Request<Data>.get("a"))
        var chunks = try #require(response?.body.makeAsyncIterator())
        #expect(try await chunks.next() == Data("a".utf8))
        client.cancelAll()
        await #expect(throws: HTTPError.cancelled) { _ = try await chunks.next() }
        #expect(calls.runningCount == 0)
    }

    @Test("A stream ends its call if its status is not accepted or its body is in memory")
    func streamsWithoutBody() async throws {
        let client = client(MockTransport(.status(500), .status(204)))
        await #expect(throws: HTTPError.self) { _ = try await client.stream(Request<Data>.get("a")) }
        let empty = try await client.stream(Request<Data>.get("a"))
        #expect(client.calls?.runningCount == 0)
        _ = empty
    }

    @Test("While draining, new calls throw .draining before anything is sent, and running calls finish")
    func draining() async throws {
        let gate = OneShot<Void>()
        let transport = MockTransport { _ in
            await gate.value()
            return .text("done")
        }
        let client = client(transport), api = client.mappingErrors(HTTPErrorMapper())
        async let running = client.send(Request<String>.get("a"))
        try await transport.waitForRequests()
        async let summary = api.drain(within: .seconds(20))
        try await time.waitForTimers()
        let error = await #expect(throws: HTTPError.self) { _ = try await client.send(Request<String>.get("b")) }
        #expect(error == .draining && error?.request?.url.path == "/b" && error?.attempts == 0)
        await #expect(throws: HTTPError.draining) { _ = try await client.stream(Request<Data>.get("b")) }
        await #expect(throws: APIError.cancelled) { _ = try await api.send(Request<String>.get("b")) }
        gate.set(())
        let value = try await running
        #expect(value == "done")
        let drained = await summary
        #expect(drained == DrainSummary(finished: 1) && transport.requests.count == 1)
    }

    @Test("While draining, a running call is retried, and is cancelled when the limit passes")
    func drainingRetry() async throws {
        let transport = MockTransport(.status(503), .silence)
        let client = client(transport, interceptors: [RetryInterceptor(.standard, time: time)])
        async let running = client.result(of: Request<String>.get("a"))
        try await time.waitForSleeps()
        async let summary = client.drain(within: .seconds(3_600))
        try await time.waitForTimers(2)
        time.advance(by: .seconds(60))
        try await transport.waitForRequests(2)
        time.advance(by: .seconds(3_600))
        let ended = await running
        #expect(ended == .failure(.cancelled))
        let drained = await summary
        #expect(drained == DrainSummary(cancelled: 1))
    }

    @Test("An interceptor's own request through a draining client is part of its call")
    func partOfACall() async throws {
        let transport = MockTransport { request in request.url.path == "/token" ? .text("t") : .text("done") }
        let isDraining = OneShot<Void>(), began = OneShot<Void>()
        struct Asking: Interceptor {
            let tokens: HTTPClient
            let began: OneShot<Void>
            let gate: OneShot<Void>

            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                began.set(())
                await gate.value()
                _ = try await tokens.send(Request<String>.get("token"))
                return try await next(request)
            }
        }
        let tokens = client(transport)
        let client = client(transport, interceptors: [Asking(tokens: tokens, began: began, gate: isDraining)])
        async let running = client.send(Request<String>.get("a"))
        await began.value()
        async let summary = transport.drain(within: .seconds(20), time: time)
        try await time.waitForTimers()
        await #expect(throws: HTTPError.draining) { _ = try await tokens.send(Request<String>.get("token")) }
        isDraining.set(())
        let value = try await running
        #expect(value == "done")
        let drained = await summary
        #expect(drained == DrainSummary(finished: 1))
    }

    @Test("A download is one call, and cancelAll ends it while it waits to resume")
    func downloads() async throws {
        let transport = MockTransport { _ in .data(Data(count: 100_000), contentType: "a/b").disconnecting(afterBodyBytes: 10) }
        let client = client(transport)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("lifecycle-\(UInt64.random(in: 0 ... .max))")
        let task = Task {
            do throws(HTTPError) {
                _ = try await client.download(.get("a"), to: file)
                return nil as HTTPError?
            } catch { return error }
        }
        try await time.waitForSleeps()
        #expect(client.calls?.runningCount == 1)
        client.cancelAll()
        #expect(await task.value == .cancelled && client.calls?.runningCount == 0)
    }

    @Test("cancelAll cancels a mock's waiting calls, and a draining mock refuses new ones")
    func mocks() async throws {
        let mock = HTTPClientMock(time: time)
        mock.on(Request<String>.self, .value("x").delayed(by: .seconds(5)))
        async let result = mock.result(of: Request<String>.get("a"))
        try await time.waitForSleeps()
        mock.cancelAll()
        let ended = await result
        #expect(ended == .failure(.cancelled))
        #expect(await mock.drain(within: .seconds(1)) == DrainSummary())
        #expect(await mock.result(of: Request<String>.get("a")) == .failure(.draining) && mock.requestedEndpoints.count == 1)
    }

    @Test("A custom transport without a group works, and its clients track their own calls")
    func ownTransport() async throws {
        struct Own: Transport {
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { .init(status: .ok, body: .empty) }
        }
        let client = client(Own())
        Own().cancelAll()
        #expect(await Own().drain(within: .seconds(1)) == DrainSummary())
        _ = try await client.send(Request<Data>.get("a"))
        #expect(await client.drain(within: .seconds(1)) == DrainSummary())
        await #expect(throws: HTTPError.draining) { _ = try await client.send(Request<Data>.get("a")) }
    }
}
