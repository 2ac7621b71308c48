import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine

@Suite("CurlTransport: three engines", .timeLimit(.minutes(5)))
struct EngineTeamTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// A server whose responses to each path wait for the gate of that path, or for the only gate.
    private final class HeldServer: Sendable {
        let server: RawServer
        let arrivals = AsyncStream.makeStream(of: Void.self)
        private let active = Locked((now: 0, most: 0))

        init(_ gates: [String: Gate] = [:], gate: Gate = Gate()) {
            server = RawServer { [arrivals, active] connection in
                while let request = connection.readRequest() {
                    active.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    arrivals.continuation.yield()
                    (gates.first { request.line.contains($0.key) }?.value ?? gate).wait()
                    active.withLock { $0.now -= 1 }
                    connection.send(EngineTeamTests.empty)
                }
            }
        }

        /// The largest number of requests that ran at the same time.
        var mostAtOnce: Int { active.withLock { $0.most } }

        func arrived(_ count: Int) async {
            var iterator = arrivals.stream.makeAsyncIterator()
            for _ in 0..<count { await iterator.next() }
        }
    }

    private func transport(_ change: (inout CurlTransport.Configuration) -> Void = { _ in }) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.engines = 3
        change(&configuration)
        return CurlTransport(configuration)
    }

    private func begin(_ count: Int, _ transport: CurlTransport, _ url: URL) -> [Task<HTTPError?, Never>] {
        (0..<count).map { _ in Task { await transport.failure(of: HTTPRequest(url: url)) } }
    }

    @Test("Sequential requests to an origin use one connection, with and without a body")
    func reuse() async throws {
        let server = RawServer.answering(Self.empty), transport = transport()
        for number in 0..<20 {
            let body = number % 2 == 0 ? nil : HTTPBody("x")
            _ = try await transport.send(HTTPRequest(method: body == nil ? .get : .put, url: server.url(), body: body))
        }
        #expect(server.connectionCount == 1 && transport.running == [0, 0, 0])
    }

    @Test("Requests beyond the threshold run on a second engine, and those beyond its threshold on a third")
    func spread() async {
        let gate = Gate(), held = HeldServer(gate: gate), transport = transport { $0.maxConnectionsPerOrigin = 0 }
        let calls = begin(70, transport, held.server.url())
        await held.arrived(70)
        #expect(transport.running.sorted() == [6, 32, 32])
        gate.open()
        for call in calls { #expect(await call.value == nil) }
        #expect(transport.running == [0, 0, 0])
    }

    @Test("The limit of connections to an origin holds for all engines together", arguments: [1, 2, 7, 64])
    func perOrigin(limit: Int) async {
        let gate = Gate(), held = HeldServer(gate: gate), transport = transport { $0.maxConnectionsPerOrigin = limit }
        let calls = begin(limit * 3, transport, held.server.url())
        await held.arrived(limit)
        #expect(transport.running.reduce(0, +) == limit)
        gate.open()
        for call in calls { #expect(await call.value == nil) }
        #expect(held.server.connectionCount == limit && held.mostAtOnce <= limit && held.server.requests.count == limit * 3)
    }

    @Test("The limit of all connections holds for all engines together, and requests to each origin run")
    func total() async throws {
        let gate = Gate(), held = HeldServer(gate: gate), hosts = ["a.example", "b.example", "c.example", "d.example"]
        let transport = transport {
            $0.maxConnections = 5
            $0.resolve = Dictionary(uniqueKeysWithValues: hosts.map { ($0, ["127.0.0.1"]) })
        }
        let calls = try hosts.flatMap { begin(10, transport, try #require(URL(string: "http://\($0):\(held.server.port)/"))) }
        await held.arrived(5)
        #expect(transport.running.reduce(0, +) == 5)
        gate.open()
        for call in calls { #expect(await call.value == nil) }
        #expect(held.mostAtOnce == 5 && held.server.requests.count == 40 && transport.running == [0, 0, 0])
    }

    @Test("A waiting request runs on whichever engine has room first, although the others stay occupied", arguments: ["/a", "/b", "/c"])
    func waiting(freed: String) async {
        let paths = ["/a", "/b", "/c"], gates = Dictionary(uniqueKeysWithValues: paths.map { ($0, Gate()) }), last = Gate()
        last.open()
        let held = HeldServer(gates, gate: last), transport = transport { $0.maxConnectionsPerOrigin = 3 }
        let occupying = paths.flatMap { begin(1, transport, held.server.url($0)) }
        await held.arrived(3)
        #expect(transport.running == [1, 1, 1])
        let waiting = begin(4, transport, held.server.url("/waiting"))
        gates[freed]?.open()
        for call in waiting { #expect(await call.value == nil) }
        for path in paths where path != freed { gates[path]?.open() }
        for call in occupying { #expect(await call.value == nil) }
        #expect(held.server.connectionCount == 3)
    }

    @Test("Running and waiting requests can be cancelled, whichever engine has them, and their places become free")
    func cancellation() async {
        let gate = Gate(), held = HeldServer(gate: gate), transport = transport { $0.maxConnectionsPerOrigin = 6 }
        let calls = begin(20, transport, held.server.url())
        await held.arrived(6)
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.value == .cancelled) }
        #expect(transport.running == [0, 0, 0])
        gate.open()
        for call in begin(12, transport, held.server.url()) { #expect(await call.value == nil) }
    }

    @Test("A request that was handed over to another engine can be cancelled there, and ends at its deadline")
    func handedOver() async throws {
        let gate = Gate(), held = HeldServer(gate: gate), transport = transport { $0.maxConnectionsPerOrigin = 3 }
        // The first engine opens files. It hands over two of three requests that send one.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try Data("x".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = HTTPRequest(method: .put, url: held.server.url(), body: try HTTPBody(file: file))
        let calls = (0..<3).map { [request] _ in Task { await transport.failure(of: request) } }
        await held.arrived(3)
        #expect(transport.running == [1, 1, 1])
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.value == .cancelled) }
        request.context.deadline = .now + .milliseconds(50)
        let late = (0..<6).map { [request] _ in Task { await transport.failure(of: request) } }
        for call in late { #expect(await call.value == .timeout) }
        #expect(transport.running == [0, 0, 0])
        gate.open()
    }

    @Test("Configured addresses apply on every engine, also to a handle that ran on another one")
    func addresses() async throws {
        let z = Gate(), x = Gate(), other = Gate(), held = HeldServer(["/z": z, "/x": x], gate: other), port = held.server.port
        other.open()
        var configuration = CurlTransport.Configuration()
        configuration.engines = 2
        configuration.maxConnections = 2
        configuration.maxConnectionsPerOrigin = 2
        let deal = EngineDeal(configuration), hosts = (0..<100).map { "h\($0).example" }
        let first = try #require(hosts.first { deal.first(for: "http://\($0):\(port)") == 0 })
        let second = try #require(hosts.first { deal.first(for: "http://\($0):\(port)") == 1 })
        configuration.resolve = [first: ["127.0.0.1"], second: ["127.0.0.1"]]
        let transport = CurlTransport(configuration)
        func url(_ host: String, _ path: String) throws -> URL { try #require(URL(string: "http://\(host):\(port)\(path)")) }
        // While the second engine is full, five requests run on the first one, each with a handle of its own.
        let occupying = begin(1, transport, try url(second, "/z"))
        await held.arrived(1)
        for call in begin(5, transport, try url(first, "/")) { #expect(await call.value == nil) }
        await held.arrived(5)
        z.open()
        for call in occupying { #expect(await call.value == nil) }
        // One of two requests uses such a handle on the second engine.
        let calls = begin(2, transport, try url(first, "/x"))
        x.open()
        for call in calls { #expect(await call.value == nil) }
    }

    @Test("Streamed bodies in both directions work on each engine, with files and with streams")
    func bodies() async throws {
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), bytes = Data(repeating: 7, count: 300_000)
        let transport = transport { $0.maxConnectionsPerOrigin = 3 }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withThrowingTaskGroup(of: Data.self) { group in
            for number in 0..<30 {
                group.addTask {
                    let rest = Locked([bytes])
                    let body =
                        try number % 2 == 0
                        ? HTTPBody(file: file)
                        : HTTPBody(length: nil) { () async throws -> Data? in
                            rest.withLock { $0.popLast() }
                        }
                    var request = HTTPRequest(method: .put, url: server.url(), body: body)
                    request.context.streamsBody = true
                    return try await transport.send(request).body.collect()
                }
            }
            for try await body in group { #expect(body == Data("hello".utf8)) }
        }
        #expect(server.requests.count == 30 && server.requests.allSatisfy { $0.body == bytes } && server.connectionCount <= 3)
    }

    @Test("A released transport finishes the bodies that are being received on each engine")
    func lifetime() async throws {
        let gate = Gate()
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
                gate.wait()
                connection.send("hello")
            }
        }
        var transport: CurlTransport? = transport { $0.maxConnectionsPerOrigin = 3 }
        var request = HTTPRequest(url: server.url()), bodies: [HTTPBody] = []
        request.context.streamsBody = true
        for _ in 0..<3 { if let transport { bodies.append(try await transport.send(request).body) } }
        #expect(transport?.running == [1, 1, 1])
        transport = nil
        gate.open()
        for body in bodies { #expect(try await body.collect() == Data("hello".utf8)) }
    }

    @Test("A process exits during transfers on three engines")
    func exits() async {
        await #expect(processExitsWith: .success) {
            let held = HeldServer()
            var configuration = CurlTransport.Configuration()
            configuration.engines = 3
            let transport = CurlTransport(configuration)
            for _ in 0..<100 { Task { await transport.failure(of: HTTPRequest(url: held.server.url())) } }
            await held.arrived(64)
            exit(EXIT_SUCCESS)
        }
    }
}
