import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletResilience

@Suite("Hedging", .timeLimit(.minutes(5)))
struct HedgingTests {
    @TaskLocal private static var mark = ""

    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<String>.get("x")

    private func client(_ transport: any Transport, _ hedging: Hedging) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: [RetryInterceptor(.never), hedging], time: time)
    }

    @Test("A slow request is sent again, the first good response wins, and both attempts are recorded")
    func hedges() async throws {
        let transport = MockTransport(.silence, .text("second"))
        let client = client(transport, Hedging(after: .seconds(1), budget: nil))
        let call = Task { try await client.response(for: get) }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        let response = try await call.value
        #expect(response.body == "second")
        // The cancelled attempt ends after the call.
        while response.trace.attempts.first?.outcome == nil { await Task.yield() }
        let trace = response.trace
        #expect(trace.attempts.map(\.number) == [1, 2] && trace.attempts.map(\.outcome) == [.cancelled, .status(200)])
        #expect(trace.retries.isEmpty)
        #expect(
            trace.notes.sorted() == [
                "one attempt of a hedged request was used, the other one dropped", "sent again after 1.00 s without a response",
            ])
    }

    @Test("The opening of a WebSocket is sent once")
    func upgrade() {
        var request = HTTPRequest(method: .get, url: base)
        #expect(Hedging.mayRepeat(request))
        request.context.upgrade = ConnectionUpgrade()
        #expect(!Hedging.mayRepeat(request))
    }

    @Test("A failing attempt does not win against one that still runs")
    func failing() async throws {
        let gate = OneShot<Void>()
        let transport = MockTransport { request in
            if request.context.attempt == 2 { return .status(503) }
            await gate.value()
            return .text("first")
        }
        let client = client(transport, Hedging(after: .seconds(1), budget: nil))
        let call = Task { try await client.response(for: get) }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        try await transport.waitForRequests(2)
        gate.set(())
        let response = try await call.value
        #expect(response.body == "first" && response.trace.attempts.map(\.outcome) == [.status(200), .status(503)])
    }

    @Test("A failure before the delay is returned without a second attempt")
    func early() async {
        let transport = MockTransport(.status(503))
        let error = await client(transport, Hedging(after: .seconds(1), budget: nil)).result(of: get).failure
        #expect(error?.status == 503 && transport.requests.count == 1)
    }

    @Test("Cancelling the call cancels both attempts")
    func cancelled() async throws {
        let transport = MockTransport { _ in .silence }
        let client = client(transport, Hedging(after: .seconds(1), budget: nil))
        let call = Task { await client.result(of: get) }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        try await transport.waitForRequests(2)
        call.cancel()
        #expect(await call.value.failure == .cancelled)
        // The drain cancels calls that are still running at its limit.
        let summary = await transport.calls?.drain(within: .seconds(30))
        #expect(summary?.cancelled == 0)
    }

    @Test("The second attempt has the task-local values of the call")
    func taskLocals() async throws {
        let marks = Recorder<String>()
        let transport = MockTransport { request in
            marks.append(HedgingTests.mark)
            return request.context.attempt == 1 ? .silence : .text("x")
        }
        let client = client(transport, Hedging(after: .seconds(1), budget: nil))
        let call = HedgingTests.$mark.withValue("mine") { Task { try await client.send(get) } }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        _ = try await call.value
        #expect(marks.values == ["mine", "mine"])
    }

    @Test("The budget limits second attempts")
    func budget() async throws {
        let transport = MockTransport { _ in .silence }
        let client = client(transport, Hedging(after: .seconds(1), budget: RetryBudget(share: 0, minimum: 1)))
        let calls = (0..<3).map { _ in Task { await client.result(of: get) } }
        try await transport.waitForRequests(3)
        try await time.waitForTimers(6)
        time.advance(by: .seconds(1))
        try await transport.waitForRequests(4)
        time.advance(by: .seconds(60))
        for call in calls { #expect(await call.value.failure == .timeout) }
        #expect(transport.requests.count == 4)
    }

    @Test("The delay is the percentile of the recorded durations, once there are enough")
    func percentile() async throws {
        let held = Locked(false)
        let transport = MockTransport { [time] request in
            if held.withLock({ $0 }) { return request.context.attempt == 1 ? .silence : .text("x") }
            try await time.sleep(for: .milliseconds(200))
            return .text("x")
        }
        let client = client(transport, Hedging(percentile: 0.9, minimumSamples: 3, budget: nil))
        for _ in 0..<3 { _ = try await client.send(get) }
        held.withLock { $0 = true }
        let call = Task { try await client.send(get) }
        try await transport.waitForRequests(4)
        try await time.waitForTimers(2)
        time.advance(by: .milliseconds(199))
        #expect(transport.requests.count == 4)
        time.advance(by: .milliseconds(1))
        _ = try await call.value
    }

    @Test("Requests that are not safe, and bodies that can't be sent again, are never repeated", arguments: 0..<200)
    func never(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let method = (HTTPMethod.standard + ["QUERY", "PURGE"]).randomElement(using: &generator)!
        var request = HTTPRequest(method: method, url: base)
        request.context.isIdempotent = [nil, true, false].randomElement(using: &generator)!
        if Bool.random(using: &generator) { request.headers["Idempotency-Key"] = "k" }
        let isStream = Bool.random(using: &generator)
        if isStream { request.body = HTTPBody { nil } }
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method.rawValue)
        #expect(Hedging.mayRepeat(request) == (!isStream && (request.context.isIdempotent ?? isSafe)))
    }

    @Test("A slow POST is sent once")
    func post() async throws {
        let transport = MockTransport { _ in .silence }
        let client = client(transport, Hedging(after: .seconds(1), budget: nil))
        let call = Task { await client.result(of: Request<String>.post("x").header("Idempotency-Key", "k")) }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(1))
        for _ in 0..<100 { await Task.yield() }
        time.advance(by: .seconds(59))
        #expect(await call.value.failure == .timeout && transport.requests.count == 1)
    }

    @Test(
        "A second attempt that a limit or an open circuit rejects does not hide the outcome of the first",
        arguments: [HTTPError.limitExceeded("x"), .circuitOpen("x")])
    func rejected(rejection: HTTPError) async throws {
        let gate = OneShot<Void>()
        let transport = MockTransport { request in
            if request.context.attempt == 2 { return .failure(rejection) }
            await gate.value()
            return .status(503)
        }
        let client = client(transport, Hedging(after: .seconds(1), budget: nil))
        let call = Task { await client.result(of: get) }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        try await transport.waitForRequests(2)
        for _ in 0..<100 { await Task.yield() }
        gate.set(())
        #expect(await call.value.failure?.status == 503)
    }

    @Test("A call that is cancelled before its first attempt sends nothing")
    func cancelledBefore() async throws {
        let cancelling = Cancelling(), transport = MockTransport { _ in .text("x") }
        let client = HTTPClient(
            baseURL: base, transport: transport, interceptors: [cancelling, Hedging(after: .seconds(1), budget: nil)], time: time)
        #expect(await client.result(of: get).failure == .cancelled)
        #expect(transport.requests.isEmpty)
    }

    /// Cancels its own task.
    private struct Cancelling: Interceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await next(request)
        }
    }
}

@Suite("LatencyRecord", .timeLimit(.minutes(5)))
struct LatencyRecordTests {
    @Test("Percentiles are those of the last hundred durations")
    func percentiles() {
        var record = LatencyRecord()
        #expect(record.percentile(0.5) == nil)
        for number in 1...100 { record.add(.milliseconds(number)) }
        #expect([0, 0.5, 0.95, 1, 7, -1].map { record.percentile($0) } == [1, 50, 95, 100, 100, 1].map { .milliseconds($0) })
        for number in 201...250 { record.add(.milliseconds(number)) }
        #expect(record.count == 100 && record.percentile(0) == .milliseconds(51) && record.percentile(1) == .milliseconds(250))
    }

    @Test("A share that is not a number, or is far too large, counts as the nearest possible one")
    func impossible() {
        var record = LatencyRecord()
        for number in 1...100 { record.add(.milliseconds(number)) }
        #expect([-.infinity, .nan, 1e300, .infinity].map { record.percentile($0) } == [1, 100, 100, 100].map { .milliseconds($0) })
    }
}
