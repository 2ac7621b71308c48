// One limit of time for several calls, with their retries and waits.
import Foundation
import Martlet

let server = try await startServer()
let client = HTTPClient(baseURL: server.url, interceptors: [RetryInterceptor()])
let clock = ContinuousClock()

/// Returns suggestions, or none if they do not arrive in time. A caller with an earlier deadline need not pass it in.
func suggestions() async -> [String] {
    await withDeadline(.milliseconds(300)) {
        do throws(HTTPError) { return try await client.send(Request<[String]>.get("suggestions")) } catch {
            print("suggestions: \(error == .timeout ? "timeout" : "\(error)")")
            return []
        }
    }
}

// The second call gets what the first one has left, and the suggestions end by their own, earlier deadline.
let (name, orders, suggested) = try await withDeadline(.seconds(5)) {
    let name = try await client.send(Request<String>.get("profile"))
    let left = TaskDeadline.remaining() ?? .zero
    print("profile: \(name), less than five seconds left: \(left < .seconds(5))")
    precondition(left <= .milliseconds(4_800))
    return (name, try await client.send(Request<[Int]>.get("orders")), await suggestions())
}
print("orders: \(orders.count), suggestions: \(suggested.count)")
precondition(name == "Wren" && orders == [7, 9] && suggested.isEmpty)

// A retry that would begin after the deadline is not awaited: the server asks for a minute.
let began = clock.now
let busy = await withDeadline(.seconds(2)) { await client.result(of: Request<Data>.get("busy")) }
guard case .failure(.statusCode(let response)) = busy else { preconditionFailure("the server is not busy") }
print("busy: \(response.status), without a wait")
precondition(clock.now - began < .seconds(2) && server.requests.filter { $0.path == "/busy" }.count == 1)

// After the deadline, nothing is sent.
let late = await withDeadline(.zero) { await client.result(of: Request<Data>.get("late")) }
guard case .failure(.timeout) = late else { preconditionFailure("the call has been sent") }
precondition(server.requests.allSatisfy { $0.path != "/late" })

// A server that handles a request passes the rest of its time to the services that it calls.
let passed = try await withDeadline(at: clock.now + .seconds(5)) {
    let left = Int((TaskDeadline.remaining() ?? .zero) / .milliseconds(1))
    return try await client.response(for: Request<[Int]>.get("orders").header("X-Timeout-Ms", "\(left)"))
}
let sent = Int(server.requests.last?.headers["X-Timeout-Ms"] ?? "") ?? 0
print("passed on: \(passed.status), \(sent > 0 ? "with" : "without") the time that is left")
precondition(sent > 0 && sent <= 5_000)
await server.stop()
