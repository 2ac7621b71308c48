import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletMockServer

@Suite(.timeLimit(.minutes(5))) struct RequestParserTests {
    /// Describes all events.
    func parse(_ text: String, pieces: Int? = nil, headLimit: Int = 1000, bodyLimit: Int = 1000) -> [String] {
        var parser = RequestParser(headLimit: headLimit, bodyLimit: bodyLimit)
        var events: [String] = []
        var body = ""
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces ?? bytes.count) {
            bytes[start..<min(bytes.count, start + (pieces ?? bytes.count))].withUnsafeBytes { parser.append($0) }
            while let event = parser.next() {
                switch event {
                case .head(let head): events.append("\(head.method) \(head.target) \(head.version.rawValue) \(head.framing)")
                case .body(let piece): body += String(decoding: piece, as: UTF8.self)
                case .end(let trailers):
                    events.append("end '\(body)'" + trailers.map { " \($0.name)=\($0.value)" }.joined())
                    body = ""
                case .refused(let refusal): events.append("\(refusal.status.rawValue)")
                }
            }
        }
        return events
    }

    static let valid: [(String, [String])] = [
        ("GET /a?b=%20 HTTP/1.1\r\nHost: x\r\n\r\n", ["GET /a?b=%20 HTTP/1.1 none", "end ''"]),
        ("\r\n\r\nGET / HTTP/1.0\r\n\r\n", ["GET / HTTP/1.0 none", "end ''"]),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", ["POST / HTTP/1.1 length(5)", "end 'hello'"]),
        ("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2, 2\r\nContent-Length: 2\r\n\r\nhi", ["POST / HTTP/1.1 length(2)", "end 'hi'"]),
        (
            "PUT /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n5;x=\"y\"\r\nhello\r\n00A\r\n world 123\r\n0\r\nX-Sum: 1\r\n\r\n",
            ["PUT /p HTTP/1.1 chunked", "end 'hello world 123' X-Sum=1"]
        ),
        (
            "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\naGET /3 HTTP/1.1\r\nHost: x\r\n\r\n",
            [
                "GET /1 HTTP/1.1 none", "end ''", "POST /2 HTTP/1.1 length(1)", "end 'a'", "GET /3 HTTP/1.1 none", "end ''",
            ]
        ),
        ("OPTIONS * HTTP/1.1\r\nHost:\r\nContent-Length: 0\r\n\r\n", ["OPTIONS * HTTP/1.1 none", "end ''"]),
    ]

    @Test("Requests are parsed from pieces of any size", arguments: valid)
    func validRequests(text: String, expected: [String]) {
        for pieces in [nil, 1, 2, 3, 7] { #expect(parse(text, pieces: pieces) == expected) }
    }

    @Test("Pipelined requests that are split in two at any byte give the same events")
    func everyCut() {
        let text = Self.valid[4].0 + Self.valid[2].0 + Self.valid[0].0
        let whole = parse(text)
        #expect(whole.count == 6)
        for cut in 1..<text.utf8.count { #expect(parse(text, pieces: cut) == whole) }
    }

    static let refused: [(String, Int)] = [
        ("GET /\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1 \r\n", 400),
        ("G@T / HTTP/1.1\r\n", 400),
        ("GET /é HTTP/1.1\r\n", 400),
        ("GET / http/1.1\r\n", 400),
        ("GET / HTTP/2.0\r\n", 505),
        ("GET / HTTP/1.1\nHost: x\n\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\n: empty\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: a\u{0}b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nContent-Length: 1\r\n\r\n", 417),
        ("GET /" + String(repeating: "x", count: 1000) + " HTTP/1.1\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "x", count: 1000), 431),
    ]

    @Test("Heads that violate RFC 9112 are refused once, from pieces of any size", arguments: refused)
    func refusedHeads(text: String, status: Int) {
        for pieces in [nil, 1, 5] { #expect(parse(text + "GET / HTTP/1.1\r\nHost: x\r\n\r\n", pieces: pieces) == ["\(status)"]) }
    }

    @Test(
        "Chunks that violate RFC 9112 §7.1 are refused",
        arguments: [
            ("g\r\n", 400), ("\r\n", 400), (" 5\r\nhello\r\n", 400), ("5 5\r\n", 400), ("-1\r\n", 400), ("5\r\nhelloX\r\n", 400),
            ("5\r\nhelloXX0\r\n\r\n", 400),
            ("5\nhello\r\n", 400), ("FFFFFFFFFFFFFFFF\r\n", 400), ("FFFFFFFFFFFFFFF\r\n", 413), ("3e9\r\n", 413),
            ("5;" + String(repeating: "x", count: 5000) + "\r\n", 400), ("0\r\nbad trailer\r\n\r\n", 400),
            ("0\r\nX: " + String(repeating: "x", count: 1000) + "\r\n\r\n", 431),
        ])
    func refusedChunks(chunks: String, status: Int) {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        for pieces in [nil, 1] { #expect(parse(head + chunks, pieces: pieces) == ["POST / HTTP/1.1 chunked", "\(status)"]) }
    }

    @Test("Limits are exact for the head, a body with a length, and the sum of chunks")
    func limits() {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
        #expect(parse(head, headLimit: head.utf8.count, bodyLimit: 10).count == 1)
        #expect(parse(head, headLimit: head.utf8.count - 1) == ["431"])
        #expect(parse(head, bodyLimit: 9) == ["413"])
        let chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"
        #expect(parse(chunked, bodyLimit: 10).last == "end 'helloworld'")
        #expect(parse(chunked, bodyLimit: 9).last == "413")
        // The head of a second request is counted from its own start.
        let two = String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 40)
        #expect(parse(two, headLimit: 30).count == 80)
    }

    @Test("A connection stays open according to RFC 9112 §9.3")
    func keepAlive() {
        func keepsAlive(_ version: HTTPVersion, _ connection: String?) -> Bool {
            var head = RequestHead(version: version)
            head.fields[.connection] = connection
            return head.keepsAlive
        }
        #expect(keepsAlive(.http11, nil) && keepsAlive(.http11, "TE") && keepsAlive(.http10, "Keep-Alive"))
        #expect(!keepsAlive(.http10, nil) && !keepsAlive(.http11, "TE, Close") && !keepsAlive(.http10, "close, keep-alive"))
    }

    @Test("The bytes of the head are kept as received, and a large body is passed on without being kept")
    func bytes() throws {
        var parser = RequestParser(bodyLimit: 10_000_000)
        let head = "POST / HTTP/1.1\r\nHoSt: x\r\nX-A:  b \r\nContent-Length: 8000000\r\n\r\n"
        Array(head.utf8).withUnsafeBytes { parser.append($0) }
        guard case .head(let read) = parser.next() else { Issue.record("no head"); return }
        #expect(read.received == Array(head.utf8) && read.fields["x-a"] == "b")
        let block = [UInt8](repeating: 7, count: 80_000)
        var count = 0
        for _ in 0..<100 {
            block.withUnsafeBytes { parser.append($0) }
            while case .body(let bytes) = parser.next() { count += bytes.count }
            #expect(parser.unread == 0)
        }
        #expect(count == 8_000_000 && parser.isBetweenRequests)
    }
}
