import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests replies on the wire, and the ways in which they break.
@Suite(.timeLimit(.minutes(5))) struct ServerReplyTests {
    func answer(_ reply: MockReply, method: String = "GET", version: String = "1.1", options: MockServer.Options = .init()) async throws
        -> (text: String, wasReset: Bool)
    {
        let server = try await MockServer.start(options: options)
        server.enqueue(reply)
        let client = try RawClient(port: server.port)
        try await client.send("\(method) / HTTP/\(version)\r\nHost: x\r\nConnection: close\r\n\r\n")
        let text = try await client.readToEnd()
        await server.stop()
        return (text, await client.wasReset)
    }

    @Test("Bodies in pieces are sent in chunks (RFC 9112 §7.1), with trailers after them")
    func chunks() async throws {
        let text = try await answer(.text("hello world").chunked(5, 4).trailers(["X-Sum": "1"])).text
        #expect(text.contains("\r\nTransfer-Encoding: chunked\r\n") && !text.contains("Content-Length"))
        #expect(text.hasSuffix("\r\n\r\n5\r\nhello\r\n4\r\n wor\r\n2\r\nld\r\n0\r\nX-Sum: 1\r\n\r\n"))
        #expect(try await answer(.stream("a", "bc")).text.hasSuffix("\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"))
        #expect(try await answer(.text("x").trailers(["T": "1"])).text.hasSuffix("\r\n\r\n1\r\nx\r\n0\r\nT: 1\r\n\r\n"))
        let made = MockReply.stream(headers: ["X": "1"]) { HTTPBody("made") }.trailers(["T": "1"])
        #expect(try await answer(made).text.hasSuffix("\r\n\r\n4\r\nmade\r\n0\r\nT: 1\r\n\r\n"))
    }

    @Test("Without chunks, the end of the connection ends the body: if the reply requests it, and with HTTP/1.0")
    func untilClose() async throws {
        for text in [
            try await answer(.stream("a", "b").delimitedByClose()).text, try await answer(.stream("a", "b"), version: "1.0").text,
            try await answer(.stream { HTTPBody("ab") }, version: "1.0").text,
        ] {
            #expect(text.hasSuffix("\r\nConnection: close\r\n\r\nab") && !text.contains("Transfer-Encoding"))
        }
    }

    @Test("HEAD, 204 and 304 have no body, and the response to HEAD has the length (RFC 9110 §9.3.2)")
    func withoutContent() async throws {
        #expect(try await answer(.text("abc"), method: "HEAD").text.hasSuffix("\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"))
        #expect(try await answer(.stream { HTTPBody("x") }, method: "HEAD").text.hasSuffix("\r\n\r\n"))
        for status: HTTPStatus in [204, 304] {
            let text = try await answer(.text("abc", status: status)).text
            #expect(text.hasSuffix("\r\n\r\n") && !text.contains("Content-Length"))
        }
    }

    @Test("Lengths and codings in the reply's fields are sent unchanged, even if they are wrong")
    func asGiven() async throws {
        let lying = try await answer(.text("abc", headers: [.contentLength: "10"])).text
        #expect(lying.contains("Content-Length: 10\r\n") && !lying.contains("Content-Length: 3") && lying.hasSuffix("\r\n\r\nabc"))
        let coded = try await answer(.text("zzz", headers: [.transferEncoding: "chunked"])).text
        #expect(coded.hasSuffix("\r\n\r\nzzz") && coded.components(separatedBy: "Transfer-Encoding").count == 2)
    }

    @Test("Interim responses precede the final one (RFC 9110 §15.2), and raw bytes are sent unchanged")
    func interimAndRaw() async throws {
        let text = try await answer(.text("x").precededBy(103, headers: [.link: "</a.css>"]).precededBy(102)).text
        #expect(text.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(try await answer(.raw("SSH-2.0-nonsense\r\n")).text == "SSH-2.0-nonsense\r\n")
    }

    @Test("A failure, which is for the mock transport, becomes a 500 that says so")
    func failure() async throws {
        let text = try await answer(.failure(.timeout)).text
        #expect(text.hasPrefix("HTTP/1.1 500 ") && text.contains("MockReply.failure is for MockTransport"))
    }

    @Test("Connections break where the reply specifies it: before the head, within it, or within the body")
    func disconnects() async throws {
        #expect(try await answer(.disconnect) == ("", false))
        #expect(try await answer(.text("abc").disconnecting(afterHeadBytes: 12)).text == "HTTP/1.1 200")
        #expect(try await answer(.text("abcdef").disconnecting(afterBodyBytes: 2)).text.hasSuffix("\r\n\r\nab"))
        #expect(try await answer(.stream("abc", "def").disconnecting(afterBodyBytes: 10)).text.hasSuffix("\r\n\r\n3\r\nabc\r\n3\r"))
        let made = MockReply.stream { HTTPBody("abcdef") }.disconnecting(afterBodyBytes: 5)
        #expect(try await answer(made).text.hasSuffix("\r\n\r\n6\r\nab"))
        #expect(try await answer(.reset) == ("", true))
        let reset = try await answer(.text("abcdef").disconnecting(afterBodyBytes: 2, reset: true))
        #expect(reset.wasReset)
    }

    @Test("A streamed body that throws an error breaks the connection")
    func failingBody() async throws {
        let sent = Recorder<Int>()
        let reply = MockReply.stream {
            HTTPBody {
                sent.append(1)
                if sent.count > 1 { throw HTTPError.timeout }
                return Data("a".utf8)
            }
        }
        #expect(try await answer(reply).text.hasSuffix("\r\n\r\n1\r\na\r\n"))
    }

    @Test("Delays before the head, before the body and between pieces use the given time source")
    func delays() async throws {
        let time = ManualTime()
        var options = MockServer.Options()
        options.time = time
        let reply = MockReply.text("abc").chunked(1).delayed(by: .seconds(1)).bodyDelayed(by: .seconds(2)).piecesDelayed(by: .seconds(3))

        #expect(try await answer(reply, options: options).text.hasSuffix("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"))
        #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(3), .seconds(3), .seconds(3)])
    }

    @Test("Silence lasts until the client disconnects")
    func silence() async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence, .status(200).delayed(by: .seconds(600)))
        for _ in 0..<2 {
            let client = try RawClient(port: server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            try await server.waitForRequests(1)
            await client.endSending()
            #expect(try await client.readToEnd().isEmpty)
        }
        await server.stop()
    }

    @Test("A client that does not read stops the server from writing and from reading more of a streamed body")
    func backpressure() async throws {
        var options = MockServer.Options()
        options.sendBufferBytes = 32 * 1024
        let server = try await MockServer.start(options: options)
        let made = Recorder<Int>()
        let pieces = 400, piece = Data(repeating: 7, count: 100_000)
        server.enqueue(
            .stream {
                HTTPBody {
                    made.append(1)
                    return made.count <= pieces ? piece : nil
                }
            })
        let client = try RawClient(port: server.port, receiveBufferBytes: 32 * 1024)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await client.read(through: "\r\n\r\n")

        // The client has read only a head. Whatever the kernel buffers is much less than the whole body.
        for round in 1...20 {
            _ = try await client.read(100_000)
            #expect(server.bytesWritten < 100_000 * round + 8_000_000)
            #expect(made.count <= server.bytesWritten / 100_000 + 2)
        }
        #expect(made.count < pieces)

        let framed = "186a0\r\n".utf8.count + piece.count + 2
        #expect(try await client.read(pieces * framed + 5 - 20 * 100_000).suffix(7) == Array("\r\n0\r\n\r\n".utf8)[...])
        #expect(made.count == pieces + 1 && server.bytesWritten > 40_000_000)
        await server.stop()
    }

    @Test("A large body in memory is received completely")
    func largeBody() async throws {
        let server = try await MockServer.start()
        let body = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        server.enqueue(.data(body))
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")

        _ = try await client.read(through: "\r\n\r\n")
        #expect(try await client.read(body.count) == Array(body))
        await server.stop()
    }
}
