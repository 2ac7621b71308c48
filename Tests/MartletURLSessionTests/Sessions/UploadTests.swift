import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession
import Testing

@Suite("URLSessionTransport: request bodies", .timeLimit(.minutes(5)))
struct UploadTests {
    private let transport = URLSessionTransport()
    private let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) })

    private func send(_ body: HTTPBody, method: HTTPMethod = .post, headers: HTTPFields = [:]) async throws -> RecordedRequest {
        let server = try await MockServer.start { _ in .status(200) }
        _ = try await transport.send(server.request(method: method, headers: headers, body: body))
        return try #require(server.requests.first)
    }

    private func chunks(_ chunks: [Data], length: Int64? = nil) -> HTTPBody {
        let left = Locked(chunks[...])
        return HTTPBody(length: length) { left.withLock { $0.popFirst() } }
    }

    private func file(_ content: Data) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-test-\(UUID())")
        try content.write(to: url)
        return url
    }

    @Test("Bytes are sent completely with their length, and without a content type unless the request has one", arguments: [1, 300_000])
    func data(count: Int) async throws {
        let received = try await send(HTTPBody(bytes.prefix(count)))
        #expect(received.body == bytes.prefix(count))
        #expect(received.headers[.contentLength] == String(count))
        #expect(received.headers[.contentType] == nil)
        #expect(received.headers["Expect"] == nil)
    }

    @Test("A body is sent with any method that may have one", arguments: [HTTPMethod.put, .patch, .delete, "PURGE", .options])
    func methods(method: HTTPMethod) async throws {
        let received = try await send(HTTPBody("content"), method: method, headers: ["Content-Type": "a/b"])
        #expect(received.method == method)
        #expect(received.body == Data("content".utf8))
        #expect(received.headers.values(for: .contentType) == ["a/b"])
    }

    @Test("A file is sent with the length that it had when the body was created, even if it has grown", arguments: [0, 5])
    func file(growth: Int) async throws {
        let url = try file(bytes)
        defer { try? FileManager.default.removeItem(at: url) }
        let body = try HTTPBody(file: url)
        try (bytes + Data(count: growth)).write(to: url)
        let received = try await send(body)
        #expect(received.body == bytes)
        #expect(received.headers[.contentLength] == "300000")
    }

    @Test("A stream is sent completely, whether or not its length is known", arguments: [true, false])
    func stream(hasLength: Bool) async throws {
        let pieces = [bytes.prefix(1), bytes[1..<200_000], bytes[200_000...]].map { Data($0) }
        let received = try await send(chunks(pieces, length: hasLength ? 300_000 : nil))
        #expect(received.body == bytes)
        #expect(received.headers.contains(.contentLength) != received.headers.contains(.transferEncoding))
    }

    @Test("A stream without bytes is an empty body")
    func emptyStream() async throws {
        let received = try await send(chunks([]))
        #expect(received.body.isEmpty)
    }

    @Test("A stream whose length differs from its declared length is an invalid request", arguments: [4, 6])
    func wrongLength(promised: Int) async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let body = chunks([Data("he".utf8), Data("llo".utf8)], length: Int64(promised))
        let error = await transport.failure(of: server.request(method: .post, body: body))
        let words = promised == 4 ? "more than the 4 bytes" : "5 bytes and not the 6"
        #expect(error == .invalidRequest(Explanation("the streamed body has \(words) that it declared")))
        #expect(server.requests.isEmpty)
    }

    @Test("A stream that fails ends the exchange with its error")
    func failingStream() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let body = HTTPBody { () async throws -> Data? in throw HTTPError.authenticationFailed("no more") }
        #expect(await transport.failure(of: server.request(method: .post, body: body)) == .authenticationFailed("no more"))
        #expect(server.requests.isEmpty)
    }

    #if os(Linux)
    @Test("A stream that is too long for its temporary file is an invalid request, and the file is deleted")
    func spoolLimit() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let transport = URLSessionTransport(maxSpooledBytes: 4)
        let error = await transport.failure(of: server.request(method: .post, body: chunks([Data("hello".utf8)])))
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.connectionCount == 0)
    }
    #endif
}
