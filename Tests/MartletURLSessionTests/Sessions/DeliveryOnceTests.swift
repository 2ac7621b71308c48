import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession
import Testing

@Suite("URLSessionTransport: delivery at most once", .timeLimit(.minutes(5)))
struct DeliveryOnceTests {
    private let transport = URLSessionTransport()

    /// A server that answers the first request of each connection, reads the next request completely, and then closes.
    private func server() async throws -> MockServer {
        let server = try await MockServer.start { _ in .status(200) }
        server.enqueue(.status(200), .disconnect)
        _ = try await transport.send(server.request("warm"))
        return server
    }

    @Test("A POST on a connection that breaks is delivered once and fails", arguments: [Data("data".utf8), nil])
    func post(content: Data?) async throws {
        let server = try await server()
        let error = await transport.failure(of: server.request(method: .post, body: content.map { HTTPBody($0) }))
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(server.requests.count == 2)
    }

    @Test("A file or a stream on a connection that breaks is delivered once and fails", arguments: [true, false])
    func others(isFile: Bool) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-test-\(UUID())")
        try Data("data".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let sent = Locked(false)
        let stream = HTTPBody {
            sent.withLock { sent in
                defer { sent = true }
                return sent ? nil : Data("data".utf8)
            }
        }
        let server = try await server()
        let body = isFile ? try HTTPBody(file: url) : stream
        let error = await transport.failure(of: server.request(method: .post, body: body))
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(server.requests.map(\.body) == [Data(), Data("data".utf8)])
    }

    #if os(Linux)
    @Test("A request with a body uses a connection that no other request uses before or after it")
    func ownConnections() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        for method in [HTTPMethod.get, .post, .get, .put, .delete, .get] {
            let body = method == .put ? HTTPBody("x") : nil
            _ = try await transport.send(server.request(method: method, body: body))
        }
        #expect(server.requests.map(\.connection) == [1, 2, 1, 3, 1, 1])
        try await server.waitForOpenConnections(atMost: 1)
    }
    #endif
}
