import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

/// Tests the client's promises that depend on the real transport.
@Suite(.timeLimit(.minutes(5))) struct ClientOverCurlTests {
    func client(_ server: MockServer, connections: Int = 8, timeout: Duration = .seconds(120)) -> HTTPClient {
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerOrigin = connections
        return HTTPClient(
            baseURL: server.url, transport: CurlTransport(configuration),
            configuration: HTTPClient.Configuration(totalTimeout: timeout))
    }

    func failure(_ result: Result<Data, HTTPError>) throws -> HTTPError {
        guard case .failure(let error) = result else { throw Answered() }
        return error
    }

    struct Answered: Error {}

    @Test("The total timeout, even below a second, ends calls to servers that never respond or never finish")
    func silence() async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence, .data(Data(count: 64), contentType: "a/b").chunked(1).piecesDelayed(by: .seconds(20)))
        for _ in 0..<2 {
            let error = try failure(await client(server, timeout: .milliseconds(80)).result(of: .get("x")))
            #expect(error == .timeout && error.attempts == 1 && error.request?.url.path == "/x")
            #expect("\(error)".contains("80 ms"))
        }
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }

    @Test(
        "A GET with a truncated response is retried like any lost connection, and APIError reports a network failure",
        arguments: [
            MockReply.raw("HTTP/1.1 200 OK\r\nContent-Le"), .text("0123456789").disconnecting(afterBodyBytes: 5),
            .stream("01234", "56789").disconnecting(afterBodyBytes: 12),
        ])
    func cutShort(reply: MockReply) async throws {
        let server = try await MockServer.start()
        server.enqueue(reply, .text("whole"), reply)
        let retrying = HTTPClient(
            baseURL: server.url, transport: CurlTransport(),
            interceptors: [RetryInterceptor(RetryPolicy(backoff: .constant(.zero)))])
        #expect(try await retrying.send(Request<String>.get("x")) == "whole")
        let error = try failure(await retrying.result(of: Request<Data>.post("x")))
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        let shown = HTTPErrorMapper().map(error)
        #expect(shown == .networkError && shown.isRetryable)
        #expect(server.requests.count == 3)
        await server.stop()
    }

    @Test("A call that waits for a free connection ends at its timeout and is never sent")
    func queued() async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence)
        let client = client(server, connections: 1)
        let first = Task { await client.result(of: Request<Data>.get("first")) }
        try await server.waitForRequests(1)
        var second = Request<Data>.get("second")
        second.timeout = .milliseconds(80)
        #expect(try failure(await client.result(of: second)) == .timeout)
        first.cancel()
        #expect(try failure(await first.value) == .cancelled)
        #expect(server.requests.map(\.path) == ["/first"])
        await server.stop()
    }

    @Test("A slow first response does not delay other requests to its origin")
    func headOfLine() async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence, .text("second"))
        let client = client(server)
        let first = Task { await client.result(of: Request<Data>.get("first")) }
        try await server.waitForRequests(1)
        #expect(try await client.send(Request<String>.get("second")) == "second")
        first.cancel()
        _ = await first.value
        await server.stop()
    }

    @Test("With interceptors the total timeout ends the exchange too")
    func withInterceptors() async throws {
        struct Through: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { try await next(request) }
        }
        let server = try await MockServer.start()
        server.enqueue(.silence)
        let client = HTTPClient(
            baseURL: server.url, interceptors: [Through()], configuration: HTTPClient.Configuration(totalTimeout: .milliseconds(80)))
        #expect(try failure(await client.result(of: .get("x"))) == .timeout)
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }

    @Test("A file is sent with its length, and again after a redirect that repeats the request")
    func fileAfterRedirect() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("file's bytes".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try await MockServer.start()
        server.enqueue(.status(307, headers: [.location: "/again"]), .status(201))
        try await client(server).send(Request<EmptyResponse>.put("up", body: .file(file, contentType: "text/plain")))
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["file's bytes", "file's bytes"])
        #expect(server.requests.map { $0.headers[.contentLength] } == ["12", "12"])
        await server.stop()
    }

    @Test("A dropped stream closes its connection; a stream read to its end keeps it")
    func streams() async throws {
        let server = try await MockServer.start { _ in .data(Data(count: 3_000_000), contentType: "a/b") }
        let client = client(server)
        for try await _ in try await client.stream(Request<Data>.get("whole")).body {}
        #expect(server.openConnectionCount == 1)
        do {
            let response = try await client.stream(Request<Data>.get("dropped"))
            #expect(response.body.length == 3_000_000)
        }
        try await server.waitForOpenConnections(atMost: 0)
        #expect(server.connectionCount == 1)
        await server.stop()
    }

    @Test("A redirect whose body never ends is followed, by send and by stream")
    func endlessRedirect() async throws {
        let server = try await MockServer.start { request in
            if request.path == "/end" { return .text("there") }
            return .stream(status: .found, headers: ["Location": "/end"]) { HTTPBody { Data(count: 10_000) } }
        }
        #expect(try await client(server).send(Request<String>.get("begin")) == "there")
        // The only connection is free for the next request.
        let streamed = try await client(server, connections: 1).stream(Request<Data>.get("begin"))
        #expect(try await streamed.body.collect() == Data("there".utf8))
    }
}
