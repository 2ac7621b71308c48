import Foundation
import Martlet
import MartletCurl
import MartletSystem
import MartletTesting
import TestSupport
import Testing

/// Tests streamed and multipart bodies through a client and libcurl.
@Suite(.timeLimit(.minutes(5))) struct SentBodiesOverCurlTests {
    private let text = Data("onetwothree".utf8)

    private func client(_ server: MockServer, _ interceptors: [any Interceptor] = []) -> HTTPClient {
        HTTPClient(baseURL: server.url, transport: CurlTransport(), interceptors: interceptors)
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

    @Test("A stream is sent with its length or in chunks, with its type, and is sent again for a redirect or a retry if it can be replayed")
    func replay() async throws {
        for reply in [MockReply.status(307, headers: [.location: "/again"]), .status(503)] {
            for length in [nil, 11] as [Int64?] {
                let server = try await MockServer.start()
                server.enqueue(reply, .status(201))
                let client = client(server, [RetryInterceptor(time: ManualTime())])
                let body = RequestBody.stream(length: length, contentType: "a/b") { Self.chunks() }
                #expect(body.isReplayable && body.length == length)
                try await client.send(Request<EmptyResponse>.put("up", body: body))
                #expect(server.requests.map(\.body) == [text, text])
                #expect(server.requests.map { $0.headers[.contentType] } == ["a/b", "a/b"])
                #expect(server.requests.map { $0.headers[.contentLength] } == [length.map(String.init), length.map(String.init)])
                await server.stop()
            }
        }
    }

    @Test("A single-use stream is not sent again: a redirect and a second call fail before anything is sent")
    func once() async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(307, headers: [.location: "/again"]), .status(503))
        let client = client(server, [RetryInterceptor(time: ManualTime())])
        let body = RequestBody.stream(Self.chunks())
        #expect(!body.isReplayable)
        guard case .bodyNotReplayable = try await failure(client, body) else { throw HTTPError.noData("sent again") }
        let parts = RequestBody.multipart([.text("a", "b"), .stream("c", Self.chunks())])
        #expect(!parts.isReplayable)
        guard case .statusCode = try await failure(client, parts) else { throw HTTPError.noData("no answer") }
        for body in [body, parts] {
            guard case .bodyNotReplayable = try await failure(client, body) else { throw HTTPError.noData("sent again") }
        }
        #expect(server.requests.map(\.path) == ["/up", "/up"])
        await server.stop()
    }

    @Test("An error in the middle of a body closes the connection, keeps its type, and never reaches the server as a complete body")
    func breaking() async throws {
        struct Broken: Error {}
        let server = try await MockServer.start { _ in .status(200) }
        let client = client(server)
        for length in [nil, 11] as [Int64?] {
            let (sequence, input) = AsyncThrowingStream<Data, any Error>.makeStream()
            input.yield(Data("one".utf8))
            input.finish(throwing: Broken())
            for body in [
                RequestBody.stream(sequence, length: length),
                .multipart([.stream("a", length: length) { () -> AsyncStream<Data> in throw Broken() }]),
            ] {
                let error = try await failure(client, body)
                guard case .encodingFailed = error, error.underlying is Broken else { throw error }
            }
        }
        for length in [10, 12] as [Int64] {
            for body in [
                RequestBody.stream(length: length) { Self.chunks() }, .multipart([.stream("a", length: length) { Self.chunks() }]),
            ] {
                guard case .invalidRequest = try await failure(client, body) else { throw HTTPError.noData("sent") }
            }
        }
        try await server.waitForOpenConnections(atMost: 0)
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("A server that reads slowly delays the body's sequence, and cancelling the call releases the sequence")
    func backpressure() async throws {
        let taken = Locked(0), furthest = Locked(0)
        let (read, hasRead) = AsyncStream<Void>.makeStream(), (ended, end) = AsyncStream<Void>.makeStream()
        let server = RawServer { connection in
            defer { hasRead.finish() }
            guard connection.readHead() != nil else { return }
            for step in 1...64 {
                guard connection.read(1 << 20) != nil else { return }
                let ahead = taken.withLock { $0 } << 16 - step << 20
                furthest.withLock { $0 = max($0, ahead) }
            }
            hasRead.finish()
            connection.waitForClose()
        }
        // On a busy machine, 64 MiB can take longer than the default timeout.
        let client = HTTPClient(baseURL: server.url(), transport: CurlTransport(), configuration: .init(totalTimeout: nil))
        let call = Task {
            let body = RequestBody.stream {
                let lifetime = Lifetime { end.finish() }
                return AsyncStream<Data> {
                    lifetime.extended { taken.withLock { $0 += 1 } }
                    return Data(count: 1 << 16)
                }
            }
            return await client.result(of: Request<Data>.put("up", body: body))
        }
        for await _ in read {}
        // Only what the buffers of the two sockets hold.
        #expect(furthest.withLock { $0 } < 16 << 20)
        call.cancel()
        guard case .failure(.cancelled) = await call.value else { throw HTTPError.noData("not cancelled") }
        for await _ in ended {}
    }

    @Test("Parts of every kind arrive unchanged, with Content-Length if every part knows its length")
    func parts() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
        let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) })
        try large.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try await MockServer.start { _ in .status(200) }
        for length in [nil, 11] as [Int64?] {
            let body = RequestBody.multipart([
                .text("title", "Swift"), .file("file", file), .data("raw", Data([0, 13, 10]), filename: "r"),
                .stream("s", length: length) { Self.chunks() },
            ])
            try await client(server).send(Request<EmptyResponse>.post("up", body: body))
            let received = try #require(server.requests.last)
            #expect(received.headers.contains(.contentLength) == (length != nil))
            let type = received.headers[.contentType]
            let answer = HTTPResponse(status: 200, headers: ["Content-Type": type ?? ""], body: received.body)
            var found: [String: Data] = [:]
            for try await part in answer.parts() { found[part.name ?? ""] = try await part.body.collect() }
            #expect(found == ["title": Data("Swift".utf8), "file": large, "raw": Data([0, 13, 10]), "s": text])
        }
        await server.stop()
    }

    @Test("A file that disappears or shrinks after the request was created causes a typed error, and the server gets no complete body")
    func brokenFile() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try await MockServer.start { _ in .status(200) }
        for vanishes in [true, false] {
            try Data(count: 300_000).write(to: file)
            let first = HTTPBody {
                AsyncStream<Data> {
                    if vanishes { try? FileManager.default.removeItem(at: file) } else { try? Data(count: 100).write(to: file) }
                    return nil
                }
            }
            let error = try await failure(client(server), .multipart([.body("first", first), .file("file", file)]))
            guard case .invalidRequest = error else { throw error }
        }
        guard case .invalidRequest = try await failure(client(server), .multipart([.file("f", file.appendingPathExtension("x"))])) else {
            throw HTTPError.noData("sent")
        }
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("Parts of a response are read as they arrive, and leaving the loop closes the connection")
    func receiving() async throws {
        let (parts, send) = AsyncStream<Data>.makeStream()
        let server = try await MockServer.start { _ in
            .stream(headers: ["Content-Type": "multipart/mixed; boundary=graphql"]) { HTTPBody(parts) }
        }
        send.yield(Data("--graphql\r\ncontent-type: application/json\r\n\r\n{\"n\":0}\r\n--graphql".utf8))
        let response = try await client(server).stream(Request<Data>.get("subscription"))
        var count = 0
        for try await part in response.parts() {
            #expect(try await part.body.collect() == Data("{\"n\":\(count)}".utf8))
            count += 1
            if count == 3 { break }
            send.yield(Data("\r\ncontent-type: application/json\r\n\r\n{\"n\":\(count)}\r\n--graphql".utf8))
        }
        #expect(count == 3)
        _ = consume response
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }
}

/// Calls a closure when the last reference to it is released.
private final class Lifetime: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    func extended(_ body: () -> Void) { body() }
}
