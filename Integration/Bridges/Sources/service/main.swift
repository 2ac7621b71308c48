// A Hummingbird server that calls another service. Its log, metrics and spans contain both sides of each request, and its shutdown waits
// for the calls that are running.
import Foundation
import Hummingbird
import Logging
import Martlet
import MartletBridges
import MartletMockServer
import ServiceLifecycle

struct Price: Codable, Sendable {
    let amount: Int
}

struct GetPrice: Endpoint {
    typealias Response = Price
    let product: Int
    var path: Path { "products/\(product)/price" }
}

/// Returns the routes of the server. Hummingbird has `Request` and `HTTPError` too: module selectors say which is meant.
func makeRouter(_ prices: Martlet::HTTPClient) -> Router<BasicRequestContext> {
    let router = Router()
    router.addMiddleware {
        TracingMiddleware()
        MetricsMiddleware()
        LogRequestsMiddleware(.info)
    }
    router.get("prices/{id}") { _, context in
        let product = try context.parameters.require("id", as: Int.self)
        do throws(Martlet::HTTPError) { return "\(try await prices.send(GetPrice(product: product)).amount)" } catch {
            throw Hummingbird::HTTPError(error == .draining ? .serviceUnavailable : .badGateway)
        }
    }
    return router
}

let backends = Backends()
backends.bootstrap()
let gate = Gate(), upstream = try await startPriceServer(gate), transport = PlatformTransport()

let (ports, running) = AsyncStream<Int>.makeStream()
var app = Application(
    router: makeRouter(makeClient("prices", upstream.url, over: transport)),
    configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { running.yield($0.localAddress?.port ?? 0) }, logger: Logger(label: "shop"))
app.addServices(transport.service(within: .seconds(10)) { print("shutdown: \($0.finished) calls finished, \($0.cancelled) cancelled") })
let group = ServiceGroup(services: [app], gracefulShutdownSignals: [.sigterm], logger: app.logger)
let service = Task { try await group.run() }

// A request of a user. The price server is busy once, so that it gets two requests.
guard let port = await ports.first(where: { _ in true }) else { fatalError("the server does not run") }
let user = Martlet::HTTPClient(baseURL: URL(string: "http://127.0.0.1:\(port)"))
let price = try await user.send(Martlet::Request<String>.get("prices/7"))
print("response: \(price), after \(upstream.requests.count) requests to the price server")
precondition(price == "42" && upstream.requests.count == 2)

// A request that is under way when the server is told to shut down.
let late = Task { try await user.send(Martlet::Request<String>.get("prices/8")) }
_ = try await upstream.waitForRequests(3)
await group.triggerGracefulShutdown()
gate.open()
let last = try await late.value
try await service.value
print("response during the shutdown: \(last)")
precondition(last == "43" && transport.calls?.isDraining == true)

backends.check()
await upstream.stop()
