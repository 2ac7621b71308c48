import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: requests without a response", .timeLimit(.minutes(5)))
struct FailureTests {
    private let transport = CurlTransport()

    private func failure(_ url: URL, on other: CurlTransport? = nil) async -> HTTPError? {
        await (other ?? transport).failure(of: HTTPRequest(url: url))
    }

    @Test("A port without a listener refuses the connection")
    func refused() async throws {
        let error = await failure(try #require(URL(string: "http://127.0.0.1:\(RawServer.deadPort())/")))
        #expect(error == .networkError(NetworkFailure(.connectionRefused)))
        #expect(error?.stage == .connect)
        #expect(error?.underlying is CurlFailure)
    }

    @Test("A server that closes without a response is a lost connection", arguments: [true, false])
    func closes(byReset: Bool) async throws {
        let server = RawServer { connection in
            _ = connection.readRequest()
            if byReset { connection.reset() }
        }
        let error = await failure(server.url())
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(error?.stage == .exchange)
    }

    @Test("TLS with a server that does not speak TLS is an error")
    func noTLS() async throws {
        let server = RawServer { connection in
            _ = connection.read(16)
            connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            connection.waitForClose()
        }
        let error = await failure(try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
        guard case .invalidSSLCertificate = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A missing certificates file fails every https request as a configuration error that names it")
    func noCertificates() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file("/nothing/here.pem")
        let server = RawServer { $0.waitForClose() }
        let error = await failure(
            try #require(URL(string: "https://127.0.0.1:\(server.port)/")), on: CurlTransport(configuration))
        guard case .invalidRequest(let what) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what.text.contains("/nothing/here.pem"))
    }

    @Test("A connection that is not established in time is a timeout in the stage connect, exact to the millisecond")
    func connectTimeout() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.connectTimeout = .milliseconds(50)
        // The TLS handshake, which is part of connecting, never completes.
        let server = RawServer { $0.waitForClose() }
        let error = await failure(
            try #require(URL(string: "https://127.0.0.1:\(server.port)/")), on: CurlTransport(configuration))
        #expect(error == .timeout)
        #expect(error?.stage == .connect)
    }

    @Test("Waiting for a free connection does not count against the connect timeout")
    func waitingIsNotConnecting() async throws {
        var configuration = CurlTransport.Configuration()
        // Enough time to connect on a busy machine.
        configuration.connectTimeout = .seconds(1)
        configuration.maxConnectionsPerOrigin = 1
        let transport = CurlTransport(configuration)
        let count = Locked(0)
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                // A real wait, longer than `connectTimeout`: libcurl measures that on the system's clock.
                var nothing = pollfd()
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { poll(&nothing, 0, 1_200) }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let errors = await withTaskGroup(of: HTTPError?.self) { group in
            for _ in 0..<3 { group.addTask { await failure(server.url(), on: transport) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors == [nil, nil, nil])
        #expect(server.connectionCount == 1)
    }
}
