import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache
@testable import MartletClient

@Suite("CacheInterceptor: the deadline of a task", .timeLimit(.minutes(5)))
struct CacheDeadlineTests {
    /// Records the deadlines of the requests that it passes on.
    private struct Deadlines: Interceptor {
        let ofTasks = Recorder<ContinuousClock.Instant?>()
        let ofRequests = Recorder<ContinuousClock.Instant?>()

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            ofTasks.append(TaskDeadline.current)
            ofRequests.append(request.context.deadline)
            return try await next(request)
        }
    }

    @Test("A revalidation in the background has its own time limit, also for the calls of interceptors inside")
    func background() async throws {
        let deadlines = Deadlines(), fields = HTTPFields.fresh(10, "stale-while-revalidate=99")
        let cached = CachedClient(MockTransport(.text("one", headers: fields), .text("two", headers: fields)), inside: [deadlines])
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        let now = cached.time.instant
        let stale = try await withDeadline(.seconds(2), time: cached.time) { try await cached.get() }
        #expect(stale.text == "one" && stale.cacheStatus?.isStale == true)
        await cached.cache.finishRevalidations()
        #expect(deadlines.ofTasks.values == [nil, nil] && deadlines.ofRequests.values == [nil, now + .seconds(60)])
        #expect(try await withDeadline(.seconds(2), time: cached.time) { try await cached.get() }.text == "two")
    }

    @Test("A revalidation that the caller waits for ends at the deadline")
    func foreground() async throws {
        let cached = CachedClient(MockTransport(.text("one", headers: .fresh(10, tag: "\"a\"")), .silence))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        let call = Task {
            await withDeadline(.seconds(2), time: cached.time) {
                _ = await #expect(throws: HTTPError.timeout) { try await cached.get() }
            }
        }
        try await cached.transport.waitForRequests(2)
        try await cached.time.waitForTimers(1)
        cached.time.advance(by: .seconds(2))
        await call.value
    }

    @Test("Of callers that share a request, each waits until its own deadline", arguments: [true, false])
    func shared(firstIsShort: Bool) async throws {
        let server = HeldServer { _ in .text("one", headers: .fresh()) }, cached = CachedClient(server.transport)
        func call(_ limit: Duration) -> Task<Result<String, any Error>, Never> {
            Task {
                await withDeadline(limit, time: cached.time) {
                    do { return .success(try await cached.get().text) } catch { return .failure(error) }
                }
            }
        }
        let first = call(.seconds(firstIsShort ? 1 : 9))
        while cached.cache.cache.flights.waiterCount < 1 { await Task.yield() }
        let second = call(.seconds(firstIsShort ? 9 : 1))
        while cached.cache.cache.flights.waiterCount < 2 { await Task.yield() }
        try await cached.time.waitForTimers(2)
        cached.time.advance(by: .seconds(1))
        let (short, long) = firstIsShort ? (first, second) : (second, first)
        let late = await short.value
        #expect(throws: HTTPError.timeout) { try late.get() }
        server.gate.open()
        #expect(try await long.value.get() == "one")
    }
}
