import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

/// Uploads with progress over real sockets.
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    @Test("The progress of an upload ends with all its bytes, for every kind of body")
    func progress() async throws {
        let server = try await MockServer.start { request in .json("{\"count\":\(request.body.count)}") }
        let folder = try Folder(), data = Data(count: 300_000)
        try data.write(to: folder.file("movie"))
        let client = HTTPClient(baseURL: server.url)
        let bodies: [RequestBody] = [
            .data(data), .file(folder.file("movie")), .stream(HTTPBody(length: 300_000) { () throws(HTTPError) in DataPieces(data) }),
        ]
        for body in bodies {
            let seen = Locked<[TransferProgress]>([])
            let answer = try await client.upload(Request<[String: Int]>.post("x", body: body), progressInterval: .zero) { progress in
                seen.withLock { $0.append(progress) }
            }
            #expect(answer == ["count": 300_000])
            let progress = seen.withLock { $0 }
            // Progress that is not read in time is merged, so only the last report is certain.
            #expect(progress.last?.bytes == 300_000 && progress.allSatisfy { $0.total == 300_000 })
            #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted())
        }
        await server.stop()
    }

    final class DataPieces: HTTPBodyReader {
        private let rest: Locked<Data>
        init(_ data: Data) { rest = Locked(data) }
        func next() async throws(HTTPError) -> Data? {
            rest.withLock { rest in
                defer { rest = rest.dropFirst(10_000) }
                return rest.isEmpty ? nil : rest.prefix(10_000)
            }
        }
        func cancel(_ reason: HTTPError) {}
    }

    @Test("A redirected upload restarts its progress at zero")
    func redirected() async throws {
        let server = try await MockServer.start { request in
            request.path == "/x" ? .status(307, headers: [.location: "/y"]) : .json("\(request.body.count)")
        }
        let request = Request<Int>.put("x", body: .data(Data(count: 100_000))), zeros = Locked(0)
        let answer = try await HTTPClient(baseURL: server.url).upload(request, progressInterval: .zero) { progress in
            if progress.bytes == 0 { zeros.withLock { $0 += 1 } }
        }
        #expect(answer == 100_000 && zeros.withLock { $0 } == 2)
        #expect(server.requests.map(\.path) == ["/x", "/y"])
        await server.stop()
    }

    @Test("A file that vanishes is a typed error before anything is sent")
    func vanished() async throws {
        let server = try await MockServer.start()
        let folder = try Folder()
        let request = Request<Data>.post("x", body: .file(folder.file("none")))
        await #expect(throws: HTTPError.self) { try await HTTPClient(baseURL: server.url).upload(request) { _ in } }
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("The sequence of an upload ends with its response; each iteration is a separate upload that begins when it is read")
    func sequence() async throws {
        let server = try await MockServer.start { request in .json("\(request.body.count)") }
        let updates = HTTPClient(baseURL: server.url).uploadUpdates(Request<Int>.put("x", body: .data(Data(count: 100_000))))
        var unused = updates.makeAsyncIterator()
        #expect(server.requests.isEmpty)
        for _ in 0..<2 {
            var answers: [Int] = []
            for try await update in updates { if case .finished(let answer) = update { answers.append(answer) } }
            #expect(answers == [100_000])
        }
        #expect(server.requests.count == 2)
        while try await unused.next() != nil {}
        #expect(try await unused.next() == nil && server.requests.count == 3)
        await server.stop()
    }

    @Test("Bytes that an interceptor peeked at are sent, and a streamed body that was sent can't be sent again")
    func peeked() async throws {
        let server = try await MockServer.start { request in .json("\(request.body.count)") }
        let client = HTTPClient(baseURL: server.url, interceptors: [Peeking()])
        let once = HTTPBody(reader: DataPieces(Data(count: 30_000)))
        #expect(try await client.upload(Request<Int>.post("x", body: .stream(once))) == 30_000)
        await #expect(throws: HTTPError.self) { try await client.upload(Request<Int>.post("x", body: .stream(once))) }
        await server.stop()
    }

    struct Peeking: Interceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            _ = try await request.body?.peek(upTo: 10)
            return try await next(request)
        }
    }
}
