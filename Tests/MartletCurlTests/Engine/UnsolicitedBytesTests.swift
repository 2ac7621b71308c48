import Foundation
import MartletHTTP
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine

/// Bytes that no request asked for must not be the response to the next one (RFC 9112 §9.2).
@Suite("CurlTransport: unsolicited bytes", .timeLimit(.minutes(5)))
struct UnsolicitedBytesTests {
    private static let foreign = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign"

    /// A transport over the installed libcurl that behaves as over another version.
    private func transport(_ version: CurlVersion? = nil, unixSocket: String? = nil, isSecure: Bool = false) throws -> CurlTransport {
        try CurlTransport.behaving(as: version) { configuration in
            configuration.unixSocket = unixSocket
            // Versions before 7.77 take no certificates from memory.
            if isSecure { configuration.tls.trust = .certificates(MockServer.TLS.localhost.certificate) }
        }
    }

    private func text(
        _ transport: CurlTransport, _ url: URL, _ method: HTTPMethod = .get, _ body: HTTPBody? = nil
    ) async throws -> String {
        let response = try await transport.send(HTTPRequest(method: method, url: url, body: body))
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    /// Answers each request with its path. Once the first response was received, sends what no request asked for.
    private func server(then bytes: String, after received: Gate, _ sent: Gate) -> RawServer {
        RawServer { connection in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ")[1]
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
                guard path == "/first" else { continue }
                // libcurl closes a connection if it reads more than the response.
                received.wait()
                connection.send(bytes)
                sent.open()
            }
        }
    }

    @Test(
        "A late response, or other bytes, are not taken for the response to the next request, whatever its method",
        arguments: [foreign, "junk"], [HTTPMethod.get, .put, .post])
    func late(bytes: String, method: HTTPMethod) async throws {
        let received = Gate(), sent = Gate(), transport = try transport()
        let server = server(then: bytes, after: received, sent)
        #expect(try await text(transport, server.url("/first")) == "/first")
        received.open()
        await sent.opened()
        for path in ["/second", "/third"] {
            #expect(try await text(transport, server.url(path), method, method == .get ? nil : HTTPBody("x")) == path)
        }
        #expect(server.requests.map(\.line).count == 3)
        // Only the connection with the bytes was given up.
        #expect(server.connectionCount == 2)
    }

    @Test("A stream that was not read is sent on a new connection")
    func streamedUpload() async throws {
        let received = Gate(), sent = Gate(), transport = try transport()
        let server = server(then: Self.foreign, after: received, sent)
        _ = try await text(transport, server.url("/first"))
        received.open()
        await sent.opened()
        let rest = Locked<Data?>(Data("content".utf8))
        let body = HTTPBody { rest.withLock { $0.take() } }
        #expect(try await text(transport, server.url("/second"), .put, body) == "/second")
        #expect(server.requests.last?.body == Data("content".utf8))
    }

    @Test("Many idle connections with bytes are given up one by one")
    func many() async throws {
        let transport = try transport()
        let arrived = DispatchSemaphore(value: 0), go = DispatchSemaphore(value: 0), received = DispatchSemaphore(value: 0)
        let server = RawServer { connection in
            while let request = connection.readRequest() {
                let isFirst = request.line.hasPrefix("GET /first")
                if isFirst {
                    arrived.signal()
                    go.wait()
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                guard isFirst else { continue }
                received.wait()
                connection.send(Self.foreign)
                arrived.signal()
            }
        }
        let first = (0..<4).map { _ in Task { try await text(transport, server.url("/first")) } }
        await wait(arrived, 4)
        for _ in 0..<4 { go.signal() }
        for call in first { #expect(try await call.value == "ok") }
        for _ in 0..<4 { received.signal() }
        await wait(arrived, 4)
        for _ in 0..<8 { #expect(try await text(transport, server.url("/later")) == "ok") }
        #expect(server.connectionCount > 4)
    }

    private func wait(_ semaphore: DispatchSemaphore, _ count: Int) async {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                for _ in 0..<count { semaphore.wait() }
                done.resume()
            }
        }
    }

    @Test("A request that begins in the round in which the first response on a connection ends does not get what follows that response")
    func sameRound() async throws {
        let go = Gate(), sent = Gate(), transport = try transport()
        let server = RawServer { connection in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ")[1], head = "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n"
                guard path == "/first" else {
                    connection.send("\(head)\(path)")
                    continue
                }
                connection.send(head)
                go.wait()
                connection.send("\(path)\(Self.foreign)")
                sent.open()
            }
        }
        var first = HTTPRequest(url: server.url("/first"))
        first.context.streamsBody = true
        let response = try await transport.send(first)
        let second = try await Task(executorPreference: transport.taskExecutor) {
            // The engine's thread waits, so that the end of the body and the request are in one round.
            go.open()
            sent.wait()
            return try await text(transport, server.url("/second"))
        }.value
        #expect(second == "/second")
        #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "/first")
        #expect(try await text(transport, server.url("/third")) == "/third")
        #expect(server.connectionCount == 2)
    }

