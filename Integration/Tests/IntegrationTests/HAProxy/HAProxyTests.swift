import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("haproxy: bad days")
struct HAProxyTests {
    @Test("a server that swallows the request and says nothing is a timeout")
    func silentDrop() async throws {
        let client = HTTPClient(baseURL: try Servers.url("SILENT", scheme: "http"), configuration: .init(totalTimeout: .milliseconds(300)))
        await #expect(throws: HTTPError.timeout) { try await client.send(Request<String>.get("x")) }
    }

    @Test("a connection that is closed as soon as it stands is a connection lost, and a POST over it is not sent again")
    func reset() async throws {
        let url = try Servers.url("RESET", scheme: "http")
        for method in [HTTPMethod.get, .post] {
            let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(HTTPRequest(method: method, url: url)) }
            #expect(error == .networkError(NetworkFailure(.connectionLost, "")))
        }
    }

    @Test("a 503 with Retry-After is an answer like any other")
    func busy() async throws {
        let response = try await CurlTransport().send(HTTPRequest(url: Servers.url("BUSY", scheme: "http")))
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers["Retry-After"] == "3")
        #expect(try await response.body.collect() == Data("busy".utf8))
    }

    /// As many tries as it takes: that one of forty calls is refused twenty times by a coin has a chance of 1 to 26,000.
    private func client(_ server: String) throws -> HTTPClient {
        HTTPClient(
            baseURL: try Servers.url(server, scheme: "http"), interceptors: [RetryInterceptor(RetryPolicy(maxAttempts: 20), budget: nil)])
    }

    /// Sends calls together, and gives what became of each attempt of each.
    private func send(_ count: Int, _ server: String) async throws -> [[AttemptRecord]] {
        let client = try client(server)
        return try await withThrowingTaskGroup(of: [AttemptRecord].self) { group in
            for _ in 0..<count {
                group.addTask {
                    let response = try await client.response(for: Request<String>.get("x"))
                    #expect(response.body == "at last")
                    return response.metadata.attemptRecords
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Whether each attempt but the last was refused, and the next came no earlier than it was allowed to.
    private func check(_ call: [AttemptRecord], refusal: HTTPStatus, wait: Duration) {
        #expect(call.last?.outcome == .status(200))
        for (attempt, next) in zip(call, call.dropFirst()) {
            #expect(attempt.outcome == .status(refusal) && attempt.wait == wait)
            #expect(next.start.timeIntervalSince(attempt.start) > Double(wait.components.seconds) - 0.01, "\(call)")
        }
    }

    @Test("a server that answers 503 by chance is asked again when its Retry-After is over, until it answers")
    func flaky() async throws {
        let calls = try await send(40, "FLAKY")
        for call in calls { check(call, refusal: 503, wait: .seconds(1)) }
        #expect(calls.contains { $0.count > 1 } && calls.contains { $0.count == 1 })
    }

    @Test("a limit of five requests a second lets twelve calls through that obey its 429")
    func limited() async throws {
        let calls = try await send(12, "LIMITED")
        for call in calls { check(call, refusal: 429, wait: .seconds(2)) }
        #expect(calls.filter { $0.count == 1 }.count <= 5)
    }
}
