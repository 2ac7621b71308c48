import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletCurl

/// Tests the address guard where it takes effect: at the connection.
@Suite("CurlTransport: refused addresses", .timeLimit(.minutes(5)))
struct AddressGuardTests {
    private let transport = CurlTransport()

    private func client(_ policy: AddressPolicy? = .publicOnly, over transport: CurlTransport? = nil) -> HTTPClient {
        HTTPClient(transport: transport ?? self.transport, interceptors: policy.map { [PrivateAddressGuard(policy: $0)] } ?? [])
    }

    private func isRefused(_ error: HTTPError?) -> Bool { if case .addressRefused = error { true } else { false } }

    private func resolving(_ name: String, to addresses: [String]) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.resolve = [name: addresses]
        return CurlTransport(configuration)
    }

    private func url(_ server: MockServer, host: String) throws -> URL {
        try #require(URL(string: server.url.absoluteString.replacing("127.0.0.1", with: host)))
    }

    @Test("A name with a refused address fails before a packet is sent, buffered and streamed", arguments: ["127.0.0.1", "::1"])
    func names(address: String) async throws {
        let server = try await MockServer.start { _ in .text("inside") }
        let transport = resolving("rebound.example", to: [address])
        let request = Request<Data>.get(url: try url(server, host: "rebound.example"))
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPError.self) { try await client(over: transport).send(request) }
            #expect(isRefused(error) && error?.stage == .connect && error?.request?.url.host == "rebound.example")
            let streamed = await #expect(throws: HTTPError.self) { try await client(over: transport).stream(request) }
            #expect(isRefused(streamed))
        }
        #expect(server.connectionCount == 0)
        // The transport still works.
        #expect(try await client(nil, over: resolving("rebound.example", to: ["127.0.0.1"])).send(request) == Data("inside".utf8))
        await server.stop()
    }

    @Test("A name that the system resolves to this machine is refused, although the guard does not know the name")
    func systemNames() async throws {
        let server = try await MockServer.start { _ in .text("inside") }
        // Without the interceptor, which knows the name, only the connection is checked.
        var request = HTTPRequest(url: try url(server, host: "localhost"))
        request.context.addressPolicy = .publicOnly
        let error = await transport.failure(of: request)
        #expect(isRefused(error))
        #expect(server.connectionCount == 0)
        await server.stop()
    }

    @Test("A connection left by an unguarded client is not used, and no request is sent over it")
    func kept() async throws {
        let server = try await MockServer.start { _ in .text("inside") }
        let transport = resolving("rebound.example", to: ["127.0.0.1"])
        let request = Request<String>.get(url: try url(server, host: "rebound.example"))
        #expect(try await client(nil, over: transport).send(request) == "inside")
        let error = await #expect(throws: HTTPError.self) { try await client(over: transport).send(request) }
        #expect(isRefused(error))
        #expect(server.requests.count == 1 && server.connectionCount == 1)
        // A handle that was guarded is not guarded for the next client.
        #expect(try await client(nil, over: transport).send(request) == "inside")
        await server.stop()
    }

    @Test("A redirect from an allowed host to a refused address or name is not followed")
    func redirects() async throws {
        let inside = try await MockServer.start { _ in .text("inside") }
        for host in ["127.0.0.1", "rebound.example"] {
            let target = try url(inside, host: host).absoluteString
            let front = try await MockServer.start { _ in .status(302, headers: [.location: target]) }
            var configuration = CurlTransport.Configuration()
            configuration.resolve = ["front.example": ["127.0.0.1"], "rebound.example": ["127.0.0.1"]]
            let policy = try AddressPolicy(allowing: ["front.example"])
            let client = client(policy, over: CurlTransport(configuration))
            let url = try url(front, host: "front.example")
            let error = await #expect(throws: HTTPError.self) { try await client.send(Request<Data>.get(url: url)) }
            #expect(isRefused(error) && error?.request?.url.host == host)
            #expect(front.requests.count == 1)
            await front.stop()
        }
        #expect(inside.connectionCount == 0)
        await inside.stop()
    }

    @Test("An allowed address, network or name is reached, over new and kept-alive connections")
    func allowed() async throws {
        let server = try await MockServer.start { _ in .text("inside") }
        let transport = resolving("own.example", to: ["127.0.0.1"])
        let request = Request<String>.get(url: try url(server, host: "own.example"))
        for entry in ["own.example", "*.example", "127.0.0.1", "127.0.0.0/8"] {
            #expect(try await client(AddressPolicy(allowing: [entry]), over: transport).send(request) == "inside")
        }
        #expect(server.connectionCount == 1)
        await server.stop()
    }

    @Test("A host with a refused address and an allowed one that is down is unreachable, which is worth another attempt")
    func onlyDown() async throws {
        // A port that no server of another test gets in the meantime.
        let request = Request<Data>.get(url: try #require(URL(string: "http://two.example:1/")))
        for addresses in [["127.0.0.1", "::1"], ["::1", "127.0.0.1"]] {
            let transport = resolving("two.example", to: addresses)
            let policy = try AddressPolicy(allowing: ["127.0.0.0/8"])
            let error = await #expect(throws: HTTPError.self) { try await client(policy, over: transport).send(request) }
            guard case .networkError = error else {
                Issue.record("\(addresses): \(String(describing: error))")
                continue
            }
            let refused = await #expect(throws: HTTPError.self) { try await client(over: transport).send(request) }
            #expect(isRefused(refused))
        }
    }

    @Test("A name that a proxy would look up is refused unless that is allowed; the proxy's own address is not checked")
    func proxies() async throws {
        let proxy = try await MockServer.start { _ in .text("by the proxy") }
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .explicit(try Proxy(url: proxy.url))
        let transport = CurlTransport(configuration)
        let name = Request<String>.get(url: try #require(URL(string: "http://some.example/")))
        let error = await #expect(throws: HTTPError.self) { try await client(over: transport).send(name) }
        #expect(isRefused(error) && proxy.connectionCount == 0)
        let policy = try AddressPolicy(allowing: [], allowsProxies: true)
        #expect(try await client(policy, over: transport).send(name) == "by the proxy")
        let address = Request<String>.get(url: try #require(URL(string: "http://8.8.8.8/")))
        #expect(try await client(over: transport).send(address) == "by the proxy")
        await proxy.stop()
    }

    @Test("A Unix domain socket is refused because it has no IP address")
    func unixSocket() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.unixSocket = "/tmp/martlet-\(UUID().uuidString.prefix(8))"
        let error = await #expect(throws: HTTPError.self) {
            try await client(over: CurlTransport(configuration)).send(
                Request<Data>.get(url: try #require(URL(string: "http://some.example/"))))
        }
        #expect(isRefused(error))
    }
}
