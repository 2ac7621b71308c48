import Foundation
import MartletClient
import TestSupport
import Testing

@Suite("Request bodies from streams and parts", .timeLimit(.minutes(5)))
struct RequestBodyStreamTests {
    private func request(_ body: RequestBody) throws -> HTTPRequest {
        try Request<Data>.post("up", body: body).httpRequest(baseURL: URL(string: "https://a.example"))
    }

    private static func chunks() -> AsyncStream<[UInt8]> { AsyncStream(chunks: [[1, 2], [3]]) }

    @Test("Each form of a stream knows its length, its type and whether it is replayable")
    func kinds() async throws {
        let kinds: [(RequestBody, Int64?, Bool)] = [
            (.stream(Self.chunks()), nil, false), (.stream(Self.chunks(), length: 3, replayable: true, contentType: "a/b"), 3, true),
            (.stream(length: 3) { Self.chunks() }, 3, true), (.stream(replayable: false) { Self.chunks() }, nil, false),
            (.stream(AsyncStream(chunks: [1, 2, 3] as [UInt8])), nil, false),
            (.stream { AsyncStream(chunks: [1, 2, 3] as [UInt8]) }, nil, true),
            (.stream(HTTPBody(Data([1, 2, 3])), contentType: "a/b"), 3, true),
            (.multipart([]), nil, true), (.multipart([.stream("a", Self.chunks())]), nil, false), (.data(Data([1, 2, 3])), 3, true),
        ]
        for (body, length, isReplayable) in kinds.dropLast(3) + kinds.suffix(1) {
            #expect(body.length == length)
            #expect(body.isReplayable == isReplayable)
            let sent = try #require(try request(body).body)
            #expect(sent.length == length)
            #expect(sent.isReplayable == isReplayable)
            #expect(try await sent.collect() == Data([1, 2, 3]))
        }
        for (body, _, isReplayable) in kinds.suffix(3).prefix(2) {
            #expect(body.isReplayable == isReplayable)
            #expect(try request(body).body?.length == body.length)
        }
    }

    @Test("The content type is the body's, unless the request has its own")
    func types() throws {
        #expect(try request(.stream(Self.chunks())).headers[.contentType] == "application/octet-stream")
        #expect(try request(.stream(Self.chunks(), contentType: "a/b")).headers[.contentType] == "a/b")
        let parts = Multipart([.text("a", "b")], subtype: "mixed", boundary: "xyz")
        #expect(try request(.multipart(parts)).headers[.contentType] == "multipart/mixed; boundary=xyz")
    }

    @Test("A body that can be read once is sent once, even if two requests are made from it")
    func twice() async throws {
        let body = RequestBody.stream(Self.chunks())
        let first = try request(body), second = try request(body)
        _ = try await first.body?.collect()
        await #expect(throws: HTTPError.self) { try await second.body?.collect() }
    }

    @Test("A part that can't be sent fails the request before anything is sent")
    func badPart() {
        #expect(throws: HTTPError.self) { try request(.multipart([.text("a", "b", headers: ["X": "a\nb"])])) }
        #expect(throws: HTTPError.self) { try request(.multipart([.file("a", URL(fileURLWithPath: "/nowhere/to/be/found"))])) }
    }
}
