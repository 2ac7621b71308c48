import Foundation
import Testing

@testable import MartletSystem

@Suite("StreamSocket", .timeLimit(.minutes(5)))
struct StreamSocketTests {
    private func address(port: Int? = nil) throws -> SocketAddress {
        try #require(SocketAddress.of(host: "127.0.0.1", port: port, isNumeric: true).first)
    }

    private func outcome(of socket: StreamSocket) -> Int32 {
        var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&polled, 1, 30_000)
        return socket.connectionFailure()
    }

    @Test("A bound socket has a port, which refuses connections until it listens")
    func binding() throws {
        let server = try StreamSocket(boundTo: address())
        defer { server.shut() }
        #expect(server.port > 0)
        let refused = try StreamSocket(connectingTo: address(port: server.port))
        defer { refused.shut() }
        #expect(outcome(of: refused) == ECONNREFUSED)
        #expect(listen(server.descriptor, 1) == 0)
        let client = try StreamSocket(connectingTo: address(port: server.port))
        defer { client.shut() }
        #expect(outcome(of: client) == 0)
    }

    @Test("An overlong path, an invalid port and a name that is not an IP address have no address")
    func noAddress() {
        #expect(SocketAddress(path: String(repeating: "a", count: 200)) == nil)
        #expect(SocketAddress.of(host: "127.0.0.1", port: 0).isEmpty)
        #expect(SocketAddress.of(host: "127.0.0.1", port: 65_536).isEmpty)
        #expect(SocketAddress.of(host: "localhost", isNumeric: true).isEmpty)
        #expect(SocketAddress.of(host: "::1", isNumeric: true).map(\.numericHost) == ["::1"])
    }
}

@Suite("NonBlockingDescriptor", .timeLimit(.minutes(5)))
struct NonBlockingDescriptorTests {
    private func isPrepared(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0 && fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0
    }

    @Test("Sockets and socket pairs are close-on-exec and non-blocking")
    func prepared() throws {
        let (first, second) = try #require(NonBlockingDescriptor.pair())
        let made = [
            NonBlockingDescriptor.streamSocket(family: AF_INET), NonBlockingDescriptor.streamSocket(family: AF_UNIX), first, second,
        ]
        #expect(made.allSatisfy { $0 >= 0 && isPrepared($0) })
        for descriptor in made { close(descriptor) }
    }
}
