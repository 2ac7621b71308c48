import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession
import Testing

@Suite("URLSessionTransport: streamed and multipart request bodies", .timeLimit(.minutes(5)))
struct SentBodiesTests {
    private let text = Data("onetwothree".utf8)

    private func client(_ server: MockServer) -> HTTPClient {
        HTTPClient(baseURL: server.url, transport: URLSessionTransport(), interceptors: [RetryInterceptor(time: ManualTime())])
    }

    private static func chunks() -> AsyncStream<Data> {
        let rest = Locked(["one", "two", "three"][...])
        return AsyncStream { rest.withLock { $0.popFirst() }.map { Data($0.utf8) } }
    }

    private func failure(_ client: HTTPClient, _ body: RequestBody) async throws -> HTTPError {
        guard case .failure(let error) = await client.result(of: Request<Data>.put("up", body: body)) else {
            throw HTTPError.invalidResponse("answered")
        }
        return error
    }

    @Test("Streams and multipart bodies are sent, and sent again for a redirect or a retry", arguments: [nil, 11] as [Int64?])
    func replay(length: Int64?) async throws {
        for reply in [MockReply.status(307, headers: [.location: "/again"]), .status(503)] {
            let server = try await MockServer.start()
            server.enqueue(reply, .status(201), reply, .status(201))
            try await client(server).send(Request<EmptyResponse>.put("up", body: .stream(length: length) { Self.chunks() }))
            let parts = RequestBody.multipart([.text("a", "b"), .stream("c", length: length, filename: "d") { Self.chunks() }])
            try await client(server).send(Request<EmptyResponse>.put("up", body: parts))
            #expect(server.requests.prefix(2).map(\.body) == [text, text])
            let bodies = server.requests.suffix(2).map(\.body)
            #expect(bodies.first == bodies.last && bodies.first?.firstRange(of: text) != nil)
            #expect(server.requests.last?.headers[.contentType] == parts.contentType)
            await server.stop()
        }
    }

    @Test("A single-use stream is not sent again")
    func once() async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(307, headers: [.location: "/again"]))
        let body = RequestBody.multipart([.text("a", "b"), .stream("c", Self.chunks())])
        for _ in 0..<2 {
            guard case .bodyNotReplayable = try await failure(client(server), body) else { throw HTTPError.noData("sent again") }
        }
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test("A stream's error or wrong length keeps its type, and the server never gets a complete body")
    func breaking() async throws {
        struct Broken: Error {}
        let server = try await MockServer.start { _ in .status(200) }
        let broken = RequestBody.multipart([.text("a", "b"), .stream("c") { () -> AsyncStream<Data> in throw Broken() }])
        let error = try await failure(client(server), broken)
        guard case .encodingFailed = error, error.underlying is Broken else { throw error }
        for length in [10, 12] as [Int64] {
            for body in [
                RequestBody.stream(length: length) { Self.chunks() }, .multipart([.stream("a", length: length) { Self.chunks() }]),
            ] {
                guard case .invalidRequest = try await failure(client(server), body) else { throw HTTPError.noData("sent") }
            }
        }
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("The option to wait for permission to send the body has no effect")
    func expectation() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        var request = Request<EmptyResponse>.post("up", body: .text("x"))
        request.options.expectContinue = .seconds(1)
        try await client(server).send(request)
        #expect(server.requests.first?.headers["Expect"] == nil && server.requests.first?.body == Data("x".utf8))
        await server.stop()
    }
}
