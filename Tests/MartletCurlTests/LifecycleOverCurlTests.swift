import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

@Suite("The lifecycle of calls over libcurl", .timeLimit(.minutes(5)))
struct LifecycleOverCurlTests {
    @Test("cancelAll ends calls that have no task of their own, with and without interceptors, and later calls work")
    func cancelAll() async throws {
        struct Passing: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { try await next(request) }
        }
        let server = try await MockServer.start(), transport = CurlTransport()
        server.enqueue(.silence, .silence, .text("done"))
        let bare = HTTPClient(baseURL: server.url, transport: transport)
        let client = HTTPClient(baseURL: server.url, transport: transport, interceptors: [Passing()])
        let first = Task { await bare.result(of: Request<Data>.get("a")) }
        try await server.waitForRequests(1)
        let second = Task { await client.result(of: Request<Data>.get("b")) }
        try await server.waitForRequests(2)
        bare.cancelAll()
        guard case .failure(let error) = await first.value else { Issue.record("answered"); return }
        #expect(error == .cancelled && error.request?.url.path == "/a" && transport.calls?.runningCount == 1)
        transport.cancelAll()
        #expect(await second.value == .failure(.cancelled))
        #expect(try await bare.send(Request<String>.get("c")) == "done" && transport.calls?.runningCount == 0)
    }

    @Test("The first call uses the connection that was opened ahead of it")
    func preconnect() async throws {
        let server = try await MockServer.start { request in request.method == .options ? .status(405) : .text("done") }
        let client = HTTPClient(baseURL: server.url.appending(path: "v1"), transport: CurlTransport())
        try await client.preconnect()
        let response = try await client.response(for: Request<String>.get("a"))
        #expect(response.body == "done" && response.metadata.isConnectionReused == true && server.connectionCount == 1)
        #expect(server.requests.map(\.path) == ["/", "/v1/a"])
    }

    @Test("A draining transport finishes the calls of all its clients and rejects new ones")
    func draining() async throws {
        let isDraining = Recorder<Bool>(), transport = CurlTransport()
        let server = try await MockServer.start { request in
            guard request.path == "/a" else { return .silence }
            _ = try await isDraining.first(1)
            return .text("done")
        }
        let one = HTTPClient(baseURL: server.url, transport: transport), two = HTTPClient(baseURL: server.url, transport: transport)
        let first = Task { await one.result(of: Request<String>.get("a")) }
        try await server.waitForRequests(1)
        let second = Task { await two.result(of: Request<String>.get("b")) }
        try await server.waitForRequests(2)
        let time = ManualTime()
        let drain = Task { await transport.drain(within: .seconds(20), time: time) }
        try await time.waitForTimers()
        isDraining.append(true)
        #expect(await first.value == .success("done"))
        #expect(await one.result(of: Request<String>.get("c")) == .failure(.draining))
        time.advance(by: .seconds(20))
        #expect(await second.value == .failure(.cancelled))
        #expect(await drain.value == DrainSummary(finished: 1, cancelled: 1) && server.requests.count == 2)
    }
}
