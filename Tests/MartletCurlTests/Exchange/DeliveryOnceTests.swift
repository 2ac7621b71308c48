import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: delivery at most once", .timeLimit(.minutes(5)))
struct DeliveryOnceTests {
    private let transport = CurlTransport()

    /// A transport over the installed libcurl that behaves as over a version that does not ask before each request.
    private func oldTransport() throws -> CurlTransport { try CurlTransport.behaving(as: CurlVersion(7, 79, 0)) }

    /// A server that answers the first request of the first connection, reads the next request completely, and then closes. It answers on
    /// later connections.
    private let server = RawServer { connection in
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        guard connection.readRequest() != nil else { return }
        connection.send(answer)
        guard connection.readRequest() != nil else { return }
        guard connection.number > 1 else { return }
        connection.send(answer)
    }

    private func warmUp(_ transport: CurlTransport? = nil) async throws {
        _ = try await (transport ?? self.transport).send(HTTPRequest(url: server.url("/warm")))
    }

    private var delivered: [RawServer.Received] { server.requests.filter { !$0.line.contains("/warm") } }

    @Test(
        "A POST on a kept-alive connection that breaks is delivered once and fails",
        arguments: zip([0, 4, 16 * 1024, 300_000, 4], [false, false, false, false, true]))
    func post(length: Int, isOld: Bool) async throws {
        let transport = isOld ? try oldTransport() : transport
        try await warmUp(transport)
        let error = await #expect(throws: HTTPError.self) {
            try await transport.send(
                HTTPRequest(method: .post, url: server.url(), body: length == 0 ? nil : HTTPBody(Data(repeating: 7, count: length))))
        }
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(delivered.count == 1)
    }

    @Test("A POST of a file on a kept-alive connection that breaks is delivered once and fails")
    func postFile() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID())")
        try Data("data".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await warmUp()
        await #expect(throws: HTTPError.self) {
            try await transport.send(HTTPRequest(method: .post, url: server.url(), body: HTTPBody(file: url)))
        }
        #expect(delivered.count == 1)
    }

    @Test("A POST with a stream uses a new connection, and over an old libcurl one without a body", arguments: [true, false])
    func freshConnection(isStream: Bool) async throws {
        let transport = isStream ? transport : try oldTransport()
        try await warmUp(transport)
        let sent = Locked(false)
        let stream = HTTPBody {
            sent.withLock { sent in
                defer { sent = true }
                return sent ? nil : Data("x".utf8)
            }
        }
        _ = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: isStream ? stream : nil))
        #expect(delivered.count == 1)
        #expect(server.connectionCount == 2)
    }

    @Test("libcurl may deliver a GET again")
    func get() async throws {
        try await warmUp()
        #expect(try await transport.send(HTTPRequest(url: server.url())).status == .ok)
        #expect(delivered.count == 2)
    }

    @Test(
        "A PUT, or a POST with an Idempotency-Key, is delivered again with its complete body", arguments: [true, false],
        [4, 16_000, 200_000])
    func rewinds(isPut: Bool, length: Int) async throws {
        let bytes = Data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
        try await warmUp()
        let request = HTTPRequest(
            method: isPut ? .put : .post, url: server.url(), headers: isPut ? [:] : ["Idempotency-Key": "1"], body: HTTPBody(bytes))
        #expect(try await transport.send(request).status == .ok)
        #expect(delivered.map(\.body) == [bytes, bytes])
    }

    @Test("A PUT of a file that is delivered again is read from the start of the file")
    func rewindsFile() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID())")
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await warmUp()
        #expect(try await transport.send(HTTPRequest(method: .put, url: server.url(), body: HTTPBody(file: url))).status == .ok)
        #expect(delivered.map(\.body) == [bytes, bytes])
    }
}
