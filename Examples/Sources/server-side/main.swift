// A service on Linux: one client per process, many concurrent calls, and a graceful shutdown on SIGTERM.
import Dispatch
import Foundation
import Martlet

struct Price: Decodable {
    let amount: Int
}

struct GetPrice: Endpoint {
    typealias Response = Price
    let product: Int
    var path: Path { "products/\(product)/price" }
}

/// The state that the service's handlers share. It is created once, so that connections, limits and the retry budget are shared too.
struct Services {
    let transport: PlatformTransport
    let prices: HTTPClient

    init(prices url: URL) {
        var configuration = TransportConfiguration()
        configuration.maxConnectionsPerOrigin = 16
        transport = PlatformTransport(configuration)
        prices = HTTPClient(
            baseURL: url, transport: transport, interceptors: [RetryInterceptor()],
            configuration: .init(totalTimeout: .seconds(10), attemptTimeout: .seconds(5)))
    }

    /// Returns the sum of the prices, which are requested concurrently.
    func total(of products: ClosedRange<Int>) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for product in products { group.addTask { try await prices.send(GetPrice(product: product)).amount } }
            return try await group.reduce(0, +)
        }
    }
}

let server = try await startServer()
let services = Services(prices: server.url)

// 500 concurrent calls share at most 16 connections; the others wait.
let total = try await services.total(of: 1...500)
print("500 prices over \(server.connectionCount) connections, \(total) in all")
precondition(total == 500 * 501 / 2 && server.connectionCount <= 16)

// On SIGTERM the client refuses new calls and lets the running ones finish. Then the process exits.
signal(SIGTERM, SIG_IGN)
let terminate = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
let (terminations, continuation) = AsyncStream.makeStream(of: Void.self)
terminate.setEventHandler { continuation.yield() }
terminate.resume()

let running = Task { try await services.prices.send(Request<Price>.get("slow")) }
try await server.waitForRequests(matching: .get("/slow"))
kill(getpid(), SIGTERM)  // as the orchestrator does

for await _ in terminations { break }
let summary = await services.transport.drain(within: .seconds(20))
print("drained: \(summary.finished) finished, \(summary.cancelled) cancelled")

let last = try await running.value
let refused = await services.prices.result(of: GetPrice(product: 1))
guard case .failure(.draining) = refused else { fatalError("a new call was accepted: \(refused)") }
precondition(last.amount == 1 && summary.finished == 1 && summary.cancelled == 0)
