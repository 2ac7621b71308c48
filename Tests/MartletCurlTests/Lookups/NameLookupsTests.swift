import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine

/// Uses the installed libcurl as if it were 7.81, which cannot abandon a lookup.
@Suite("CurlTransport: names looked up outside the engine", .timeLimit(.minutes(5)))
struct NameLookupsTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func transport(
        _ change: (inout CurlTransport.Configuration) throws -> Void = { _ in }, lookUp: @escaping NameLookups.LookUp
    ) throws -> CurlTransport {
        var old = try CurlLibrary.shared.get()
        old.resolver.version = CurlVersion(7, 81, 0)
        let library = old
        var configuration = CurlTransport.Configuration()
        try change(&configuration)
        return CurlTransport(.success(library), configuration, lookUp: lookUp)
    }

    private func request(_ host: String, _ server: RawServer, _ path: String = "/") throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "http://\(host):\(server.port)\(path)")))
    }

    @Test("A call whose name server does not respond can be cancelled immediately, and other requests continue")
    func silent() async throws {
        let asked = Gate(), end = Gate()
        let server = RawServer.answering(Self.empty)
        let transport = try transport { name in
            guard name == "silent.example" else { return ["127.0.0.1"] }
            asked.open()
            end.wait()
            return []
        }
        let request = try request("silent.example", server)
        let call = Task { await transport.failure(of: request) }
        await asked.opened()
        #expect(try await transport.send(HTTPRequest(url: server.url())).status == .ok)
        #expect(try await transport.send(self.request("other.example", server)).status == .ok)
        call.cancel()
        #expect(await call.value == .cancelled)
        #expect(try await transport.send(HTTPRequest(url: server.url())).status == .ok)
        end.open()
        #expect(server.requests.count == 3)
    }

    @Test("The connect timeout and the call's deadline end the wait for a name")
    func deadlines() async throws {
        let end = Gate()
        defer { end.open() }
        let server = RawServer.answering(Self.empty)
        let transport = try transport {
            $0.connectTimeout = .milliseconds(50)
        } lookUp: { _ in
            end.wait()
            return []
        }
        let late = await transport.failure(of: try request("silent.example", server))
        #expect(late == .timeout && late?.stage == .connect)
        var request = try request("silent.example", server)
        request.context.deadline = .now + .milliseconds(10)
        #expect(await transport.failure(of: request)?.stage == .exchange)
        #expect(server.connectionCount == 0)
    }

    @Test("A request goes to the found address under its own name, and the next one reuses the lookup and the connection")
    func found() async throws {
        let server = RawServer.answering(Self.empty), asked = Locked<[String]>([])
        let transport = try transport { name in
            asked.withLock { $0.append(name) }
            return ["127.0.0.1"]
        }
        let first = try await transport.send(request("API.example", server))
        #expect(first.metadata.timings?.nameLookup != nil)
        #expect(try await transport.send(request("api.example", server)).metadata.isConnectionReused == true)
        #expect(asked.withLock { $0 } == ["api.example"])
        #expect(server.requests.map { $0.value("Host")?.lowercased() } == ["api.example:\(server.port)", "api.example:\(server.port)"])
    }

    @Test("Concurrent calls for one name share a lookup")
    func shared() async throws {
        let server = RawServer.answering(Self.empty), asked = Locked(0)
        let transport = try transport { _ in
            asked.withLock { $0 += 1 }
            return ["127.0.0.1"]
        }
        let request = try request("api.example", server)
        try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
            for _ in 0..<40 { group.addTask { try await transport.send(request).status } }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(asked.withLock { $0 } == 1)
        #expect(server.requests.count == 40)
    }

    @Test("A name without an address is an unknown host, as in libcurl's own lookup")
    func unknown() async throws {
        let server = RawServer.answering(Self.empty)
        let transport = try transport { _ in [] }
        let error = await transport.failure(of: try request("nowhere.example", server))
        #expect(error == .networkError(NetworkFailure(.failedLookup())) && error?.stage == .connect)
    }

    @Test("Through a proxy only the proxy's name is looked up; a proxy without an address is a proxy failure")
    func proxied() async throws {
        let server = RawServer.answering(Self.empty), asked = Locked<[String]>([])
        let proxy = ProxySettings.explicit(try Proxy(url: #require(URL(string: "http://proxy.example:\(server.port)"))))
        let transport = try transport {
            $0.proxy = proxy
        } lookUp: { name in
            asked.withLock { $0.append(name) }
            return ["127.0.0.1"]
        }
        _ = try await transport.send(HTTPRequest(url: #require(URL(string: "http://api.example/x"))))
        #expect(asked.withLock { $0 } == ["proxy.example"])
        #expect(server.requests.first?.line == "GET http://api.example/x HTTP/1.1")
        let lost = try self.transport {
            $0.proxy = proxy
        } lookUp: { _ in
            []
        }
        let error = await lost.failure(of: HTTPRequest(url: try #require(URL(string: "http://api.example/x"))))
        #expect(error == .networkError(NetworkFailure(.proxyFailed)))
    }

    @Test("Addresses and configured names are not looked up")
    func configured() async throws {
        let server = RawServer.answering(Self.empty), asked = Locked(0)
        let transport = try transport {
            $0.resolve = ["api.example": ["127.0.0.1"]]
        } lookUp: { _ in
            asked.withLock { $0 += 1 }
            return []
        }
        _ = try await transport.send(HTTPRequest(url: server.url()))
        _ = try await transport.send(request("api.example", server))
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("The address policy is checked on connecting, also for a name that Martlet looked up")
    func guarded() async throws {
        let server = RawServer.answering(Self.empty)
        let transport = try transport { _ in ["127.0.0.1"] }
        var request = try request("rebound.example", server)
        request.context.addressPolicy = .publicOnly
        let error = await transport.failure(of: request)
        guard case .addressRefused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.connectionCount == 0)
    }

    @Test("The system's lookup resolves localhost")
    func system() { #expect(NameLookups.system("localhost").contains { $0 == "127.0.0.1" || $0 == "::1" }) }
}
