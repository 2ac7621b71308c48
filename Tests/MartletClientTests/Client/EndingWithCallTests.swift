import Foundation
import MartletAuth
import MartletClient
import MartletCookies
import MartletSystem
import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("Calls that run in the caller's task", .timeLimit(.minutes(5)))
struct EndingWithCallTests {
    private let base = URL(string: "https://h/")
    private static let origin = Origin(URL(string: "https://h/")!)!

    /// Ends its exchanges with the call, as the platform's transports do, and records the call of each exchange.
    private final class Ending: CallEndingTransport {
        let endsByDeadline = true
        let calls: CallGroup? = CallGroup()
        let seen = Locked<[CallTicket?]>([])
        let asked = OneShot<Void>()
        /// The tasks that sent the requests.
        let tasks = Locked<[Int?]>([])
        private let statuses: Locked<[HTTPStatus]>

        init(_ statuses: [HTTPStatus] = [.ok]) { self.statuses = Locked(statuses) }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            seen.withLock { $0.append(request.context.call) }
            tasks.withLock { $0.append(EndingWithCallTests.currentTask) }
            asked.set(())
            if request.context.call?.isCancelled == true { throw .cancelled }
            let status = statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return HTTPResponse(status: status, body: .empty)
        }
    }

    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    private struct Hang: Sendable {
        let began = OneShot<Void>()

        /// Ignores its cancellation.
        func callAsFunction() async {
            began.set(())
            await OneShot<Void>().value()
        }
    }

    private struct HangingProvider: TokenProvider {
        let hang = Hang()
        /// The first token, after which the provider hangs. With nil, the first request for a token hangs.
        var first: AccessToken?

        func token() async throws -> AccessToken? {
            if let first { return first }
            await hang()
            return nil
        }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            await hang()
            return nil
        }
    }

    private struct HangingCookies: CookieStore {
        let hang = Hang()

        func withJar<Value: Sendable>(_ body: @Sendable (inout CookieJar) -> Value) async throws(StateStoreError) -> Value {
            await hang()
            var jar = CookieJar()
            return body(&jar)
        }
    }

    private struct Tenant: RequestModifier {
        var error: (any Error)?

        func modify(_ request: inout HTTPRequest) throws {
            if let error { throw error }
            request.headers["X-Tenant"] = "7"
        }
    }

    private struct Passing: Interceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { try await next(request) }
    }

    private func client(
        _ transport: any Transport, _ interceptors: [any Interceptor], totalTimeout: Duration? = nil, time: any TimeSource = .system
    ) -> HTTPClient {
        HTTPClient(
            baseURL: base, transport: transport, interceptors: interceptors, configuration: .init(totalTimeout: totalTimeout), time: time)
    }

    private func retry() -> RetryInterceptor { RetryInterceptor(RetryPolicy(maxAttempts: 2, backoff: .constant(.seconds(3600)))) }

    @Test("Interceptors that end by the deadline leave it to the transport")
    func withoutTask() async throws {
        let transport = Ending()
        let interceptors: [any Interceptor] = [
            HeadersInterceptor(["A": "b"]), AuthInterceptor(AccessToken("t")), RetryInterceptor(), IdempotencyKeyInterceptor(),
            CookieInterceptor(), StrictTransportInterceptor(), CircuitBreaker(), PrivateAddressGuard(), WaitForConnectivity(), Tenant(),
            LoggingInterceptor(detail: .bodies) { _ in },
        ]
        try await client(transport, interceptors).send(Request<EmptyResponse>.get("a"))
        #expect(transport.seen.withLock { $0.count == 1 && $0[0] != nil })
    }

    @Test(
        "A call gets a task of its own for any interceptor that may wait for something else",
        arguments: [
            [Passing()], [Tenant(), Passing()], [Hedging()], [Coalescing()], [ConcurrencyLimit(1)], [RateLimiter()],
            [CacheInterceptor(store: MemoryCacheStore())],
        ] as [[any Interceptor]])
    func withTask(_ interceptors: [any Interceptor]) async throws {
        let transport = Ending()
        try await client(transport, interceptors).send(Request<EmptyResponse>.get("a"))
        #expect(transport.seen.withLock { $0.count == 1 && $0[0] == nil })
    }

    @Test("A call on a clock of its own, or with a streamed body, gets a task")
    func otherCalls() async throws {
        let transport = Ending()
        try await client(transport, [Tenant()], time: ManualTime()).send(Request<EmptyResponse>.get("a"))
        _ = try await client(transport, [Tenant()]).stream(Request<EmptyResponse>.get("a"))
        #expect(transport.seen.withLock { $0.count == 2 && $0.allSatisfy { $0 == nil } })
    }

    @Test("A request with a file is sent by the caller's task, once the file has been examined")
    func file() async throws {
        let transport = Ending(), file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try Data("x".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await client(transport, [Tenant()]).send(Request<Void>.post("a", body: .file(file)))
        #expect(transport.tasks.withLock { $0 } == [Self.currentTask] && Self.currentTask != nil)
        try await client(transport, [Passing()]).send(Request<Void>.post("a", body: .file(file)))
        #expect(transport.tasks.withLock { $0.last } != Self.currentTask)
    }

    @Test("A modifier changes the request, and its error ends the call as that of an interceptor")
    func modifier() async throws {
        struct Unsigned: Error {}
        let transport = MockTransport(.status(200))
        try await client(transport, [Tenant()]).send(Request<EmptyResponse>.get("a"))
        #expect(transport.requests.first?.headers["X-Tenant"] == "7")
        let own = await client(MockTransport(), [Tenant(error: Unsigned())]).result(of: Request<Data>.get("a"))
        guard case .failure(.interceptorFailed(let why)) = own else { Issue.record("\(own)"); return }
        #expect("\(why)".contains("Tenant"))
        let typed = await client(MockTransport(), [Tenant(error: HTTPError.noData("x"))]).result(of: Request<Data>.get("a"))
        #expect(typed == .failure(.noData("x")))
    }

    // RetryInterceptor begins no wait that would exceed the timeout.
    @Test("The timeout ends a call whose token provider, renewal or cookie store hangs")
    func timeout() async throws {
        for (name, interceptor, hang, statuses) in hanging() where hang != nil {
            let transport = Ending(statuses)
            let client = client(transport, [interceptor], totalTimeout: .milliseconds(50))
            let result = await client.result(of: Request<Data>.get("a"))
            guard case .failure(let error) = result else { Issue.record("\(name) responded"); continue }
            #expect(error == .timeout && "\(error)".contains("total timeout") && error.request?.url.path == "/a", "\(name)")
        }
    }

    @Test("cancelAll ends a call whose token provider, renewal, wait for a retry or cookie store hangs")
    func cancelAll() async throws {
        for (name, interceptor, hang, statuses) in hanging() {
            let transport = Ending(statuses)
            let client = client(transport, [interceptor])
            async let result = client.result(of: Request<Data>.get("a"))
            await (hang?.began ?? transport.asked).value()
            client.cancelAll()
            #expect(await result == .failure(.cancelled), "\(name)")
            #expect(transport.calls?.runningCount == 0, "\(name)")
        }
    }

    @Test("Cancelling the task ends a call whose token provider, renewal, wait for a retry or cookie store hangs")
    func cancelTask() async throws {
        for (name, interceptor, hang, statuses) in hanging() {
            let transport = Ending(statuses)
            let client = client(transport, [interceptor])
            let task = Task { await client.result(of: Request<Data>.get("a")) }
            await (hang?.began ?? transport.asked).value()
            task.cancel()
            #expect(await task.value == .failure(.cancelled), "\(name)")
        }
    }

    @Test("A body that an interceptor puts in place of the transport's ends with the call")
    func hangingBody() async throws {
        struct Replacing: Interceptor {
            let endsByDeadline = true
            let hang: Hang

            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                let hang = hang
                return try await next(request).map { _ in
                    HTTPBody {
                        await hang()
                        return nil
                    }
                }
            }
        }
        let hang = Hang()
        let transport = Ending()
        let client = client(transport, [Replacing(hang: hang)])
        async let result = client.result(of: Request<Data>.get("a"))
        await hang.began.value()
        client.cancelAll()
        #expect(await result == .failure(.cancelled))
    }

    /// Interceptors that wait for something that does not return, what signals the wait, and the statuses that lead to it.
    private func hanging() -> [(String, any Interceptor, Hang?, [HTTPStatus])] {
        let provider = HangingProvider(), renewing = HangingProvider(first: AccessToken("t")), cookies = HangingCookies()
        return [
            ("provider", AuthInterceptor(provider), provider.hang, [.ok]),
            ("renewal", AuthInterceptor(renewing), renewing.hang, [.unauthorized]),
            ("retry", retry(), nil, [.serviceUnavailable]),
            ("cookies", CookieInterceptor(store: cookies), cookies.hang, [.ok]),
        ]
    }
}
