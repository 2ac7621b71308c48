import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

@Suite("LazyEngine", .timeLimit(.minutes(5)))
struct LazyEngineTests {
    /// Loads libcurl when the gate opens, and counts the loads.
    private final class Loader: Sendable {
        private let loads = Locked(0)
        private let failures: Locked<Int>
        private let gate: Gate?

        init(failures: Int = 0, gate: Gate? = nil) {
            self.failures = Locked(failures)
            self.gate = gate
        }

        func load() -> Result<CurlLibrary, HTTPError> {
            loads.withLock { $0 += 1 }
            gate?.wait()
            let fails = failures.withLock { failures in
                defer { failures -= 1 }
                return failures > 0
            }
            return fails ? .failure(.engineUnavailable("no libcurl")) : CurlLibrary.shared
        }

        var count: Int { loads.withLock { $0 } }
    }

    private func transport(_ loader: Loader) -> CurlTransport { CurlTransport(loader.load(), .init()) }

    @Test("Creating a transport loads nothing; concurrent first requests load libcurl once, on another thread")
    func once() async throws {
        let server = try await MockServer.start { _ in .text("ok") }
        let loader = Loader()
        let client = HTTPClient(baseURL: server.url, transport: transport(loader))
        #expect(loader.count == 0)
        let texts = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try? await client.send(Request<String>.get("x")) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "ok", count: 20) && loader.count == 1)
        await server.stop()
    }

    @Test("The thread that sends the first request is not blocked while libcurl loads")
    func offCaller() async throws {
        let gate = Gate()
        let loader = Loader(gate: gate)
        let transport = transport(loader)
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let sent = OneShot<HTTPError?>()
        // Runs on this thread until it waits. A load on this thread would block at the gate forever.
        _ = beginTask { sent.set(await transport.failure(of: HTTPRequest(url: server.url()))) }
        #expect(sent.early == nil)
        gate.open()
        #expect(await sent.value() == nil && loader.count == 1)
    }

    @Test("A first request ends at its cancellation and at its deadline while libcurl still loads")
    func ended() async throws {
        let gate = Gate()
        let transport = transport(Loader(gate: gate))
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let call = Task { await transport.failure(of: HTTPRequest(url: url)) }
        call.cancel()
        #expect(await call.value == .cancelled)
        var request = HTTPRequest(url: url)
        request.context.deadline = .now + .milliseconds(20)
        #expect(await transport.failure(of: request) == .timeout)
        gate.open()
    }

    @Test("A failed load fails each waiting request, and a later request tries again")
    func retried() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let loader = Loader(failures: 1)
        let transport = transport(loader)
        #expect(await transport.failure(of: HTTPRequest(url: server.url())) == .engineUnavailable("no libcurl"))
        #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil)
        #expect(loader.count == 2)
    }
}
