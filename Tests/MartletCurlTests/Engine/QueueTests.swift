import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: more requests than connections", .timeLimit(.minutes(5)))
struct QueueTests {
    /// Returns a transport with two connections per origin, and a server that answers when the gate opens.
    private let transport: CurlTransport
    private let gate = Gate()
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let hanging: RawServer

    init() {
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerOrigin = 2
        transport = CurlTransport(configuration)
        hanging = RawServer { [gate, arrivals] connection in
            while connection.readRequest() != nil {
                arrivals.continuation.yield()
                gate.wait()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
    }

    /// Starts calls to a server that hangs, and waits until two of them have its two connections.
    private func hang(_ count: Int) async -> [Task<HTTPError?, Never>] {
        let calls = (0..<count).map { _ in Task { [transport, hanging] in await transport.failure(of: HTTPRequest(url: hanging.url())) } }
        var arrived = arrivals.stream.makeAsyncIterator()
        for _ in 0..<2 { await arrived.next() }
        return calls
    }

    @Test("Requests waiting for a server that hangs do not delay requests to another server")
    func independence() async throws {
        let calls = await hang(40)
        let other = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let failures = await withTaskGroup(of: HTTPError?.self) { group in
            for _ in 0..<20 { group.addTask { await transport.failure(of: HTTPRequest(url: other.url())) } }
            return await group.reduce(into: [HTTPError?]()) { $0.append($1) }
        }
        #expect(failures == Array(repeating: nil, count: 20))
        #expect(hanging.requests.count == 2)
        gate.open()
        for call in calls { #expect(await call.value == nil) }
        #expect(hanging.connectionCount == 2)
    }

    @Test("A call that waits for a connection can be cancelled and reaches no server")
    func cancellation() async {
        let calls = await hang(2)
        let waiting = (0..<10).map { _ in Task { [transport, hanging] in await transport.failure(of: HTTPRequest(url: hanging.url())) } }
        for call in waiting { call.cancel() }
        for call in waiting { #expect(await call.value == .cancelled) }
        gate.open()
        for call in calls { #expect(await call.value == nil) }
        #expect(hanging.requests.count == 2)
    }

    @Test("A call that waits for a connection ends at its deadline")
    func deadline() async {
        let calls = await hang(2)
        var request = HTTPRequest(url: hanging.url())
        request.context.deadline = .now + .milliseconds(20)
        #expect(await transport.failure(of: request) == .timeout)
        gate.open()
        for call in calls { #expect(await call.value == nil) }
        #expect(hanging.requests.count == 2)
    }
}
