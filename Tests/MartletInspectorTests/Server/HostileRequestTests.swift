import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletHAR
@testable import MartletInspector

@Suite("Hostile requests to the inspector", .timeLimit(.minutes(5)))
struct HostileRequestTests {
    private func site(_ limits: CallLog.Limits = .init(calls: 500, bytes: 20_000_000, bodyBytes: 1_000_000)) async throws -> (
        log: CallLog, server: MockServer, url: URL
    ) {
        let log = CallLog(limits: limits, makeParser: { StreamEvents() })
        let (server, url) = try await InspectorSite(.live(log), app: "app", redaction: .standard).start(
            limits: ConnectionLimits(maxConnections: 32, idleTimeout: .seconds(60)))
        return (log, server, url)
    }

    private func status(_ url: URL, _ headers: HTTPFields = [:], method: HTTPMethod = .get) async throws -> Int {
        try await ownTransport().send(HTTPRequest(method: method, url: url, headers: headers)).status.rawValue
    }

    private struct Log: CallObserver {
        let log: CallLog
        func observe(_ event: CallEvent, of call: CallInfo) { log.add(event, of: call) }
    }

    @Test("Variants of the host, the origin and the site are refused")
    func fields() async throws {
        let (_, server, url) = try await site()
        let calls = url.appending(path: "calls"), port = server.port
        let refused: [HTTPFields] = [
            ["Host": "127.0.0.1"], ["Host": "localhost"], ["Host": "127.0.0.1:\(port)."], ["Host": "127.0.0.1.evil.example:\(port)"],
            ["Host": "evil.example@127.0.0.1:\(port)"], ["Origin": "https://127.0.0.1:\(port)"], ["Origin": "http://127.0.0.1"],
            ["Origin": "http://localhost:\(port).evil.example"], ["Origin": "file://"], ["Origin": "chrome-extension://abc"],
            ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "Cross-Site"], ["Sec-Fetch-Site": "same-origin, cross-site"],
        ]
        for headers in refused { #expect(try await status(calls, headers) == 403, "\(headers)") }
        #expect(try await status(url.appending(path: "clear"), ["Origin": "http://evil.example"], method: .post) == 403)
        #expect(try await status(calls, ["Host": "localhost:\(port)", "Origin": "http://localhost:\(port)"]) == 200)
        await server.stop()
    }

