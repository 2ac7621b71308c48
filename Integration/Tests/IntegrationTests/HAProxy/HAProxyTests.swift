import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("haproxy: failing servers")
struct HAProxyTests {
    @Test("A server that never responds causes a timeout")
    func silentDrop() async throws {
        let client = HTTPClient(baseURL: try Servers.url("SILENT", scheme: "http"), configuration: .init(totalTimeout: .milliseconds(300)))
        await #expect(throws: HTTPError.timeout) { try await client.send(Request<String>.get("x")) }
    }

    @Test("A GET or POST over a connection that is reset immediately fails with connectionLost")
    func reset() async throws {
        let url = try Servers.url("RESET", scheme: "http")
        for method in [HTTPMethod.get, .post] {
            let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(HTTPRequest(method: method, url: url)) }
            #expect(error == .networkError(NetworkFailure(.connectionLost, "")))
        }
    }

    @Test("A transport returns a 503 with Retry-After as a response")
    func busy() async throws {
        let response = try await CurlTransport().send(HTTPRequest(url: Servers.url("BUSY", scheme: "http")))
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers["Retry-After"] == "3")
        #expect(try await response.body.collect() == Data("busy".utf8))
    }

    /// Returns a client with 20 attempts per call. With half of the responses 503, one of 40 calls fails with a probability of 1 in 26,000.
    private func client(_ server: String) throws -> HTTPClient {
        HTTPClient(
            baseURL: try Servers.url(server, scheme: "http"), interceptors: [RetryInterceptor(RetryPolicy(maxAttempts: 20), budget: nil)])
    }

    /// Sends concurrent calls and returns the trace of each.
    private func send(_ count: Int, _ server: String) async throws -> [CallTrace] {
        let client = try client(server)
        return try await withThrowingTaskGroup(of: CallTrace.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let response = try await client.response(for: Request<String>.get("x"))
                    #expect(response.body == "at last")
                    return response.trace
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Checks that all attempts except the last were refused, and that each waited as long as the server required.
    private func check(_ call: CallTrace, refusal: HTTPStatus, wait: Duration) {
        #expect(call.attempts.last?.outcome == .status(200))
        for retry in call.retries.dropLast() { #expect(retry.outcome == .status(refusal) && retry.wait == wait) }
        let starts = call.steps.compactMap { if case .attempt = $0.kind { $0.time } else { nil } }
        for (start, next) in zip(starts, starts.dropFirst()) { #expect(next - start > wait - .milliseconds(10), "\(call)") }
    }

    @Test("Random 503 responses are retried after their Retry-After until the calls succeed")
    func flaky() async throws {
        let calls = try await send(40, "FLAKY")
        for call in calls { check(call, refusal: 503, wait: .seconds(1)) }
        #expect(calls.contains { $0.attempts.count > 1 } && calls.contains { $0.attempts.count == 1 })
    }

    @Test("Twelve calls succeed under a limit of five requests per second by waiting after each 429")
    func limited() async throws {
        let calls = try await send(12, "LIMITED")
        for call in calls { check(call, refusal: 429, wait: .seconds(2)) }
        #expect(calls.filter { $0.attempts.count == 1 }.count <= 5)
    }
}
