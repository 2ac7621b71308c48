import Foundation
import MartletTesting
import MartletURLSession
import Testing

@Suite("The lifecycle of calls over URLSession", .timeLimit(.minutes(5)))
struct LifecycleOverURLSessionTests {
    @Test("cancelAll ends a call without a task of its own, and later calls work")
    func cancelAll() async throws {
        let server = try await MockServer.start(), transport = URLSessionTransport()
        server.enqueue(.silence, .text("done"))
        let client = HTTPClient(baseURL: server.url, transport: transport)
        let call = Task { await client.result(of: Request<Data>.get("a")) }
        try await server.waitForRequests(1)
        client.cancelAll()
        #expect(await call.value == .failure(.cancelled))
        #expect(try await client.send(Request<String>.get("b")) == "done" && transport.calls?.runningCount == 0)
    }
}
