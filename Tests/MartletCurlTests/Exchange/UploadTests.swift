import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: request bodies", .timeLimit(.minutes(5)))
struct UploadTests {
    private let transport = CurlTransport()
    private let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    /// A body with the given chunks.
    private static func stream(_ chunks: [Data], length: Int64?) -> HTTPBody {
        let rest = Locked(chunks)
        return HTTPBody(length: length) { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private static func file(_ data: Data) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID())")
        try data.write(to: url)
        return url
    }

    private func failure(_ body: HTTPBody) async -> HTTPError? {
        await transport.failure(of: HTTPRequest(method: .post, url: server.url(), body: body))
    }

    @Test("Bytes in memory are sent with their length, with any method", arguments: ["POST", "PUT", "GET", "DELETE", "REPORT"])
    func memory(method: String) async throws {
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        _ = try await transport.send(
            HTTPRequest(method: HTTPMethod(rawValue: method), url: server.url(), body: HTTPBody(bytes[7...])))
        let received = try #require(server.requests.first)
        #expect(received.line.hasPrefix(method + " "))
        #expect(received.value("Content-Length") == "299993")
        #expect(received.body == bytes[7...])
    }

    @Test("A small body arrives together with the head")
    func oneWrite() async throws {
        let segments = Locked<[Int]>([])
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                segments.withLock { $0.append(connection.receivedSegments) }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        for length in [1, 16 * 1024] {
            _ = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: HTTPBody(Data(repeating: 7, count: length))))
        }
        #expect(segments.withLock { $0 } == [1, 2])
    }

    @Test("Bodies are copied into the versions that can be asked not to send them again, and send others in a write of their own")
    func versions() {
        let copying = [CurlVersion(7, 80, 0), CurlVersion(7, 88, 1), CurlVersion(8, 5, 0), CurlVersion(8, 6, 0)]
        let others = [CurlVersion(7, 68, 0), CurlVersion(7, 79, 1), CurlVersion(8, 7, 0), CurlVersion(8, 14, 0)]
        for version in copying { #expect(version.copiesBodies, "\(version)") }
        for version in others { #expect(!version.copiesBodies, "\(version)") }
    }

    @Test("No field is added for a body", arguments: [0, 1, 16 * 1024, 16 * 1024 + 1, 2_000_000])
    func addedFields(length: Int) async throws {
        let body = HTTPBody(Data(repeating: 7, count: length))
        for fields: HTTPFields in [[:], ["Content-Type": "text/a"], ["content-type": ""]] {
            _ = try await transport.send(HTTPRequest(method: .patch, url: server.url(), headers: fields, body: body))
            let received = try #require(server.requests.last)
            #expect(received.body.count == length)
            #expect(received.line.hasPrefix("PATCH "))
            #expect(received.values("Content-Length") == ["\(length)"])
            #expect(received.values("Content-Type") == (fields.isEmpty ? [] : [fields[.contentType] ?? "?"]))
            #expect(received.values("Expect") == [])
        }
    }

    @Test("The transport writes Content-Length and Transfer-Encoding, whatever the request's fields contain")
    func framing() async throws {
        let fields: HTTPFields = ["Content-Length": "1", "Transfer-Encoding": "chunked"]
        _ = try await transport.send(HTTPRequest(method: .post, url: server.url(), headers: fields, body: HTTPBody("four")))
        let received = try #require(server.requests.first)
        #expect(received.values("Content-Length") == ["4"])
        #expect(received.values("Transfer-Encoding") == [])
    }

    @Test("A file is sent with its length")
    func file() async throws {
        let bytes = Data(repeating: 7, count: 500_001)
        let url = try Self.file(bytes)
        defer { try? FileManager.default.removeItem(at: url) }
        _ = try await transport.send(HTTPRequest(method: .put, url: server.url(), body: HTTPBody(file: url)))
        #expect(server.requests.first?.value("Content-Length") == "500001")
        #expect(server.requests.first?.body == bytes)
    }

    @Test("A stream of known length is sent with it")
    func knownLength() async throws {
        _ = try await transport.send(
            HTTPRequest(method: .post, url: server.url(), body: Self.stream([Data("one".utf8), Data("two".utf8)], length: 6)))
        #expect(server.requests.first?.value("Content-Length") == "6")
        #expect(server.requests.first?.body == Data("onetwo".utf8))
    }

    @Test("A stream of unknown length is sent in chunks (RFC 9112 §7.1)")
    func unknownLength() async throws {
        let chunks = (0..<50).map { Data(repeating: UInt8($0), count: $0 * 1000) }
        _ = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: Self.stream(chunks, length: nil)))
        #expect(server.requests.first?.value("Transfer-Encoding") == "chunked")
        #expect(server.requests.first?.value("Content-Length") == nil)
        #expect(server.requests.first?.body == Data(chunks.joined()))
    }

    @Test("A transfer waits for a stream that pauses between its chunks")
    func slowStream() async throws {
        let gate = Gate()
        let server = RawServer { connection in
            guard connection.readHead() != nil, connection.read(3) != nil else { return }
            gate.open()
            guard connection.read(3) != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let step = Locked(0)
        let body = HTTPBody(length: 6) {
            let number = step.withLock { step in
                step += 1
                return step
            }
            // The second chunk is created only when the server has the first.
            if number == 2 { await gate.opened() }
            return number < 3 ? Data("abc".utf8) : nil
        }
        let response = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: body))
        #expect(response.status == .ok)
    }

    @Test("A stream whose length differs from its declared length fails before the request is complete", arguments: [3, 5, 7, 100])
    func wrongLength(promised: Int64) async throws {
        let error = await failure(Self.stream([Data("two".utf8), Data("two".utf8)], length: promised))
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test("An error of the stream ends the request with that error")
    func failingStream() async throws {
        let body = HTTPBody(length: nil) { () async throws -> Data? in throw HTTPError.encodingFailed("no more") }
        #expect(await failure(body) == .encodingFailed("no more"))
        #expect(server.requests.isEmpty)
    }

    @Test("A stream cannot be sent twice")
    func streamTwice() async throws {
        let body = Self.stream([Data("x".utf8)], length: nil)
        #expect(await failure(body) == nil)
        guard case .bodyNotReplayable = await failure(body) else {
            Issue.record("sent a stream twice")
            return
        }
    }

    @Test("A response that arrives before the body was read is returned")
    func earlyAnswer() async throws {
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            connection.waitForClose()
        }
        let never = HTTPBody(length: nil) { () async throws -> Data? in
            // This clock never advances: only a cancellation ends the sleep.
            try await ManualTime(autoAdvances: false).sleep(for: .seconds(1))
            return nil
        }
        let response = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: never))
        #expect(response.status == .contentTooLarge)
    }
}
