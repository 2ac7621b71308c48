import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests waiting for matching requests, and the errors if they do not arrive.
@Suite(.timeLimit(.minutes(5))) struct ServerWaitingTests {
    func send(_ server: MockServer, _ lines: String...) async throws {
        let client = try RawClient(port: server.port)
        for line in lines {
            try await client.send("\(line) HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.readResponse()
        }
    }

    func start(_ time: ManualTime = ManualTime()) async throws -> MockServer {
        var options = MockServer.Options()
        options.time = time
        return try await MockServer.start(options: options) { _ in .text("x") }
    }

    @Test("Matching requests are returned in order without waiting")
    func withoutWaiting() async throws {
        let server = try await start()
        try await send(server, "GET /users/1", "POST /users", "GET /users/2")

        #expect(server.requests(matching: .get("/users/*")).map(\.path) == ["/users/1", "/users/2"])
        #expect(server.requests(matching: .delete("/users/*")).isEmpty)
        #expect(try await server.waitForRequests(matching: .get("/users/*")).map(\.path) == ["/users/1"])
        #expect(try await server.waitForRequests(0, matching: .get("/none")).isEmpty)
        await server.stop()
    }

    @Test("A wait ends with the nth matching request, however many others arrive")
    func waiting() async throws {
        let server = try await start()
        let waits = (1...5).map { count in Task { try await server.waitForRequests(count, matching: .post("/users")).map(\.target) } }
        for turn in 1...5 { try await send(server, "GET /other", "POST /users?turn=\(turn)") }

        for (index, wait) in waits.enumerated() {
            #expect(try await wait.value == (1...(index + 1)).map { "/users?turn=\($0)" })
        }
        await server.stop()
    }

    @Test("No request is missed, whatever the order of waits and requests")
    func noLostWakeups() async throws {
        let server = try await start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let found = try await server.waitForRequests(matching: .get("/\(index)"), timeout: .seconds(600))
                    #expect(found.count == 1)
                }
                group.addTask { try await send(server, "GET /\(index)") }
            }
            try await group.waitForAll()
        }
        await server.stop()
    }

    @Test("A wait that times out reports the other requests and their differences, the nearest first, without secrets")
    func timeout() async throws {
        let time = ManualTime()
        let server = try await start(time)
        try await send(server, "DELETE /orders/1?token=s3cret", "POST /users?page=1", "POST /users?page=2")
        let wait = Task { () async throws(RequestWaitError) in
            try await server.waitForRequests(2, matching: .post("/users?page=2"), timeout: .seconds(30))
        }
        try await time.waitForTimers()
        time.advance(by: .seconds(30))

        let error = try #require(await #expect(throws: RequestWaitError.self) { try await wait.value })
        #expect(error.description.hasPrefix("1 of 2 requests that match POST /users ?page=2 arrived within 30.0 seconds. The others"))
        #expect(error.ending == .timeout(.seconds(30)) && error.expectedCount == 2)
        #expect(error.requests.map { $0.query["page"] } == ["2"])
        let near = try #require(error.description.firstRange(of: "  POST /users?page=1 HTTP/1.1\n    query page: expected 2, found 1"))
        let far = try #require(error.description.firstRange(of: "  DELETE /orders/1?token="))
        #expect(near.lowerBound < far.lowerBound && !error.description.contains("s3cret"))
        #expect(time.timerCount == 0 && time.sleeps.isEmpty)
        await server.stop()
    }

    @Test("A timeout of zero returns immediately")
    func noTime() async throws {
        let server = try await start()
        let error = await #expect(throws: RequestWaitError.self) {
            try await server.waitForRequests(matching: .any, timeout: .zero)
        }
        #expect(error?.description == "0 of 1 requests that match any request arrived within 0.0 seconds. No others arrived.")
        await server.stop()
    }

    @Test("A wait ends when its task is cancelled or the server stops, and leaves no timer")
    func endings() async throws {
        let time = ManualTime()
        let server = try await start(time)
        let cancelled = Task { try await server.waitForRequests(matching: .any) }
        try await time.waitForTimers(1)
        cancelled.cancel()
        let early = await #expect(throws: RequestWaitError.self) { try await cancelled.value }
        #expect(early?.ending == .cancellation && early?.description.contains("before the task was cancelled") == true)

        let stopped = Task { try await server.waitForRequests(matching: .any) }
        try await time.waitForTimers(1)
        await server.stop()
        let last = await #expect(throws: RequestWaitError.self) { try await stopped.value }
        #expect(last?.ending == .stop && last?.description.contains("before the server was stopped") == true)
        let late = await #expect(throws: RequestWaitError.self) { try await server.waitForRequests(matching: .any) }
        #expect(late?.description.contains("before the server was stopped") == true && time.timerCount == 0)
    }
}
