import Foundation
import MartletTesting
import MartletURLSession
import Testing

@testable import MartletConformance

@Suite("URLSessionTransport: requests without a response", .timeLimit(.minutes(5)))
struct FailureTests {
    private let transport = URLSessionTransport()

    private func failure(_ text: String) async throws -> HTTPError? {
        await transport.failure(of: HTTPRequest(url: try #require(URL(string: text))))
    }

    @Test("A port without a listener refuses the connection")
    func refused() async throws {
        let nobody = try RefusingPort()
        let error = try await failure("http://127.0.0.1:\(nobody.port)/")
        #expect(error == .networkError(NetworkFailure(.connectionRefused)))
        #expect(error?.stage == .connect)
    }

    @Test("A server that closes without a response is a lost connection", arguments: [MockReply.disconnect, .reset])
    func closes(reply: MockReply) async throws {
        let server = try await MockServer.start { _ in reply }
        let error = await transport.failure(of: server.request())
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(error?.stage == .exchange)
    }

    @Test("A server that closes while the request is sent is a lost connection")
    func breaksUpload() async throws {
        let server = try await MockServer.start()
        server.enqueue(MockReply.reset.beforeBody())
        let error = await transport.failure(of: server.request(method: .post, body: HTTPBody(Data(count: 8_000_000))))
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
    }

    @Test("TLS with a server that does not speak TLS is an error")
    func noTLS() async throws {
        let server = try await MockServer.start()
        let error = try await failure("https://127.0.0.1:\(server.port)/")
        guard case .invalidSSLCertificate = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A deadline below a second ends a buffered exchange with a timeout")
    func deadline() async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence)
        var request = server.request()
        request.context.deadline = .now + .milliseconds(50)
        let error = await transport.failure(of: request)
        #expect(error == .timeout)
        #expect(error?.stage == .exchange)
        try await server.waitForOpenConnections()
    }

    @Test("A name that the system resolves to this machine is refused before anything is sent, and an allowed one is reached")
    func refusedAddress() async throws {
        let server = try await MockServer.start { _ in .text("inside") }
        var request = HTTPRequest(url: try #require(URL(string: server.url.absoluteString.replacing("127.0.0.1", with: "localhost"))))
        request.context.addressPolicy = .publicOnly
        let error = await transport.failure(of: request)
        let isRefused = if case .addressRefused = error { true } else { false }
        #expect(isRefused && error?.stage == .connect && server.connectionCount == 0)
        request.context.addressPolicy = try AddressPolicy(allowing: ["127.0.0.0/8", "::1"])
        #expect(try await transport.send(request).status == .ok)
        await server.stop()
    }

    #if os(Linux)
    @Test("Settings that FoundationNetworking does not support are errors, and nothing is sent")
    func settings() async throws {
        let server = try await MockServer.start { _ in .status(200) }
        let proxy = ProxySettings.explicit(try Proxy(url: server.url))
        let keys = try PinnedKeys(sha256: [Data(count: 32).base64EncodedString()])
        let changes: [(inout TransportConfiguration) -> Void] = [
            { $0.tls.minimumVersion = .tls13 }, { $0.tls.trust = .file("/nothing") }, { $0.tls.pinnedKeys = [keys] }, { $0.proxy = proxy },
            { $0.proxy = .none }, { $0.resolve = ["a.example": ["127.0.0.1"]] }, { $0.unixSocket = "/nothing" }, { $0.allowsHTTP2 = false },
        ]
        for change in changes {
            var configuration = TransportConfiguration()
            change(&configuration)
            let transport = URLSessionTransport(configuration)
            let error = await transport.failure(of: server.request())
            guard case .engineUnavailable = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(server.connectionCount == 0)
    }
    #endif
}
