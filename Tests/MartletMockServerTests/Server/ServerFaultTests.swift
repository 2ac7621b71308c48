import Foundation
import Martlet
import MartletTesting
import Testing

#if os(Linux)
import MartletCurl
#endif

/// Tests the faults of a server on the wire.
@Suite(.timeLimit(.minutes(5))) struct ServerFaultTests {
    func answer(_ reply: MockReply, time: ManualTime = ManualTime()) async throws -> (text: String, wasReset: Bool) {
        var options = MockServer.Options()
        options.time = time
        let server = try await MockServer.start(options: options)
        server.enqueue(reply)
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let text = try await client.readToEnd()
        await server.stop()
        return (text, await client.wasReset)
    }

    @Test("Faults apply to all replies or to those of a route, and not to the server's own errors")
    func scripts() async throws {
        let server = try await MockServer.start { .text($0.path) }
        server.on(.get("/own"), faults: .inOrder(nil, .reply(.status(502))), .text("own"))
        server.on(.get("/handled"), faults: .first(1, .reply(.status(504)))) { _, _ in .text("handled") }
        server.faults = .inOrder(.reply(.status(503)), nil, .reply(.status(503)))
        let client = try RawClient(port: server.port)
        func status(_ path: String) async throws -> Int? {
            try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
            return Int(try await client.readResponse().split(separator: " ")[1])
        }

        var all: [Int?] = []
        for path in ["/", "/own", "/handled", "/", "/own", "/handled", "/", "/"] { all.append(try await status(path)) }
        #expect(all == [503, 200, 504, 200, 502, 200, 503, 200])
        server.faults = .first(1, .reply(.status(599)))
        #expect(try await [status("/"), status("/")] == [599, 200])
        await server.stop()

        let bare = try await MockServer.start()
        bare.faults = .always(.reset)
        let other = try RawClient(port: bare.port)
        try await other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await other.readResponse().contains("no reply is scripted"))
        await bare.stop()
    }

    @Test("Connections are dropped and reset where the fault specifies it")
    func connections() async throws {
        #expect(try await answer(.text("abcdef").with(.drop(atByte: 2))).text.hasSuffix("\r\n\r\nab"))
        #expect(try await answer(.text("abcdef").with(.disconnect(afterHeadBytes: 12))).text == "HTTP/1.1 200")
        #expect(try await answer(.text("abcdef").with(.reset)) == ("", true))
    }

    @Test("A stall lasts its duration, for content in memory, in pieces and from a stream")
    func stall() async throws {
        for reply in [MockReply.text("abcdef"), .stream("a", "bcd", "ef"), .stream { HTTPBody("abcdef") }, .stream("ab", "cdef")] {
            let time = ManualTime()
            let text = try await answer(reply.with(.stall(atByte: 2, for: .seconds(9))), time: time).text
            #expect(time.sleeps == [.seconds(9)])
            let content = text.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init) ?? ""
            #expect(content.filter { $0.isLetter } == "abcdef")
        }
        let time = ManualTime()
        _ = try await answer(.text("abc").with(.stall(atByte: 3, for: .seconds(9))), time: time)
        #expect(time.sleeps.isEmpty)
        _ = try await answer(.stream("abc").with(.stall(atByte: 3, for: .seconds(9))), time: time)
        _ = try await answer(MockReply.stream { HTTPBody("abc") }.with(.stall(atByte: 3, for: .seconds(9))), time: time)
        #expect(time.sleeps == [.seconds(9), .seconds(9)])
    }

    @Test("An endless stall withholds the rest until the client disconnects", arguments: [true, false])
    func stallForEver(isMade: Bool) async throws {
        let server = try await MockServer.start()
        let reply: MockReply = isMade ? .stream { HTTPBody("abcdef") } : .stream("abcdef")
        server.enqueue(reply.with(.stall(atByte: 2)))
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n").contains("chunked"))
        #expect(try await client.read(through: "ab\r\n") == "2\r\nab\r\n")
        await client.endSending()
        #expect(try await client.readToEnd().isEmpty)
        await server.stop()
    }

    @Test("A slow loris sends head and body a few bytes at a time with waits between")
    func slowLoris() async throws {
        let time = ManualTime()
        let plain = try await answer(.text("abcdef")).text
        #expect(try await answer(.text("abcdef").with(.slowLoris(bytes: 5, every: .seconds(1))), time: time).text == plain)
        #expect(time.sleeps == Array(repeating: .seconds(1), count: (plain.utf8.count + 4) / 5 - 1))

        let made = ManualTime()
        let text = try await answer(MockReply.stream { HTTPBody("abcdef") }.with(.slowLoris(bytes: 4, every: .seconds(1))), time: made).text
        #expect(text.hasSuffix("\r\n\r\n4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n"))
        let raw = ManualTime()
        #expect(try await answer(.raw("hello").with(.slowLoris(bytes: 2, every: .seconds(3))), time: raw).text == "hello")
        #expect(raw.sleeps == [.seconds(3), .seconds(3)])
    }

    @Test("A length that is too large ends with the connection; one that is too small leaves bytes on it")
    func lengths() async throws {
        let long = try await answer(.text("abc").with(.contentLength(offBy: 4))).text
        #expect(long.contains("Content-Length: 7\r\n") && long.hasSuffix("\r\n\r\nabc"))
        let short = try await answer(.stream("abc", "def").with(.contentLength(offBy: -2))).text
        #expect(short.contains("Content-Length: 4\r\n") && !short.contains("chunked") && short.hasSuffix("\r\n\r\nabcdef"))
    }

    @Test("Unsolicited text follows the response and a wait on a connection that stays open, and is left out on one that ends")
    func unsolicited() async throws {
        let time = ManualTime()
        var options = MockServer.Options()
        options.time = time
        let server = try await MockServer.start(options: options)
        let fault = Fault.unsolicited("HTTP/1.1 408 Request Timeout\r\n\r\n", after: .seconds(5))
        server.enqueue(.text("abc").with(fault), .text("def"))
        let client = try RawClient(port: server.port)
        for _ in 0..<2 { try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
        #expect(try await client.read(through: "abc").hasPrefix("HTTP/1.1 200"))
        #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 408 Request Timeout\r\n\r\n")
        #expect(try await client.read(through: "def").hasPrefix("HTTP/1.1 200"))
        #expect(time.sleeps == [.seconds(5)])
        await server.stop()
        #expect(try await answer(.text("abc").with(fault), time: time).text.hasSuffix("\r\n\r\nabc"))
        #expect("\(fault)" == "unsolicited(32 bytes, after: 5.0 seconds)")
    }

    #if os(Linux)
    @Test("A client that decodes gzip detects every damaged one, and reads an intact one", arguments: 0..<12 as Range<UInt64>)
    func gzip(seed: UInt64) async throws {
        let server = try await MockServer.start()
        let content = Data((0..<Int(seed == 11 ? 70_000 : seed * 90)).map { UInt8(truncatingIfNeeded: $0) })
        let size = content.count + 10 + 5 * max(1, (content.count + 65_534) / 65_535) + 8
        server.enqueue(
            .data(content).with(.cutGzip(atByte: size)), .data(content).with(.corruptGzip(seed: seed)), .data(content).with(.cutGzip()),
            .data(content).with(.cutGzip(atByte: size - 1)))
        let transport = CurlTransport()

        #expect(try await transport.send(HTTPRequest(url: server.url)).body.collect() == content)
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPError.self) { _ = try await transport.send(HTTPRequest(url: server.url)).body.collect() }
            guard case .invalidResponse = error else { Issue.record("\(String(describing: error))"); continue }
        }
        await server.stop()
    }

    @Test("With one fault in two replies, a client that tries three times succeeds")
    func flaky() async throws {
        let server = try await MockServer.start()
        server.on(.get("/x"), faults: .oneIn(2, .reset, seed: 7), .text("made it"))
        let client = HTTPClient(baseURL: server.url, transport: CurlTransport())
        for _ in 0..<20 {
            var answer: String?
            for _ in 0..<3 where answer == nil { answer = try? await client.send(Request<String>.get("x")) }
            #expect(answer == "made it")
        }
        #expect(server.requests.count > 20)
        await server.stop()
    }
    #endif
}
