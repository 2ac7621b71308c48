#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import Martlet
import MartletTesting
import Synchronization
import Testing

@testable import MartletBridges

@Suite("AsyncHTTPClientTransport", .timeLimit(.minutes(5)))
struct AsyncHTTPClientTransportTests {
    private func transport() -> AsyncHTTPClientTransport { transport { _ in } }

    private func transport(_ change: (inout TransportConfiguration) throws -> Void) rethrows -> AsyncHTTPClientTransport {
        var configuration = TransportConfiguration()
        try change(&configuration)
        return AsyncHTTPClientTransport(
            eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    private func client(_ server: MockServer, _ transport: any Transport) -> Martlet::HTTPClient {
        Martlet::HTTPClient(baseURL: server.url, transport: transport)
    }

    private func isRefused(_ error: HTTPError?) -> Bool { if case .addressRefused = error { true } else { false } }

    /// The connections that have carried a request.
    private final class Used: Sendable {
        private let numbers = Mutex<Set<Int>>([])

        func isFirst(on connection: Int) -> Bool { numbers.withLock { $0.insert(connection).inserted } }
    }

    // MARK: A client of the app

    @Test("A client that follows redirects by itself sends no credential to another origin: Martlet follows them, by its rules")
    func redirects() async throws {
        let other = try await MockServer.start { _ in .text("elsewhere") }
        let server = try await MockServer.start { _ in .status(302, headers: ["Location": "\(other.url.absoluteString)x"]) }
        let given = AsyncHTTPClient::HTTPClient()
        for transport in [AsyncHTTPClientTransport(given), AsyncHTTPClientTransport(.shared)] {
            var request = HTTPRequest(url: server.url, headers: ["Authorization": "Bearer s3cret", "X-Api-Key": "s3cret"])
            #expect(try await transport.send(request).status == .found)
            request.method = .post
            #expect(try await transport.send(request).status == .found)
            let before = other.requests.count
            let call = Request<String>.get("x").header("X-Api-Key", "s3cret")
            #expect(try await client(server, transport).send(call) == "elsewhere")
            #expect(other.requests.count == before + 1)
        }
        #expect(other.requests.count == 2 && other.requests.allSatisfy { !$0.headers.contains("X-Api-Key") })
        try await given.shutdown()
        await server.stop()
        await other.stop()
    }

    @Test("A client that decompresses by itself is not asked to: the body is decoded once, and the metadata says so")
    func decompression() async throws {
        let bytes = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
        let server = try await MockServer.start { _ in .data(bytes, headers: ["Content-Encoding": "gzip"]) }
        let given = AsyncHTTPClient::HTTPClient(
            configuration: .init(redirectConfiguration: .disallow, decompression: .enabled(limit: .none)))
        let response = try await AsyncHTTPClientTransport(given).send(HTTPRequest(url: server.url))
        #expect(response.body.buffered == Data("hello".utf8) && response.metadata.wasContentCoded)
        try await given.shutdown()
        await server.stop()
    }

    @Test("A client of the app and its connections are not used or changed, whatever becomes of the client")
    func ownership() async throws {
        let server = try await MockServer.start { _ in .text("x") }
        let given = AsyncHTTPClient::HTTPClient(configuration: .init(redirectConfiguration: .disallow))
        var transport: AsyncHTTPClientTransport? = AsyncHTTPClientTransport(given)
        #expect(try await transport?.send(HTTPRequest(url: server.url)).status == .ok)
        #expect(try await given.execute(HTTPClientRequest(url: server.url.absoluteString), timeout: .seconds(60)).status == .ok)
        #expect(server.connectionCount == 2)
        try await given.shutdown()
        #expect(try await transport?.send(HTTPRequest(url: server.url)).status == .ok)
        transport = nil
        try await server.waitForOpenConnections()
        await server.stop()
    }

    // MARK: Connections of its own

    @Test("The connections of its own close when the transport and the last stream are released, not before")
    func lifetime() async throws {
        let server = try await MockServer.start { _ in .stream("half", "half").piecesDelayed(by: .milliseconds(20)) }
        var request = HTTPRequest(url: server.url)
        request.context.streamsBody = true
        let body = try await transport().send(request).body
        #expect(try await body.collect() == Data("halfhalf".utf8))
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }

    @Test("Draining waits for the running call, refuses new ones, and cancels what exceeds the limit")
    func draining() async throws {
        let server = try await MockServer.start { _ in .silence }
        let transport = transport()
        let call = Task { [client = client(server, transport)] in await client.result(of: Request<Data>.get("x")) }
        try await server.waitForRequests(1)
        #expect(await transport.drain(within: .zero) == DrainSummary(cancelled: 1))
        #expect(await call.value.error == .cancelled)
        let error = await #expect(throws: HTTPError.self) { try await client(server, transport).send(Request<Data>.get("x")) }
        #expect(error == .draining)
        await server.stop()
    }

    @Test("A server that is not trusted is an invalid certificate, also one whose own certificate is trusted but is not an authority's")
    func tls() async throws {
        guard MockServer.TLS.isAvailable else { return }
        var options = MockServer.Options()
        options.tls = .localhost
        let server = try await MockServer.start(options: options) { _ in .text("x") }
        // BoringSSL accepts only authorities as roots, unlike OpenSSL.
        let trusting = transport { $0.tls.trust = .certificates(MockServer.TLS.localhost.certificate) }
        for transport in [transport(), trusting] {
            let error = await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(url: server.url)) }
            #expect(error == .invalidSSLCertificate && error?.stage == .connect && error?.underlying != nil)
        }
        await server.stop()
    }

