// A server that fails and recovers: a circuit breaker, shared exchanges and a rate limit.
import Foundation
import Martlet

let server = try await startServer()

// One value for each service, shared by its clients.
let breaker = CircuitBreaker(.init(minimumCalls: 3, openDuration: .milliseconds(500), probes: 1))
var resilience = Resilience.standard
resilience.circuitBreaker = breaker
resilience.retry = nil  // in this example, each call is one request
var interceptors = StandardInterceptors()
interceptors.use(resilience)
let client = HTTPClient(baseURL: server.url, interceptors: interceptors.list)
let birds = Request<[String]>.get("birds")

// The server fails until the circuit opens.
for _ in 1...3 {
    guard case .failure(.statusCode(let response)) = await client.result(of: birds) else { preconditionFailure("the server works") }
    print("response: \(response.status)")
}

// While the circuit is open, calls fail at once, and the server is left alone.
guard case .failure(let rejected) = await client.result(of: birds) else { preconditionFailure("the circuit is closed") }
switch rejected {
case .circuitOpen: print("circuit open: \(rejected.errorDescription ?? "")")
default: preconditionFailure("\(rejected)")
}
guard let wait = rejected.retryAfter else { preconditionFailure("the time of the next probe is missing") }
precondition(wait > .zero && wait <= .milliseconds(500))
precondition(server.requests.count == 3)
if case .open = breaker.states.values.first { print("states: \(breaker.states.count) circuit, open") } else { preconditionFailure() }

// After that time, the next call is a probe. Its success closes the circuit.
try await Task.sleep(for: wait)
let response = try await client.response(for: birds)
print("recovered: \(response.body.joined(separator: ", "))")
precondition(breaker.states.values.first == .closed)

// Identical calls at the same time share one exchange.
let nests = try await withThrowingTaskGroup(of: Int.self) { group in
    for _ in 1...10 { group.addTask { try await client.send(Request<Int>.get("nests")) } }
    var sum = 0
    for try await count in group { sum += count }
    return sum
}
let sent = server.requests.filter { $0.path == "/nests" }.count
print("ten calls: \(sent) request")
precondition(nests == 120 && sent == 1)

// A request that exceeds the rate and may not wait is rejected. Without `maxWait` it waits for its turn.
let limited = HTTPClient(baseURL: server.url, interceptors: [RateLimiter(.perMinute(1), maxWait: .zero)])
let songs = Request<Int>.get("songs")
_ = try await limited.send(songs)
switch await limited.result(of: songs) {
case .failure(.limitExceeded): print("rate limit: rejected")
default: preconditionFailure("the limit is not obeyed")
}
precondition(server.requests.filter { $0.path == "/songs" }.count == 1)
await server.stop()
