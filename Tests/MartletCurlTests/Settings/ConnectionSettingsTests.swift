import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine

@Suite("CurlTransport: connection settings", .timeLimit(.minutes(5)))
struct ConnectionSettingsTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func transport(_ change: (inout CurlTransport.Configuration) throws -> Void) rethrows -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        try change(&configuration)
        return CurlTransport(configuration)
    }

    private func proxy(_ server: RawServer, _ credentials: String = "") throws -> Proxy {
        try Proxy(url: #require(URL(string: "http://\(credentials)127.0.0.1:\(server.port)")))
    }

    @Test("A host with configured addresses is not looked up, and its name is still sent as Host")
    func resolve() async throws {
        let server = RawServer.answering(Self.empty)
        let transport = transport { $0.resolve = ["martlet.invalid": ["127.0.0.1"]] }
        _ = try await transport.send(HTTPRequest(url: URL(string: "http://martlet.invalid:\(server.port)/a")!))
        #expect(server.requests.first?.value("Host") == "martlet.invalid:\(server.port)")
        // A request to another host is looked up as usual.
        let other = URL(string: "http://other.invalid:\(server.port)/")!
        #expect(await transport.failure(of: HTTPRequest(url: other)) == .networkError(NetworkFailure(.failedLookup(), "")))
    }

    @Test("A Unix domain socket receives every request, whatever the host")
    func unixSocket() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "s").path
        let server = RawServer(unixSocket: path) { connection in
            while connection.readRequest() != nil { connection.send(Self.empty) }
        }
        let response = try await transport { $0.unixSocket = path }.send(HTTPRequest(url: URL(string: "http://any.invalid/x")!))
        #expect(response.status == .ok)
        #expect(server.requests.first?.line == "GET /x HTTP/1.1")
        #expect(server.requests.first?.value("Host") == "any.invalid")
    }

    @Test("The number of idle connections is limited over all origins")
    func idleConnections() async throws {
        let servers = [RawServer.answering(Self.empty), RawServer.answering(Self.empty)]
        for (limit, reused) in [(1, 0...1), (2, 2...2)] {
            // Each of several engines keeps its own part.
            let transport = transport { ($0.maxIdleConnections, $0.engines) = (limit, 1) }
            var seen: [Bool] = []
            for server in servers + servers {
                seen.append(try await transport.send(HTTPRequest(url: server.url())).metadata.isConnectionReused == true)
            }
            // libcurl decides which of two equally old connections is closed.
            #expect(seen.prefix(2) == [false, false] && reused.contains(seen.count { $0 }))
        }
    }

    @Test("Passwords in .netrc are not used")
    func netrc() async {
        await #expect(processExitsWith: .success) {
            let home = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            try Data("machine 127.0.0.1 login me password secret\ndefault login me password secret\n".utf8)
                .write(to: home.appending(path: ".netrc"))
            setenv("HOME", home.path, 1)
            let server = RawServer.answering("HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n")
            let response = try await CurlTransport().send(HTTPRequest(url: server.url()))
            try? FileManager.default.removeItem(at: home)
            let isClean = server.requests.count == 1 && server.requests.allSatisfy { $0.value("Authorization") == nil }
            exit(isClean && response.status == 401 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("An http request through a proxy names the whole URL, and only the proxy gets the credentials (RFC 9112 §3.2.2)")
    func proxied() async throws {
        let server = RawServer.answering(Self.empty)
        let transport = try transport { $0.proxy = .explicit(try proxy(server, "me:p%40ss@"), bypass: ["127.0.0.1"]) }
        _ = try await transport.send(HTTPRequest(url: URL(string: "http://far.invalid/a/../b?c=d")!))
        let received = try #require(server.requests.first)
        #expect(received.line == "GET http://far.invalid/a/../b?c=d HTTP/1.1")
        #expect(received.value("Proxy-Authorization") == "Basic " + Data("me:p@ss".utf8).base64EncodedString())
        // A bypassed host is connected to directly over the same handle, and gets no credentials.
        _ = try await transport.send(HTTPRequest(url: server.url("/direct")))
        #expect(server.requests.last?.line == "GET /direct HTTP/1.1")
        #expect(server.requests.last?.value("Proxy-Authorization") == nil)
    }

    @Test("A proxy that is not reachable is a proxy failure")
    func noProxy() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(RawServer.deadPort())"))
        let transport = try transport { $0.proxy = .explicit(try Proxy(url: url)) }
        for scheme in ["http", "https"] {
            let error = await transport.failure(of: HTTPRequest(url: URL(string: "\(scheme)://far.invalid/")!))
            #expect(error == .networkError(NetworkFailure(.proxyFailed, "")))
        }
    }

    @Test("A response has the durations of its phases, the remote address, and whether its connection was reused")
    func details() async throws {
        let server = RawServer.answering(Self.empty)
        let transport = CurlTransport()
        for isStreamed in [false, true] {
            for isReused in [isStreamed, true] {
                var request = HTTPRequest(url: server.url())
                request.context.streamsBody = isStreamed
                let metadata = try await transport.send(request).metadata
                #expect(metadata.remoteAddress == "127.0.0.1")
                #expect(metadata.isConnectionReused == isReused)
                let timings = try #require(metadata.timings)
                #expect((timings.connect != nil) == !isReused)
                #expect(timings.tls == nil)
                #expect(timings.queued != nil && timings.firstByte != nil)
                #expect((timings.total != nil) == (!isStreamed))
            }
        }
    }

    @Test("The first byte of the response to a body comes after the server has read the body", arguments: [false, true])
    func firstByte(expectsContinue: Bool) async throws {
        let length = 8_000_000, waits = Locked<[Duration]>([])
        let server = RawServer { connection in
            while connection.readHead() != nil {
                let began = ContinuousClock.now
                if expectsContinue { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                guard connection.read(length) != nil else { return }
                waits.withLock { $0.append(ContinuousClock.now - began) }
                connection.send(Self.empty)
            }
        }
        for isStreamed in [false, true] {
            var request = HTTPRequest(method: .put, url: server.url(), body: HTTPBody(Data(count: length)))
            request.context.streamsBody = isStreamed
            if expectsContinue { request.context.expectContinue = .seconds(600) }
            let timings = try #require(try await transport { _ in }.send(request).metadata.timings)
            let wait = try #require(waits.withLock { $0.last })
            #expect(try #require(timings.firstByte) >= wait)
        }
    }
}
