import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletResilience

@Suite("RetryInterceptor", .timeLimit(.minutes(5)))
struct RetryInterceptorTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let steady = RetryPolicy(maxAttempts: 3, backoff: .constant(.seconds(1)))

    private func client(
        _ transport: MockTransport, _ policy: RetryPolicy, timeout: Duration? = .seconds(60), budget: RetryBudget? = nil,
        inner: [any Interceptor] = []
    ) -> HTTPClient {
        HTTPClient(
            baseURL: base, transport: transport,
            interceptors: [RetryInterceptor(policy, time: time, random: SeededRandom(), budget: budget)] + inner,
            configuration: .init(totalTimeout: timeout), time: time)
    }

    private let get = Request<EmptyResponse>.get("x")

    @Test("A failed attempt is followed by another, and the first successful response is returned")
    func retries() async throws {
        let transport = MockTransport(.disconnect, .status(503), .json("{}"))
        let response = try await client(transport, steady).response(for: get)
        #expect(response.status == .ok)
        #expect(transport.requests.map(\.context.attempt) == [1, 2, 3])
        #expect(time.sleeps == [.seconds(1), .seconds(1)])
    }

    @Test("A hook may retry a response with status 200, as part of the interceptor's policy or of the request's", arguments: [true, false])
    func hooks(isOfRequest: Bool) async throws {
        var hooked = steady
        hooked.hook = { $0.number == 1 ? .retryRegardless : .applyRules }
        let transport = MockTransport(.status(200), .status(200))
        let trace = try await client(transport, isOfRequest ? steady : hooked)
            .response(for: isOfRequest ? get.retryPolicy(hooked) : get).trace
        #expect(transport.requests.count == 2)
        #expect(trace.retries.map(\.outcome) == [.status(200)] && trace.retries.map(\.wait) == [.seconds(1)])
    }

    @Test("After the last attempt its response is returned with its body")
    func exhausted() async throws {
        let transport = MockTransport(.status(500), .status(502), .text("sorry", status: 503))
        let error = await #expect(throws: HTTPError.self) { try await client(transport, steady).send(get) }
        #expect(error?.status == 503)
        #expect(error?.response?.body == Data("sorry".utf8))
        #expect(error?.attempts == 3)
    }

    @Test("The trace has each attempt with its number, time and outcome, and each decision about a failed one")
    func records() async throws {
        let transport = MockTransport(.disconnect, .status(429, headers: [.retryAfter: "7"]), .json("{}"))
        let start = time.now
        let trace = try await client(transport, steady).response(for: get).trace
        #expect(trace.start == start)
        #expect(trace.attempts.map(\.number) == [1, 2, 3])
        #expect(trace.attempts.map(\.outcome) == [.network(.connectionLost), .status(429), .status(200)])
        #expect(trace.retries.map(\.outcome) == trace.attempts.map(\.outcome).dropLast())
        #expect(trace.retries.map(\.wait) == [.seconds(1), .seconds(7)])
        #expect(trace.steps.map(\.time) == [.zero, .zero, .seconds(1), .seconds(1), .seconds(8)])
        #expect(
            trace.retries.map(\.reason) == [
                "the network failed: network error connectionLost",
                "the server responded with 429 Too Many Requests, and asks for this wait",
            ])
    }

    @Test("An error lists the attempts too, also over redirects")
    func recordsOfErrors() async throws {
        let transport = MockTransport(.status(503), .status(302, headers: [.location: "/y"]), .status(503), .disconnect, .disconnect)
        let error = await #expect(throws: HTTPError.self) { try await client(transport, steady).send(get) }
        #expect(error?.trace.attempts.map(\.number) == [1, 2, 3, 4, 5])
        #expect(error?.trace.retries.last?.reason == "it was the last of 3 attempts")
        #expect(
            error?.trace.retries.first.map { "\($0)" } == "retried after 1.00 s: the server responded with 503 Service Unavailable")
    }

    @Test("Without an interceptor that retries the trace has no decisions about retries")
    func noDecisions() async throws {
        let response = try await HTTPClient(baseURL: base, transport: MockTransport(.json("{}"))).response(for: get)
        #expect(response.trace.retries.isEmpty && response.trace.attempts.count == 1)
        #expect(HTTPError.timeout.trace.steps.isEmpty)
    }

    @Test("A request that is not idempotent is sent once")
    func notIdempotent() async throws {
        let transport = MockTransport { _ in .status(503) }
        let error = await #expect(throws: HTTPError.self) {
            try await client(transport, steady).send(Request<EmptyResponse>.post("x", body: .data(Data("{}".utf8))))
        }
        #expect(transport.requests.count == 1)
        #expect(error?.trace.retries.map(\.reason) == ["POST is not idempotent and has no Idempotency-Key"])
    }

    @Test("A body in memory is sent completely in each attempt, and a stream once")
    func bodies() async throws {
        let transport = MockTransport(.status(503), .json("{}"), .status(503))
        let client = client(transport, steady)
        try await client.send(Request<EmptyResponse>.put("x", body: .data(Data("abc".utf8))))
        struct Streaming: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var request = request
                let chunks = Locked([Data("abc".utf8)])
                request.body = HTTPBody { chunks.withLock { $0.popLast() } }
                return try await next(request)
            }
        }
        let streaming = HTTPClient(
            baseURL: base, transport: transport, interceptors: [Streaming(), RetryInterceptor(steady, time: time, budget: nil)], time: time)
        await #expect(throws: HTTPError.self) { try await streaming.send(Request<EmptyResponse>.put("x")) }
        #expect(transport.requests.map { $0.body?.buffered } == [Data("abc".utf8), Data("abc".utf8), Data("abc".utf8)])
    }

    @Test("A wait that would reach the call's deadline does not begin, and the outcome is returned immediately")
    func deadline() async throws {
        let transport = MockTransport { _ in .status(503, headers: [.retryAfter: "7"]) }
        let error = await #expect(throws: HTTPError.self) {
            try await client(transport, RetryPolicy(maxAttempts: 9), timeout: .seconds(20)).send(get)
        }
        #expect(error?.status == 503)
        #expect(time.sleeps == [.seconds(7), .seconds(7)])
        #expect(error?.trace.retries.last?.reason == "a wait of 7.00 s would reach the deadline, 6.00 s away")
    }

    @Test("Calls share the budget, and when it is exhausted their outcomes are returned immediately")
    func budget() async throws {
        let transport = MockTransport { _ in .status(503) }
        let client = client(transport, steady, budget: RetryBudget(share: 0, minimum: 3))
        for _ in 0..<4 { await #expect(throws: HTTPError.self) { try await client.send(get) } }
        #expect(transport.requests.count == 7)
        let error = await #expect(throws: HTTPError.self) { try await client.send(get) }
        #expect(error?.trace.retries.map(\.reason) == ["the retry budget is exhausted"])
    }

    @Test("A call may have its own policy")
    func ownPolicy() async throws {
        let transport = MockTransport { _ in .status(503) }
        var once = get
        once.options.context.retryPolicy = .never
        await #expect(throws: HTTPError.self) { try await client(transport, steady).send(once) }
        #expect(transport.requests.count == 1)
    }

    @Test("Cancelling the task during a wait throws a cancellation error, and nothing more is sent")
    func cancelledWait() async throws {
        let held = ManualTime(autoAdvances: false)
        let transport = MockTransport { _ in .status(503) }
        let client = HTTPClient(
            baseURL: base, transport: transport, interceptors: [RetryInterceptor(steady, time: held, budget: nil)],
            configuration: .init(totalTimeout: nil), time: held)
        let call = Task { await client.result(of: get) }
        try await held.waitForTimers()
        call.cancel()
        guard case .failure(let error) = await call.value else {
            Issue.record("the call returned a response")
            return
        }
        #expect(error == .cancelled)
        #expect(transport.requests.count == 1)
    }

    @Test("The stream of a discarded response is stopped before the wait, or read to its end if it is short")
    func discarded() async throws {
        let ended = Recorder<String>()
        final class Reader: HTTPBodyReader {
            let ended: Recorder<String>
            let left = Locked(2)
            init(_ ended: Recorder<String>) { self.ended = ended }
            func next() async throws(HTTPError) -> Data? {
                let isLeft = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                if !isLeft { ended.append("read") }
                return isLeft ? Data("x".utf8) : nil
            }
            func cancel(_ reason: HTTPError) { ended.append("cancelled") }
        }
        struct Refusing: Interceptor {
            let ended: Recorder<String>
            let length: Int64?
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                let response = try await next(request)
                guard response.status == 503 else { return response }
                return response.map { _ in HTTPBody(reader: Reader(ended), length: length) }
            }
        }
        let held = ManualTime(autoAdvances: false)
        for (length, end) in [(Int64?.none, "cancelled"), (70_000, "cancelled"), (2, "read")] {
            let client = HTTPClient(
                baseURL: base, transport: MockTransport(.status(503), .json("{}")),
                interceptors: [RetryInterceptor(steady, time: held, budget: nil), Refusing(ended: ended, length: length)],
                configuration: .init(totalTimeout: nil), time: held)
            let count = ended.values.count
            let call = Task { try await client.stream(get).status }
            #expect(try await ended.value(at: count) == end)
            try await held.waitForTimers()
            held.advance(by: .seconds(1))
            #expect(try await call.value == .ok)
        }
    }

    @Test("The body of a discarded response is released before the next attempt")
    func releases() async throws {
        final class Reader: HTTPBodyReader {
            func next() async throws(HTTPError) -> Data? { nil }
            func cancel(_ reason: HTTPError) {}
        }
        /// Counts the readers of earlier responses that exist when an attempt begins.
        struct Counting: Interceptor {
            struct Weak { weak var reader: Reader? }
            let made = Locked<[Weak]>([])
            let left = Locked<[Int]>([])

            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                let count = made.withLock { $0.count { $0.reader != nil } }
                left.withLock { $0.append(count) }
                let response = try await next(request), reader = Reader()
                made.withLock { $0.append(Weak(reader: reader)) }
                return response.map { _ in HTTPBody(reader: reader, length: 70_000) }
            }
        }
        let counting = Counting()
        let client = client(MockTransport(.status(503), .status(503), .status(200)), steady, inner: [counting])
        _ = try await client.stream(get)
        #expect(counting.left.withLock { $0 } == [0, 0, 0])
    }

    @Test("Errors of other interceptors are not retried and are thrown unchanged")
    func foreign() async throws {
        struct Broken: Error {}
        struct Breaking: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { throw Broken() }
        }
        let error = await #expect(throws: HTTPError.self) { try await client(MockTransport(), steady, inner: [Breaking()]).send(get) }
        #expect(error?.underlying is Broken)
        #expect(time.sleeps.isEmpty)
    }
}
