import CMartletCurl
import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

@Suite("KeptConnections", .timeLimit(.minutes(5)))
struct KeptConnectionsTests {
    private func ends(_ remote: String = "10.0.0.1", _ remotePort: Int32 = 443, _ local: String = "10.0.0.2", _ localPort: Int32 = 5000)
        -> ConnectionEnds?
    { ConnectionEnds(remote: remote, remotePort: remotePort, local: local, localPort: localPort) }

    @Test("The ends of a connection are equal only if both addresses and both ports are")
    func equality() {
        #expect(ends() == ends())
        let others = [ends("10.0.0.11"), ends("10.0.0.1", 80), ends("10.0.0.1", 443, "10.0.0.21"), ends("10.0.0.1", 443, "10.0.0.2", 5001)]
        for other in others { #expect(other != ends()) }
        #expect(ends("::1", 1, "::11", 1) != ends("::11", 1, "::1", 1))
        #expect(ends("a", 1, "bc", 1) != ends("ab", 1, "c", 1))
    }

    @Test("A Unix domain socket has no ends that tell it apart")
    func unixSocket() {
        #expect(ends("/run/docker.sock", 0, "", 0) == nil)
    }

    @Test("The socket of a connection is the one that was recorded last, and connections that were used longest ago are forgotten")
    func sockets() throws {
        let all = try (1...6 as ClosedRange<Int32>).map { try #require(ends("10.0.0.1", 443, "10.0.0.2", $0)) }
        var kept = KeptConnections(limit: 4)
        kept.keep(7, between: all[0])
        kept.keep(8, between: all[0])
        let first = kept.socket(between: all[0])
        #expect(first == 8)
        for (socket, ends) in zip((11 as Int32)..., all[1...3]) { kept.keep(socket, between: ends) }
        _ = kept.socket(between: all[0])
        kept.keep(14, between: all[4])
        let sockets = all.map { kept.socket(between: $0) }
        #expect(sockets == [8, nil, 12, 13, 14, nil])
    }

    @Test("The socket of an earlier connection with the same ends is not that of a new one")
    func newConnection() throws {
        let both = try #require(ends())
        var kept = KeptConnections()
        kept.keep(7, between: both)
        kept.forget(between: both)
        let socket = kept.socket(between: both)
        #expect(socket == nil)
    }

    @Test("The local port tells the socket of a connection apart, and an unknown socket allows no request")
    func localPort() {
        let server = RawServer { $0.waitForClose() }
        let sockets = (0..<2).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        var address = RawServer.loopback(port: server.port)
        for socket in sockets {
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
            #expect(code == 0)
        }
        let ports = sockets.map { ccurl_local_port($0) }
        #expect(ports.allSatisfy { $0 > 0 } && Set(ports).count == 2)
        for socket in sockets { close(socket) }
        #expect(ccurl_local_port(-1) == -1)
        #expect(!IdleInput(peekingAt: -1).allowsRequest)
    }
}
