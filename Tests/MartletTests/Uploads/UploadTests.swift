import Foundation
import Martlet
import MartletCore
import MartletTesting
import Testing

/// Uploads that tell how far they have come, over real sockets.
@Suite struct UploadTests {
    @Test("The progress of an upload ends with all of its bytes, whatever the body is made of")
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
            #expect(progress.first?.bytes == 0 && progress.first?.total == 300_000 && progress.last?.bytes == 300_000)
            #expect(progress.count > 2)
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

    @Test("An upload that is redirected begins at zero anew; as a sequence it ends with the answer")
    func redirected() async throws {
        let server = try await MockServer.start { request in
            request.path == "/x" ? .status(307, headers: [.location: "/y"]) : .json("\(request.body.count)")
        }
        var zeros = 0, answers: [Int] = []
        let request = Request<Int>.put("x", body: .data(Data(count: 100_000)))
        for try await event in HTTPClient(baseURL: server.url).uploadEvents(request, progressInterval: .zero) {
            switch event {
            case .progress(let progress): zeros += progress.bytes == 0 ? 1 : 0
            case .finished(let answer): answers.append(answer)
            }
        }
        #expect(answers == [100_000] && zeros >= 1)
        #expect(server.requests.map(\.path) == ["/x", "/y"])
        await server.stop()
    }

    @Test("A file that vanishes is a typed error, before anything is sent")
    func vanished() async throws {
        let server = try await MockServer.start()
        let folder = try Folder()
        let request = Request<Data>.post("x", body: .file(folder.file("none")))
        await #expect(throws: HTTPError.self) { try await HTTPClient(baseURL: server.url).upload(request) { _ in } }
        #expect(server.requests.isEmpty)
        await server.stop()
    }
}
