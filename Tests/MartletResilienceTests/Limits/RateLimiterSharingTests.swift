import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletResilience

@Suite("RateLimiter: a rate that a fleet shares", .timeLimit(.minutes(5)))
struct RateLimiterSharingTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<EmptyResponse>.get("x")
    private let store: FleetStore

    init() { store = FleetStore(time) }

    private func client(_ limiter: RateLimiter, _ transport: MockTransport = MockTransport { _ in .json("{}") }) -> HTTPClient {
        HTTPClient(
            baseURL: base, transport: transport, interceptors: [limiter], configuration: .init(totalTimeout: .unlimited), time: time)
    }

    private func limiter(
        _ rate: RateLimiter.Rate = .perSecond(1), maxWait: Duration? = nil, localShare: Double? = nil
    ) -> RateLimiter {
        RateLimiter(rate, sharedAs: "birds", in: store, localShare: localShare, maxWait: maxWait)
    }

    /// Waits until the store has answered, and the group's next claim has a timer.
    private func settle(_ limiter: RateLimiter, waiting: Int, claims: Int) async throws {
        try await eventually { limiter.waitingCounts["https://h"] == waiting && store.claims.count == claims && time.timerCount > 0 }
    }

    @Test("Two processes share one rate, and a new limit starts without a burst")
    func shares() async throws {
        let first = limiter(.perSecond(1, burst: 2)), second = limiter(.perSecond(1, burst: 2))
        let one = Task { [client = client(first)] in await client.result(of: get) }
        try await settle(first, waiting: 1, claims: 1)
        time.advance(by: .seconds(1))
        #expect(await one.value.failure == nil)
        // The bucket is full. Each process uses one permission of its burst.
        time.advance(by: .seconds(2))
        for limiter in [second, first] { #expect(await client(limiter).result(of: get).failure == nil) }
        let two = Task { [client = client(second)] in await client.result(of: get) }
        try await settle(second, waiting: 1, claims: 5)
        time.advance(by: .seconds(1))
        #expect(await two.value.failure == nil)
        #expect(store.claims.count == 6)
    }

    @Test("Waiting requests are admitted in the order of their arrival, with one claim for each turn")
    func order() async throws {
        let limiter = limiter(), sent = Recorder<String>()
        let client = client(
            limiter,
            MockTransport { request in
                sent.append(request.url.path)
                return .json("{}")
            })
        var calls: [Task<Void, Never>] = []
        for number in 1...4 {
            calls.append(Task { _ = await client.result(of: Request<EmptyResponse>.get("\(number)")) })
            try await eventually { limiter.waitingCounts["https://h"] == number }
        }
        for number in 1...4 {
            try await eventually { time.timerCount == 1 }
            time.advance(by: .seconds(1))
            try await eventually { sent.values.count == number }
        }
        for call in calls { await call.value }
        #expect(sent.values == ["/1", "/2", "/3", "/4"])
        #expect(store.claims.count <= 8)
    }

    @Test("A request that may not wait is still given the time of a claim, and rejected without a permission")
    func noWait() async throws {
        let limiter = limiter(maxWait: .zero), client = client(limiter)
        let late = Task { await client.result(of: get) }
        // The end of the claim's time, and the next turn.
        try await eventually { time.timerCount == 2 }
        // A later one knows already that the next turn is too late.
        let error = await client.result(of: get).failure
        #expect(error == .limitExceeded("") && error?.retryAfter == .seconds(2))
        time.advance(by: .milliseconds(500))
        #expect(await late.value.failure == .limitExceeded(""))
        time.advance(by: .milliseconds(500))
        #expect(await client.result(of: get).failure == nil)
    }

    @Test("Without the store, requests wait for it and are sent when it has returned")
    func storeIsDown() async throws {
        let limiter = limiter(), client = client(limiter)
        store.setDown(true)
        let call = Task { await client.result(of: get) }
        for claims in 1...3 {
            try await settle(limiter, waiting: 1, claims: claims)
            if claims == 3 { store.setDown(false) }
            time.advance(by: .milliseconds(500))
        }
        try await settle(limiter, waiting: 1, claims: 4)
        time.advance(by: .seconds(1))
        #expect(await call.value.failure == nil)
    }

    @Test("Without the store, a process with a share sends at that rate")
    func ownShare() async throws {
        let limiter = limiter(.perSecond(20), localShare: 0.5), client = client(limiter)
        store.setDown(true)
        let call = Task { await client.result(of: get) }
        try await settle(limiter, waiting: 1, claims: 1)
        time.advance(by: .milliseconds(101))
        #expect(await call.value.failure == nil)
        #expect(store.claims.count == 1)
    }

    @Test("Retry-After pauses the other processes too")
    func pause() async throws {
        let first = limiter(.perSecond(1, burst: 5)), second = limiter(.perSecond(1, burst: 5))
        let busy = client(first, MockTransport { _ in .status(429, headers: [.retryAfter: "30"]) })
        let one = Task { await busy.result(of: get) }
        try await settle(first, waiting: 1, claims: 1)
        time.advance(by: .seconds(1))
        #expect(await one.value.failure?.status == 429)
        try await eventually { store.pauseCount == 1 }
        let two = Task { [client = client(second)] in await client.result(of: get) }
        try await settle(second, waiting: 1, claims: 3)
        let error = await client(second).result(of: get.timeout(.seconds(20))).failure
        #expect(error?.retryAfter == .seconds(31))
        time.advance(by: .seconds(30))
        #expect(await two.value.failure == nil)
    }

    @Test("The permission of a request that was cancelled meanwhile is used by the next one, or lost")
    func cancelled() async throws {
        let limiter = limiter(), client = client(limiter)
        let first = Task { await client.result(of: get) }
        try await settle(limiter, waiting: 1, claims: 1)
        let second = Task { await client.result(of: get) }
        try await eventually { limiter.waitingCounts["https://h"] == 2 }
        first.cancel()
        #expect(await first.value.failure == .cancelled)
        time.advance(by: .seconds(1))
        #expect(await second.value.failure == nil)
        #expect(store.claims.count == 2)
    }

    @Test("Limits with different names or groups do not share their state")
    func names() {
        let texts = [("a", "b c"), ("a b", "c"), ("a", "b"), ("1:a", "b")].map { SharedGroup.text($0, $1) }
        #expect(Set(texts).count == texts.count)
    }

    @Test("Two limits with names of their own keep to their rates in one store")
    func twoLimits() async throws {
        let second = RateLimiter(.perSecond(1), sharedAs: "birds each second", in: store)
        let minute = RateLimiter(.perMinute(1), sharedAs: "birds each minute", in: store)
        let calls = [second, minute].map { limiter in Task { [client = client(limiter)] in await client.result(of: get) } }
        try await eventually { store.claims.count == 2 && time.timerCount == 2 }
        #expect(Set(store.claims.map(\.interval)) == [.seconds(1), .seconds(60)])
        // In one bucket, the interval of the second limit would admit the request of the other.
        time.advance(by: .seconds(1))
        try await eventually { store.claims.count == 3 && time.timerCount == 1 }
        #expect(await calls[0].value.failure == nil)
        #expect(minute.waitingCounts["https://h"] == 1 && second.waitingCounts["https://h"] == 0)
        time.advance(by: .seconds(59))
        #expect(await calls[1].value.failure == nil)
    }
}