    @Test("A setting that can't be followed makes each request fail, and nothing is sent")
    func unsupported() async throws {
        let server = try await MockServer.start { _ in .text("x") }
        let pin = Data(count: 32).base64EncodedString()
        let refusing = try transport { try $0.tls.pinKeys(sha256: [pin]) }
        let error = await #expect(throws: HTTPError.self) { try await refusing.send(HTTPRequest(url: server.url)) }
        #expect(error == .engineUnavailable && server.connectionCount == 0)
        await server.stop()
    }

    @Test("A name is reached at its configured address, which an address policy checks")
    func addresses() async throws {
        let server = try await MockServer.start { _ in .text("x") }
        let transport = transport { $0.resolve = ["some.example": ["127.0.0.1"]] }
        var request = HTTPRequest(url: try #require(URL(string: "http://Some.Example:\(server.port)/")))
        #expect(try await transport.send(request).status == .ok)
        #expect(server.requests.first?.headers[.host]?.lowercased() == "some.example:\(server.port)")
        request.context.addressPolicy = .publicOnly
        let error = await #expect(throws: HTTPError.self) { try await transport.send(request) }
        #expect(isRefused(error))
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test("A proxy that would resolve the name is refused by an address policy, also one of a client of the app")
    func proxiedAddresses() async throws {
        let server = try await MockServer.start { _ in .text("x") }
        let given = AsyncHTTPClient::HTTPClient(
            configuration: .init(redirectConfiguration: .disallow, proxy: .server(host: "127.0.0.1", port: server.port)))
        let proxied = try transport {
            $0.proxy = .explicit(try Proxy(url: #require(URL(string: "http://127.0.0.1:\(server.port)"))))
        }
        for transport in [AsyncHTTPClientTransport(given), proxied] {
            var request = HTTPRequest(url: try #require(URL(string: "http://some.example/")))
            request.context.addressPolicy = .publicOnly
            let error = await #expect(throws: HTTPError.self) { try await transport.send(request) }
            #expect(isRefused(error))
        }
        #expect(server.connectionCount == 0)
        try await given.shutdown()
        await server.stop()
    }

    @Test("Cancelling the calls ends one that looks its host up, and nothing is sent for it")
    func cancelledLookup() async throws {
        let server = try await MockServer.start { _ in .text("x") }
        let (lookups, begin) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        var configuration = TransportConfiguration()
        configuration.resolve = ["some.example": ["127.0.0.1"]]
        let transport = AsyncHTTPClientTransport(AsyncHTTPClient::HTTPClient.defaultEventLoopGroup, configuration) { _ in
            begin.yield()
            end.wait()
            return ["127.0.0.1"]
        }
        let client = Martlet::HTTPClient(
            baseURL: URL(string: "http://some.example:\(server.port)"), transport: transport,
            interceptors: [try PrivateAddressGuard(allowing: ["127.0.0.1"])])
        let call = Task { await client.result(of: Request<Data>.post("x", body: .text("x"))) }
        for await _ in lookups { break }
        #expect(await transport.drain(within: .zero) == DrainSummary(cancelled: 1))
        #expect(await call.value.error == .cancelled)
        end.signal()
        #expect(server.connectionCount == 0)
        await server.stop()
    }

    // MARK: Exchanges

    @Test("An idempotent request is sent again over a new connection if its kept-alive one was closed, and a POST is not")
    func stale() async throws {
        let used = Used()
        let server = try await MockServer.start { request in
            used.isFirst(on: request.connection) ? .text("x") : .disconnect
        }
        for method in [HTTPMethod.get, .post] {
            let transport = transport()
            _ = try await transport.send(HTTPRequest(url: server.url))
            let before = server.requests.count
            let body = method == .post ? HTTPBody("x") : nil
            do {
                let response = try await transport.send(HTTPRequest(method: method, url: server.url, body: body))
                #expect(method == .get && response.status == .ok)
            } catch {
                #expect(method == .post && error == .connectionLost)
            }
            #expect(server.requests.count == before + (method == .get ? 2 : 1), "\(method)")
        }
        await server.stop()
    }

    @Test("The first request over new connections is delivered once, because none can have been closed")
    func first() async throws {
        let server = try await MockServer.start { _ in .disconnect }
        let transport = transport()
        let error = await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(url: server.url)) }
        #expect(error == .connectionLost && server.requests.count == 1)
        await server.stop()
    }

    @Test("The version and the times to the first byte and to the end are known")
    func metadata() async throws {
        let server = try await MockServer.start { _ in .text("x") }
        let metadata = try await transport().send(HTTPRequest(url: server.url)).metadata
        #expect(metadata.version == .http11)
        let timings = try #require(metadata.timings)
        let first = try #require(timings.firstByte), total = try #require(timings.total)
        #expect(first <= total)
        #expect(timings.connect == nil && metadata.remoteAddress == nil && metadata.isConnectionReused == nil)
        await server.stop()
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
#endif