    @Test("Other methods, tokens and paths are not found, and a large head is refused")
    func paths() async throws {
        let (log, server, url) = try await site()
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport(.json("{}")), observers: [Log(log: log)])
        _ = try await client.send(Request<Data>.get("a"))
        for method in [HTTPMethod.put, .delete, .patch, .options, "PURGE"] {
            #expect(try await status(url, method: method) == 404, "\(method)")
        }
        #expect(try await status(url.appending(path: "clear")) == 404)
        #expect(try await status(url.appending(path: "calls"), method: .post) == 404)
        let token = url.path.split(separator: "/")[0], root = "http://127.0.0.1:\(server.port)"
        for path in [
            "/", "//", "/\(token)", "/\(token.dropLast())/calls", "/\(token)0/calls", "/\(token.uppercased())x/calls", "//\(token)/calls",
        ] {
            #expect(try await status(URL(string: root + path)!) == 404, "\(path)")
        }
        for path in [
            "calls/", "calls/-1", "calls/99999999999999999999", "calls/%31", "../main.js", "%2e%2e/Package.swift", "main.js/", "Main.js",
        ] {
            #expect(try await status(URL(string: "\(url)\(path)")!) == 404, "\(path)")
        }
        #expect(try await status(url, ["X-Large": String(repeating: "a", count: 20_000)]) == 431)
        #expect(log.snapshot.calls.count == 1)
        await server.stop()
    }

    @Test("A page that does not read stops neither the calls nor the memory limit")
    func slowReader() async throws {
        let limit = 300_000
        let (log, server, url) = try await site(.init(calls: 50, bytes: limit, bodyBytes: 2_000))
        let transport = MockTransport { _ in .text(String(repeating: "a", count: 3_000)) }
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: transport, observers: [Log(log: log)])
        let pages = HTTPClient(baseURL: url, transport: ownTransport())
        let response = try await pages.stream(Request<Data>.get("events"))
        var reader = response.body.makeAsyncIterator()
        #expect(try await reader.next() != nil)
        var most = 0
        for number in 0..<4_000 {
            _ = try await client.send(Request<Data>.get("a/\(number)"))
            most = max(most, log.bytes)
        }
        #expect(most <= limit)
        #expect(log.snapshot.calls.count <= 50)
        // Each text to the page has at most the calls of the log, however many there were in between.
        #expect(server.bytesWritten < 40 * 200_000)
        await server.stop()
    }

    @Test("A hundred simultaneous pages get the calls, and their events end when the inspector stops")
    func manyPages() async throws {
        let inspector = try await Inspector.start(maxConnections: 100)
        let client = HTTPClient(baseURL: URL(string: "https://h")!, transport: MockTransport { _ in .json("{}") }, observers: [inspector])
        let begun = Count()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let response = try await HTTPClient(baseURL: inspector.url, transport: ownTransport()).stream(
                        Request<Data>.get("events"))
                    var bytes = 0
                    do {
                        for try await piece in response.body {
                            if bytes == 0 { begun.increment() }
                            bytes += piece.count
                        }
                    } catch {}
                    return bytes
                }
            }
            try await begun.reach(100)
            for _ in 0..<20 { _ = try await client.send(Request<Data>.get("a")) }
            await inspector.stop()
            for try await bytes in group { #expect(bytes > 0) }
        }
        // The calls are still recorded.
        _ = try await client.send(Request<Data>.get("later"))
        #expect(String(decoding: inspector.har(), as: UTF8.self).contains("https://h/later"))
        await inspector.stop()
    }

    @Test("Beyond the limit of connections, one that waits for its client is closed for a new one, and pages with live calls keep theirs")
    func manyConnections() async throws {
        let inspector = try await Inspector.start(maxConnections: 2)
        let calls = inspector.url.appending(path: "calls")
        // Each transport has its own connection, which stays open after the response.
        let idle = (0..<8).map { _ in ownTransport() }
        for transport in idle { #expect(try await transport.send(HTTPRequest(method: .get, url: calls)).status == 200) }
        var pages: [HTTPResponse<HTTPBody>] = []
        for _ in 0..<2 {
            pages.append(try await HTTPClient(baseURL: inspector.url, transport: ownTransport()).stream(Request<Data>.get("events")))
        }
        await #expect(throws: HTTPError.self) { _ = try await status(calls) }
        withExtendedLifetime((idle, pages)) {}
        await inspector.stop()
    }

    @Test("A connection without a whole request is closed after the idle timeout, and one with live calls stays")
    func idleConnections() async throws {
        let time = ManualTime(autoAdvances: false)
        let log = CallLog(limits: .init(calls: 5, bytes: 1_000, bodyBytes: 10), makeParser: { StreamEvents() })
        let limits = ConnectionLimits(maxConnections: 32, idleTimeout: .seconds(60))
        let (server, url) = try await InspectorSite(.live(log), app: "app", redaction: .standard).start(limits: limits, time: time)
        let page = try await HTTPClient(baseURL: url, transport: ownTransport()).stream(Request<Data>.get("events"))
        let idle = ownTransport()
        #expect(try await idle.send(HTTPRequest(method: .get, url: url)).status == 200)
        #expect(server.openConnectionCount == 2)
        time.advance(by: .seconds(59))
        #expect(server.openConnectionCount == 2)
        // The server may note the end of the response only now.
        while server.openConnectionCount > 1 {
            time.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(try await idle.send(HTTPRequest(method: .get, url: url)).status == 200)
        #expect(server.openConnectionCount == 2)
        withExtendedLifetime(page) {}
        await server.stop()
    }
}