    @Test("Connections are kept as long as nothing arrives on them, by every version that can check them")
    func reuse() async throws {
        for version in [nil, CurlVersion(7, 76, 0), CurlVersion(7, 81, 0), CurlVersion(8, 14, 0), CurlVersion(8, 23, 0)] {
            let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), transport = try transport(version)
            for _ in 0..<5 { #expect(try await text(transport, server.url()) == "ok") }
            #expect(server.connectionCount == 1, "\(String(describing: version))")
        }
    }

    @Test("Connections that cannot be checked are closed after their response: of an old libcurl, and over a Unix domain socket")
    func closed() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = RawServer.answering(answer), old = try transport(CurlVersion(7, 68, 0))
        for _ in 0..<3 { #expect(try await text(old, server.url()) == "ok") }
        #expect(server.connectionCount == 3)
        let path = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let local = RawServer(unixSocket: path) { connection in
            while connection.readRequest() != nil { connection.send(answer) }
        }
        let transport = try transport(CurlVersion(7, 88, 1), unixSocket: path)
        for _ in 0..<3 { #expect(try await text(transport, URL(string: "http://any.invalid/")!) == "ok") }
        #expect(local.connectionCount == 3)
    }

    @Test("Unread bytes are closed by libcurl itself in some versions only")
    func versions() {
        let closing = [CurlVersion(7, 73, 0), CurlVersion(7, 87, 0), CurlVersion(8, 0, 0), CurlVersion(8, 5, 0), CurlVersion(8, 21, 0)]
        let others = [CurlVersion(7, 68, 0), CurlVersion(7, 72, 0), CurlVersion(7, 88, 0), CurlVersion(7, 88, 1), CurlVersion(8, 22, 0)]
        for version in closing { #expect(version.closesUnread, "\(version)") }
        for version in others { #expect(!version.closesUnread, "\(version)") }
    }

    // MARK: TLS

    /// A response that is longer than all heads, so that the number of bytes written tells when it was sent.
    private static let long = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "f", count: 2000)

    private func secureServer(_ first: MockReply) async throws -> MockServer {
        var options = MockServer.Options()
        options.tls = .localhost
        return try await MockServer.start(options: options) { $0.path == "/first" ? first : .text($0.path) }
    }

    @Test(
        "Over TLS, neither a late response nor one in the last record of a body is the response to the next request",
        .enabled(if: MockServer.TLS.isAvailable), arguments: [true, false], [HTTPMethod.get, .post])
    func tls(isLate: Bool, method: HTTPMethod) async throws {
        let late = MockReply.text("/first").with(.unsolicited(Self.long, after: .milliseconds(20)))
        let joined = MockReply.stream("/first" + Self.long).with(.contentLength(offBy: -Self.long.utf8.count))
        let server = try await secureServer(isLate ? late : joined.bodyDelayed(by: .milliseconds(20)))
        let transport = try transport(isSecure: true)
        #expect(try await text(transport, server.url.appending(path: "first")) == "/first")
        try await server.waitForBytesWritten(Self.long.utf8.count)
        for path in ["second", "third"] {
            #expect(try await text(transport, server.url.appending(path: path), method, method == .get ? nil : HTTPBody("x")) == "/\(path)")
        }
        #expect(server.requests.map(\.path) == ["/first", "/second", "/third"])
        #expect(server.connectionCount == 2)
        await server.stop()
    }

    @Test(
        "Over TLS, a response in a record of its own that arrives with the last one is not the response to the next request",
        .enabled(if: MockServer.TLS.isAvailable))
    func records() async throws {
        let server = RawServer { connection in
            guard let secure = SecureConnection(connection) else { return }
            while let request = secure.read() {
                let path = String(decoding: request, as: UTF8.self).split(separator: " ")[1]
                let response = Data("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)".utf8)
                if path == "/first" { secure.send(response, Data(Self.foreign.utf8)) } else { secure.send(response) }
            }
        }
        let transport = try transport(isSecure: true)
        for path in ["/first", "/second", "/third"] {
            #expect(try await text(transport, URL(string: "https://127.0.0.1:\(server.port)\(path)")!) == path)
        }
        #expect(server.connectionCount == 2)
    }

    @Test("Over TLS 1.3, whose session tickets arrive unasked, a connection serves all requests", .enabled(if: MockServer.TLS.isAvailable))
    func tickets() async throws {
        let server = try await secureServer(.text("/first")), transport = try transport(isSecure: true)
        for _ in 0..<20 { #expect(try await text(transport, server.url.appending(path: "first")) == "/first") }
        #expect(server.connectionCount == 1)
        await server.stop()
    }
}
