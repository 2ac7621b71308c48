import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

@testable import MartletMockServer

/// Tests the addresses of servers, and ports without a server.
@Suite(.timeLimit(.minutes(5))) struct ServerAddressTests {
    @Test("A server on ::1 is reached by its URL, which has brackets (RFC 3986 §3.2.2)")
    func ipv6() async throws {
        var options = MockServer.Options()
        options.usesIPv6 = true
        let server = try await MockServer.start(options: options) { _ in .text("six") }
        #expect(server.url.absoluteString == "http://[::1]:\(server.port)/")
        #expect(try await HTTPClient(baseURL: server.url).send(Request<String>.get("x")) == "six")
        #expect(server.requests.first?.headers[.host] == "[::1]:\(server.port)")
        await server.stop()
    }

    @Test("A port with a full backlog neither accepts nor refuses connections")
    func backlog() async throws {
        let nobody = try FullBacklog()
        defer { withExtendedLifetime(nobody) {} }
        let socket = try StreamSocket(connectingTo: .loopback(port: nobody.port))
        defer { socket.shut() }
        var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        // A real wait, because no event shows that a connection is neither accepted nor refused.
        #expect(poll(&polled, 1, 50) == 0)
    }

    @Test("A refusing port refuses connections as long as it is held, and no other process gets it")
    func refusing() async throws {
        let nobody = try RefusingPort()
        defer { withExtendedLifetime(nobody) {} }
        let result = await HTTPClient(baseURL: URL(string: "http://127.0.0.1:\(nobody.port)/")).result(of: Request<Data>.get("x"))
        #expect(result == .failure(.networkError(NetworkFailure(.connectionRefused))))
    }
}
