import Foundation
import MartletTesting
import Testing

@Suite("HTTPClient over the platform's transport", .timeLimit(.minutes(5)))
struct HTTPClientDefaultTests {
    @Test("The client's clock and random numbers reach its interceptors")
    func timeAndRandom() async throws {
        let server = try await MockServer.start()
        server.on(.get("/x"), .status(503), .text("done"))
        let time = ManualTime()
        let client = HTTPClient(baseURL: server.url, interceptors: [RetryInterceptor()], time: time, random: SeededRandom(seed: 1))
        #expect(try await client.send(Request<String>.get("x")) == "done")
        #expect(time.sleeps.count == 1 && client.random is SeededRandom)
        await server.stop()
    }
}
