import Martlet
import MartletTesting
import Testing

/// Tests over a socket with a real server on a free port, whose faults the test sets.
@Suite("Example: server failures, tested with MockServer", .timeLimit(.minutes(5)))
struct ServerTests {
    @Test("A broken connection is an error, and the next call returns the birds")
    func broken() async throws {
        let server = try await MockServer.start()
        server.on(.get("/birds"), faults: .first(1, .drop(atByte: 10)), .json(#"[{"id":1,"name":"Wren"}]"#))
        let repository = BirdRepository(http: HTTPClient(baseURL: server.url))

        await #expect(throws: HTTPError.self) { try await repository.all() }
        #expect(try await repository.all() == [Bird(id: 1, name: "Wren")])

        #expect(try await server.waitForRequests(2, matching: .get("/birds")).count == 2)
        try server.verify()
        await server.stop()
    }
}
