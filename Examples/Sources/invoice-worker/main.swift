// A worker on Linux: OAuth 2 client credentials, retries, a cache that a fleet shares, and a graceful shutdown on SIGTERM.
import CommandLineSupport
import Foundation
import Martlet
import MartletRedis
import MartletTesting

let program = Program(
    "invoice-worker", "Creates the invoices of orders. The client's secret is read from WORKER_SECRET in the environment.",
    options: [
        .value("--client-id", "ID", "The OAuth 2 client. Default: worker."),
        .value("--redis", "PORT", "The port of a Redis server on this machine. Default: the cache is in memory."),
    ], operands: "ORDER…")
let arguments = program.arguments()

func text(for outcome: JobOutcome) -> String {
    switch outcome {
    case .invoiced(let order, let cents): "order \(order): \(cents) cents"
    case .putBack(let order): "order \(order): put back"
    case .failed(let order, let reason): "order \(order): \(reason)"
    }
}

if let url = arguments.baseURL {
    let orders = arguments.operands.compactMap(Int.init)
    guard !orders.isEmpty, orders.count == arguments.operands.count else { program.fail("name the orders by number", code: 64) }
    guard let secret = ProcessInfo.processInfo.environment["WORKER_SECRET"] else { program.fail("WORKER_SECRET is not set", code: 64) }
    let settings = Settings(baseURL: url, clientID: arguments["--client-id"] ?? "worker", clientSecret: secret)
    do {
        let port = try arguments.number("--redis", default: 6_379)
        let cache: any CacheStore = arguments.has("--redis") ? RedisCacheStore(port: port) : MemoryCacheStore()
        let service = Service(settings, cache: cache) { print(text(for: $0)) }
        let queue = JobQueue(orders, endsWhenEmpty: true)
        await service.run(queue, until: signals(SIGTERM))
        for order in await queue.orders { print("order \(order): remains in the queue") }
    } catch {
        program.fail(error.message, code: 64)
    }
} else {
    let redis = try RedisProcess.start()
    print(redis.map { "the cache is in \($0.name), on port \($0.port)" } ?? "no Redis or Valkey here: the cache is in memory")
    try await Scenario(redisPort: redis?.port).run().check()
    try redis?.stop()
}
