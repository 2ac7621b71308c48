// Time limits for calls, and ways to cancel them.
import Foundation
import Martlet

let server = try await startServer()
var configuration = HTTPClient.Configuration()
configuration.totalTimeout = .seconds(5)  // for every call of this client; the default is 60 seconds
let client = HTTPClient(baseURL: server.url, interceptors: [RetryInterceptor()], configuration: configuration)
let clock = ContinuousClock()

// A deadline for one call. It includes waits and retries.
var result = await client.result(of: .get("silent/report"), as: Data.self, options: CallOptions(timeout: .milliseconds(200)))
print("timeout: \(outcome(result))")
precondition(outcome(result) == "timeout")

// A limit for each attempt: the first attempt gets no response, the second does.
let response = try await client.response(for: .get("silent-once"), as: Data.self, options: CallOptions(attemptTimeout: .milliseconds(300)))
print("attempts: \(response.trace.attempts.compactMap { $0.outcome?.description }.joined(separator: ", "))")
precondition(response.trace.attempts.count > 1)

// Cancelling a task stops its call and closes its connection.
let task = Task { await client.result(of: .get("silent/search"), as: Data.self) }
try await server.waitForRequests(matching: .get("/silent/search"))
task.cancel()
result = await task.value
print("task: \(outcome(result))")
precondition(outcome(result) == "cancelled")

// The first of several mirrors wins. Leaving the group cancels the others.
let began = clock.now
let fastest = try await withThrowingTaskGroup(of: String.self) { group in
    for mirror in ["slow", "silent", "fast"] {
        group.addTask { try await client.send(Request<String>.get("mirrors/\(mirror)")) }
    }
    defer { group.cancelAll() }
    return try await group.next()
}
print("mirrors: \(fastest ?? "none")")
precondition(fastest == "fast" && clock.now - began < .seconds(3))

// Cancelling all running calls of a client, for example when the user signs out.
let call = Task { await client.result(of: .get("silent/profile"), as: Data.self) }
try await server.waitForRequests(matching: .get("/silent/profile"))
client.cancelAll()
result = await call.value
print("cancelAll: \(outcome(result))")
precondition(outcome(result) == "cancelled")

/// Returns the outcome of a call as a word.
func outcome(_ result: Result<Data, HTTPError>) -> String {
    switch result {
    case .success: "success"
    case .failure(.timeout): "timeout"
    case .failure(.cancelled): "cancelled"
    case .failure(let error): "\(error)"
    }
}
