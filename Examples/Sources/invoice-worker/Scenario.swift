import CommandLineSupport
import Foundation
import Martlet
import MartletRedis
import MartletTesting

/// The scripted run: eight orders, a revoked token, a second worker, and SIGTERM while four jobs run.
struct Scenario {
    let redisPort: Int?
    private let memory = MemoryCacheStore()

    init(redisPort: Int?) { self.redisPort = redisPort }

    struct Summary {
        let outcomes: [JobOutcome]
        let remaining: [Int]
        let requests: [RecordedRequest]
        let secondWorker: CacheStatus?
    }

    func run() async throws -> Summary {
        let partner = try await Partner.start(), queue = JobQueue(), outcomes = Recorder<JobOutcome>()
        let time = ManualTime(autoAdvances: false)
        let settings = Settings(
            baseURL: partner.server.url, clientID: "worker", clientSecret: "s3cret", backoff: .constant(.milliseconds(10)))
        let service = Service(settings, cache: store(), time: time) { outcome in
            print(text(for: outcome))
            outcomes.append(outcome)
        }
        let terminations = signals(SIGTERM)
        let running = Task { await service.run(queue, until: terminations) }

        await queue.add(1...8)
        _ = try await outcomes.first(8)

        print("the partner revokes the token")
        partner.accept(token: "t2")
        await queue.add([9])
        _ = try await outcomes.first(9)

        // Another worker of the fleet finds the rates in the shared cache. Its token is its own.
        let second = Service(settings, cache: store()) { _ in }
        let rates = try await second.worker.partner.response(for: GetRates())
        print("a second worker: \(rates.metadata.cacheStatus.map { "\($0)" } ?? "no cache")")

        // Four jobs run and two wait when the orchestrator stops the process.
        await queue.add(101...106)
        _ = try await partner.slowOrders.first(4)
        print("SIGTERM")
        kill(getpid(), SIGTERM)
        try await time.waitForTimers()  // the limit of the shutdown is set, so the queue is closed
        partner.release.append(())
        _ = try await outcomes.first(12)

        // Order 104 gets no response. It is put back when the limit is reached.
        time.advance(by: settings.shutdownLimit)
        await running.value
        return Summary(
            outcomes: outcomes.values, remaining: await queue.orders, requests: partner.server.requests,
            secondWorker: rates.metadata.cacheStatus)
    }

    /// Returns the store of one worker: its own connection to Redis, or the memory of this process.
    private func store() -> any CacheStore {
        if let redisPort { RedisCacheStore(port: redisPort) } else { memory }
    }
}

extension Scenario.Summary {
    func check() {
        let invoiced = outcomes.compactMap { if case .invoiced(let order, _) = $0 { order } else { nil } }
        print("\(invoiced.count) orders have invoices, \(remaining.count) remain for the next worker")
        precondition(Set(invoiced) == Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 101, 102, 103]) && Set(remaining) == [104, 105, 106])

        precondition(secondWorker?.isHit == true)

        func requests(_ matcher: RequestMatcher) -> [RecordedRequest] { self.requests.filter { $0.matches(matcher) } }
        precondition(requests(.get("/rates")).count == 2, "a 503 and its retry; then the cache is used")
        precondition(requests(.post("/oauth/token")).count == 3, "one token for each worker, and one after the first was revoked")
        let keys = requests(.post("/invoices")).compactMap { $0.headers["Idempotency-Key"] }
        precondition(keys.count == Set(keys).count, "no invoice was created twice")
    }
}
