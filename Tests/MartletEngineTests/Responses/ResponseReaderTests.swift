import Foundation
import MartletCodings
import TestSupport
import Testing

@testable import MartletEngine
@testable import MartletHTTP

/// Responses by which other parsers of HTTP/1.1 are tested, each with the verdict of RFC 9112. In texts, a character is one byte.
@Suite("ResponseReader", .timeLimit(.minutes(5)))
struct ResponseReaderTests {
    static let pieces = [1, 2, 3, 7, 1000]

    /// What the bytes of a response lead to.
    struct Outcome: Equatable, Sendable {
        enum End: Equatable, Sendable { case complete, more, over, switched, unexpected }

        var end = End.complete
        var status = 200
        var body = ""
        var trailers: [String] = []
        /// The bytes after the response.
        var rest = ""
        var error: HTTPError?
        var endsWithConnection = false

        static func complete(_ body: String = "", status: Int = 200, trailers: [String] = [], rest: String = "") -> Outcome {
            Outcome(status: status, body: body, trailers: trailers, rest: rest)
        }

        static func more(_ body: String = "", status: Int = 200, endsWithConnection: Bool = false) -> Outcome {
            Outcome(end: .more, status: status, body: body, endsWithConnection: endsWithConnection)
        }

        static func invalid(status: Int = 200) -> Outcome { Outcome(end: .over, status: status, error: HTTPError.invalidResponse) }

        static func tooLarge(_ subject: SizeLimitFailure.Subject, limit: Int, status: Int = 200) -> Outcome {
            Outcome(end: .over, status: status, error: HTTPError.responseTooLarge(SizeLimitFailure(subject, limit: limit)))
        }
    }

    /// The receiving side of a connection.
    struct Link {
        var reader = ResponseReader()
        var head = ResponseHead()
        var reception: Reception
        var work = RoundBudget()
        /// The action that followed the final head.
        var action: Reception.Action?

        init(acceptsUpgrade: Bool = false, decodes: Bool = false, _ change: (inout HTTPRequest) -> Void = { _ in }) {
            var request = HTTPRequest(url: URL(string: "http://a.example/")!)
            change(&request)
            let limits = request.context.limits
            reception = Reception(Reception.Terms(request, sendsBody: false, expectsContinue: false, maxContentCodings: 2))
            reception.begin(decodes: decodes, into: BodyBuffer())
            head.reset(limit: limits.headBytes, fieldLimit: limits.fieldCount, acceptsUpgrade: acceptsUpgrade, isHTTP1: true)
        }

        /// Reads one piece. Returns what it leads to, and the number of bytes that are not read.
        mutating func offer(_ bytes: [UInt8], into pipe: BodyPipe? = nil) -> (ResponseReader.Step, Int) {
            var scratch: [UInt8] = Array(repeating: 0, count: 1024)
            return bytes.withUnsafeBufferPointer { bytes -> (ResponseReader.Step, Int) in
                scratch.withUnsafeMutableBytes { scratch -> (ResponseReader.Step, Int) in
                    var rest = bytes[...]
                    while true {
                        work.begin()
                        let step = reader.read(&rest, &head, &reception, into: pipe, within: &work, scratch: scratch)
                        guard case .head(let action) = step else { return (step, rest.count) }
                        self.action = action
                    }
                }
            }
        }

        /// Reads bytes that arrive in pieces of a size, up to the end of the response.
        mutating func receive(_ bytes: [UInt8], piece: Int) -> Outcome {
            var outcome = Outcome(end: .more), position = 0
            while outcome.end == .more, position < bytes.count {
                let end = min(position + piece, bytes.count)
                let (step, left) = offer(Array(bytes[position..<end]))
                position = end - left
                switch step {
                case .more: outcome.end = left == 0 ? .more : .unexpected
                case .complete: outcome.end = .complete
                case .switched: outcome.end = .switched
                case .over: outcome.end = .over
                case .head, .paused: outcome.end = .unexpected
                }
            }
            outcome.status = reception.status.rawValue
            outcome.endsWithConnection = outcome.end == .more && reader.endsWithConnection
            if outcome.end == .complete { outcome.trailers = head.takeFields().map { "\($0.name): \($0.value)" } }
            if [.complete, .switched].contains(outcome.end) { outcome.rest = String(decoding: bytes[position...], as: UTF8.self) }
            if case .failure(let error) = reception.end(.success(())), outcome.end == .over { outcome.error = error }
            outcome.body = String(decoding: reception.takeBody(), as: UTF8.self)
            return outcome
        }
    }

    private func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    /// Expects one outcome, however the bytes are divided.
    private func check(
        _ text: String, _ expected: Outcome, acceptsUpgrade: Bool = false, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) {
        for piece in Self.pieces {
            var link = Link(acceptsUpgrade: acceptsUpgrade, change)
            let outcome = link.receive(bytes(text), piece: piece)
            #expect(outcome == expected, "\(text.debugDescription) in pieces of \(piece)")
        }
    }

    // MARK: Status lines

    @Test(
        "A status line may lack a reason, have more spaces and any code of three digits, and follow empty lines (RFC 9112 §2.2, §4)",
        arguments: [
            ("HTTP/1.1 200 OK", 200), ("HTTP/1.0 200 OK", 200), ("HTTP/1.2 200 OK", 200), ("HTTP/1.9 200 OK", 200), ("HTTP/1.1 404", 404),
            ("HTTP/1.1 500 ", 500), ("HTTP/1.1  200  OK", 200), ("HTTP/1.1 200\tOK", 200), ("HTTP/1.1 404 HTTP/1.1 200 OK", 404),
            ("HTTP/1.1 200 \u{E9}t\u{E9}", 200), ("HTTP/1.1 200 a\rb", 200), ("HTTP/1.1 599 X", 599), ("HTTP/1.1 999 X", 999),
        ])
    func statusLines(line: String, status: Int) {
        check("\(line)\r\nContent-Length: 2\r\n\r\nok+", .complete("ok", status: status, rest: "+"))
    }

    @Test(
        "Any other first line is malformed (RFC 9112 §4)",
        arguments: [
            "HTTP/1.1200 OK", "HTTP/1.1 200OK", "HTTP/1.1 20 OK", "HTTP/1.1 2 OK", "HTTP/1.1 099 OK", "HTTP/1.1 2000 OK",
            "HTTP/1.1 0200 OK", "HTTP/1.1 20000 OK", "HTTP/1.1 18446744073709551816 OK", "HTTP/1.1 2x0 OK", "HTTP/1.1 0xC8 OK",
            "HTTP/1.1 200.5 OK",
            "\r\nHTTP/1.1 200 OK", "\nHTTP/1.1 200 OK", "HTTP/1.1 200\u{0}OK", "HTTP/1.1 +200 OK", "HTTP/1.1 -200 OK", "HTTP/1.1 OK",
            "HTTP/1.1 OK 200", "HTTP/1.1", "HTTP/1.1 ",
            "HTTP/2.0 200 OK",
            "HTTP/2 200 OK", "HTTP/3 200 OK", "HTTP/0.9 200 OK", "HTTP/1 200 OK", "HTTP/1. 200 OK", "HTTP/.1 200 OK", "HTTP/11 200 OK",
            "HTTP/1.10 200 OK", "HTTP/01.1 200 OK", "HTTP/1.x 200 OK", "HTTP/1,1 200 OK", "HTTP/ 200 OK", "HTTP 200 OK", "HTTP/1.1\r200 OK",
            "http/1.1 200 OK", "Http/1.1 200 OK", "HTTPS/1.1 200 OK", " HTTP/1.1 200 OK", "\tHTTP/1.1 200 OK", "\u{0}HTTP/1.1 200 OK",
            "xHTTP/1.1 200 OK", "ICY 200 OK", "200 OK", "A: 1", "SSH-2.0-OpenSSH_9.6", "<html>", "GET / HTTP/1.1",
        ])
    func malformedStatusLines(line: String) {
        check("\(line)\r\nContent-Length: 2\r\n\r\nok", .invalid(status: 0))
        check("HTTP/1.1 103 Early Hints\r\n\r\n\(line)\r\nContent-Length: 2\r\n\r\nok", .invalid(status: 0))
    }

    @Test("A later minor version is read as HTTP/1.1 (RFC 9110 §2.5)", arguments: [("1.0", true), ("1.1", false), ("1.2", false)])
    func versions(version: String, isHTTP10: Bool) {
        for piece in Self.pieces {
            var link = Link()
            _ = link.receive(bytes("HTTP/\(version) 200 OK\r\n\r\n"), piece: piece)
            let expected: HTTPVersion = isHTTP10 ? .http10 : .http11
            #expect(link.reception.version == expected)
        }
    }

    @Test(
        "A first line without an end that does not begin like HTTP is a fault when the connection ends",
        arguments: [
            ("", false), ("H", false), ("HTTP/1.1 20", false), ("HTTP/1.1 200 OK\r\nA", false), ("HTTP/1.1 200 OK\r\n\r\n", false),
            ("HTTP/1.1 100 Continue\r\n\r\n", false), ("HTTP/1.1 100 Continue\r\n\r\nHTTP", false), ("SSH-2.0", true), ("h", true),
            ("HTTX", true), (" HTTP/1.1", true), ("HTTP/1.1 100 Continue\r\n\r\nx", true),
        ])
    func faultAtEnd(text: String, isFault: Bool) {
        for piece in Self.pieces {
            var link = Link()
            _ = link.receive(bytes(text), piece: piece)
            let fault = link.reader.faultAtEnd(of: link.head), expected: ResponseHead.Fault? = isFault ? .statusLine : nil
            #expect(fault == expected, "in pieces of \(piece)")
        }
    }

    // MARK: Fields

    @Test(
        "Values lose the white space around them, folds are joined, and bytes that could end a line become spaces (RFC 9112 §2.2, §5)",
        arguments: [
            ("X: 1", "1"), ("X:1", "1"), ("x:\t 1 \t", "1"), ("X:", ""), ("X: ", ""), ("X: a:b", "a:b"), ("X: 1\r\nX: 2", "1, 2"),
            ("X : 1", "1"), ("X\t: 1", "1"), ("X: a\r\n b", "a b"), ("X: a\r\n  b\r\n\t c", "a b c"), ("X:\r\n a", "a"),
            ("X: a\r\n \r\nY: b", "a"), ("X: a\n b", "a b"), ("X: caf\u{E9}", "caf\u{E9}"),
            ("X: a\rb", "a b"), ("X: a\rContent-Length: 9", "a Content-Length: 9"), ("X: a\r", "a"),
            (": a\r\nX: 1", "1"), ("X: 1\r\nContent-Lengths: 9", "1"), ("X: 1\r\nX-Content-Length: 9", "1"),
        ])
    func fields(lines: String, value: String) {
        let text = "HTTP/1.1 200 OK\r\n\(lines)\r\nContent-Length: 2\r\n\r\nok+"
        check(text, .complete("ok", rest: "+"))
        for piece in Self.pieces {
            var link = Link()
            _ = link.receive(bytes(text), piece: piece)
            #expect(link.reception.headers["X"] == value, "in pieces of \(piece)")
        }
    }

    @Test("Lines may end with a line feed alone (RFC 9112 §2.2)")
    func lineFeeds() {
        check("HTTP/1.1 200 OK\nX: 1\nContent-Length: 2\n\nok+", .complete("ok", rest: "+"))
        check("HTTP/1.1 200 OK\nX: 1\r\nContent-Length: 2\n\r\nok+", .complete("ok", rest: "+"))
        check("HTTP/1.1 100\n\nHTTP/1.1 204\n\n+", .complete(status: 204, rest: "+"))
    }

    @Test(
        "A line without a colon or with a NUL, a folded first line, and a framing field with a fold or without its colon after the name, are malformed (RFC 9112 §2.2, §5)",
        arguments: [
            "nothing", "X: 1\r\nnothing", "X: a\u{0}b", "X: a\r\n \u{0}", " A: 1", "\tA: 1", " ", " Content-Length: 2",
            "A: 1\r\nContent-Length : 2", "Content-Length\t: 2", "Content-Length\r: 2",
            "Content-Length\u{0}: 2", "Content-Length 2", "Content-Length", "content-length:\r\n 2", "CONTENT-LENGTH: 2\r\n\t3",
            "Transfer-Encoding : chunked", "TRANSFER-ENCODING\t: chunked", "Transfer-Encoding\u{B}: chunked", "Transfer-Encoding",
            "transfer-encoding:\r\n chunked", "Transfer-Encoding: chunked\r\n , gzip",
        ])
    func malformedFields(lines: String) { check("HTTP/1.1 200 OK\r\n\(lines)\r\nB: 2\r\n\r\nok", .invalid(status: 0)) }

    // MARK: The length of the body

    @Test(
        "The length is one number of digits, which may be repeated (RFC 9110 §8.6, RFC 9112 §6.3)",
        arguments: [
            ("Content-Length: 5", 5), ("content-length:5", 5), ("CONTENT-LENGTH: \t5 \t", 5), ("Content-Length: 005", 5),
            ("Content-Length: 00000000000000000000000005", 5), ("Content-Length: 5\r\nA: 1\r\nContent-Length: 5", 5),
            ("Content-Length: 5, 5", 5), ("Content-Length: 5,5\r\ncontent-length:5", 5), ("Content-Length: 0", 0),
            ("Content-Length: 00", 0), ("Content-Length: 6", 6),
        ])
    func lengths(lines: String, length: Int) {
        let body = String("hello+".prefix(length)), rest = String("hello+".dropFirst(length))
        for version in ["1.0", "1.1"] { check("HTTP/\(version) 200 OK\r\n\(lines)\r\n\r\nhello+", .complete(body, rest: rest)) }
        check("HTTP/1.1 404 No\r\n\(lines)\r\nContent-Type: a\r\n\r\nhello+", .complete(body, status: 404, rest: rest))
    }

    @Test(
        "Any other length is malformed (RFC 9112 §6.3)",
        arguments: [
            "5\r\nContent-Length: 6", "5\r\nContent-Length: 5, 6", "5, 6", "5, five", "", "-5", "+5", "-0", "0x5", "5h", "5.0", "5e0",
            "5 5", "5;", "\"5\"", "five", "\u{B2}", "5\r5", "\u{B}5", "9223372036854775808", "18446744073709551621",
            "99999999999999999999999999",
        ])
    func malformedLengths(value: String) { check("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nhello", .invalid()) }

    @Test(
        "A response to HEAD, and one with 204 or 304, ends with its head (RFC 9112 §6.3)",
        arguments: [
            "", "Content-Length: 0\r\n", "Content-Length: 5\r\n", "Content-Length: 9223372036854775807\r\n",
            "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Connection: close\r\n",
        ])
    func noBody(lines: String) {
        check("HTTP/1.1 200 OK\r\n\(lines)\r\nhello", .complete(rest: "hello")) { $0.method = .head }
        check("HTTP/1.1 404 No\r\n\(lines)\r\nhello", .complete(status: 404, rest: "hello")) { $0.method = .head }
        for status in [204, 304] { check("HTTP/1.1 \(status) X\r\n\(lines)\r\nhello", .complete(status: status, rest: "hello")) }
    }

    @Test("A body without a length ends with the connection (RFC 9112 §6.3)", arguments: ["", "Connection: close\r\n", "Upgrade: x\r\n"])
    func untilClose(lines: String) {
        for version in ["1.0", "1.1"] {
            for body in ["", "h", "hello\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"] {
                check("HTTP/\(version) 200 OK\r\n\(lines)\r\n\(body)", .more(body, endsWithConnection: true))
            }
        }
    }

    // MARK: Transfer codings

    @Test(
        "A body in chunks has no other coding, and its coding overrides a length (RFC 9112 §6.3, §7)",
        arguments: [
            "Transfer-Encoding: chunked", "transfer-encoding:CHUNKED", "Transfer-Encoding: \tChunked \t",
            "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 3",
        ])
    func chunked(lines: String) {
        check("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n5\r\nhello\r\n0\r\n\r\n+", .complete("hello", rest: "+"))
    }

    @Test("A coding that is not chunked ends with the connection (RFC 9112 §6.3)")
    func identity() {
        for lines in ["Transfer-Encoding: identity\r\n", "Transfer-Encoding: Identity\r\nContent-Length: 2\r\n"] {
            check("HTTP/1.1 200 OK\r\n\(lines)\r\n2\r\nok\r\n", .more("2\r\nok\r\n", endsWithConnection: true))
        }
    }

    @Test(
        "An unknown coding, and several codings, are refused (RFC 9112 §6.1, §7)",
        arguments: [
            "gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "identity, chunked", "chunked, identity", "xchunked", "chunkedx",
            "chunked;a=b", "\"chunked\"", "chunked chunked", "\u{B}chunked", "chunked\r\nTransfer-Encoding: chunked",
            "gzip\r\nA: 1\r\nTransfer-Encoding: chunked", "identity\r\nTransfer-Encoding: identity",
        ])
    func refusedCodings(value: String) {
        let chunks = "5\r\nhello\r\n0\r\n\r\n"
        check("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(value)\r\n\r\n\(chunks)", .invalid())
        check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: \(value)\r\n\r\n\(chunks)", .invalid())
    }

    @Test("A transfer coding in HTTP/1.0 is refused, because its framing is faulty (RFC 9112 §6.1)")
    func codingsOfHTTP10() {
        for value in ["chunked", "identity", "gzip", "chunked\r\nContent-Length: 5", "identity\r\nContent-Length: 5"] {
            check("HTTP/1.0 200 OK\r\nTransfer-Encoding: \(value)\r\n\r\n5\r\nhello\r\n0\r\n\r\n", .invalid())
        }
    }

    @Test("A length beside a transfer coding is reported as ambiguous (RFC 9112 §6.3)")
    func ambiguousLength() {
        for (lines, isAmbiguous) in [
            ("Content-Length: 2\r\n", false), ("Transfer-Encoding: chunked\r\n", false),
            ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", true), ("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", true),
        ] {
            for piece in Self.pieces {
                var link = Link()
                _ = link.receive(bytes("HTTP/1.1 200 OK\r\n\(lines)\r\n"), piece: piece)
                #expect(link.reception.hasAmbiguousLength == isAmbiguous, "\(lines)")
            }
        }
    }

    // MARK: Chunks

    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(
        "Sizes are hexadecimal, and extensions are ignored (RFC 9112 §7.1)",
        arguments: [
            ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"), ("0\r\n\r\n", ""), ("000\r\n\r\n", ""),
            ("00005\r\nhello\r\n0\r\n\r\n", "hello"), ("000000000000005\r\nhello\r\n000000000000000\r\n\r\n", "hello"),
            ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("B\r\n0123456789a\r\n0\r\n\r\n", "0123456789a"),
            ("1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n", "abcdefghijklmnopqrstuvwxyz"),
            ("7\r\n0\r\n\r\nab\r\n0\r\n\r\n", "0\r\n\r\nab"), ("5 \r\nhello\r\n0 \t\r\n\r\n", "hello"),
            ("5;a\r\nhello\r\n0;b\r\n\r\n", "hello"), ("5;a=b;c=d\r\nhello\r\n0;e=f\r\n\r\n", "hello"),
            ("5 ; a = b\r\nhello\r\n0\r\n\r\n", "hello"), ("5;a=\"b;c\"\r\nhello\r\n0\r\n\r\n", "hello"),
            ("5;a=\"\\\"\t\u{E9}\"\r\nhello\r\n0\r\n\r\n", "hello"),
        ])
    func chunks(text: String, body: String) { check(Self.chunkedHead + text + "+", .complete(body, rest: "+")) }

    @Test("The lines of chunks may end with a line feed alone", arguments: ["5\nhello\n0\n\n", "5;a\nhello\r\n0;a\n\r\n"])
    func lineFeedsInChunks(text: String) { check(Self.chunkedHead + text + "+", .complete("hello", rest: "+")) }

    @Test(
        "Malformed chunks are refused (RFC 9112 §7.1)",
        arguments: [
            // The line of a size.
            "\r\n", "\n5\r\nhello\r\n", " 5\r\nhello\r\n", "x\r\n", "g\r\n", "0x5\r\nhello\r\n", "5 x\r\nhello\r\n", "+5\r\nhello\r\n",
            "-5\r\nhello\r\n",
            "-0\r\n\r\n", "5h\r\nhello\r\n", "5,\r\nhello\r\n", "5.0\r\nhello\r\n", "5_\r\nhello\r\n", "1000000000000000\r\n",
            "ffffffffffffffff\r\n", "10000000000000005\r\nhello\r\n", "fffffffffffffffffffffffffffffffb\r\n", "5\u{0}\r\nhello\r\n",
            "5\u{B}\r\nhello\r\n", "\u{B5}\r\n", "5\rhello\r\n", "5\r\rhello\r\n", "5\r\r\nhello\r\n", "5 \u{B}\r\nhello\r\n",
            // Extensions.
            ";a=b\r\nhello\r\n", ";\r\n", "5;a\rb\r\nhello\r\n", "5;a\r\r\nhello\r\n", "5;a\u{0}\r\nhello\r\n", "5;a\u{1}b\r\nhello\r\n",
            "5;a=\"\u{7F}\"\r\nhello\r\n", "0;a\u{0}\r\n\r\n", "5;a=\"b\rc\"\r\nhello\r\n",
            // The end of the content.
            "5\r\nhello0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n", "5\r\nhello \r\n0\r\n\r\n", "5\r\nhello\r0\r\n\r\n",
            "5\r\nhello\r\r\n0\r\n\r\n", "3\r\nhello\r\n0\r\n\r\n", "7\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n\r\n0\r\n\r\n",
            "5\r\nhello\r\nx\r\n",
            // The trailers.
            "0\r\n A: 1\r\n\r\n", "0\r\n\tA: 1\r\n\r\n",
        ])
    func malformedChunks(text: String) { check(Self.chunkedHead + text, .invalid()) }

    @Test(
        "A body without its last chunk and the line after it is not complete (RFC 9112 §8)",
        arguments: [
            ("", ""), ("5", ""), ("5\r", ""), ("5;a", ""), ("5\r\n", ""), ("5\r\nhel", "hel"), ("5\r\nhello", "hello"),
            ("5\r\nhello\r", "hello"), ("5\r\nhello\r\n", "hello"), ("5\r\nhello\r\n0", "hello"), ("5\r\nhello\r\n0\r", "hello"),
            ("5\r\nhello\r\n0\r\n", "hello"), ("5\r\nhello\r\n0\r\n\r", "hello"), ("0\r\nA: 1", ""), ("0\r\nA: 1\r\n", ""),
            ("0\r\nA: 1\r\n\r", ""), ("fffffffffffffff\r\nhello", "hello"),
        ])
    func truncatedChunks(text: String, body: String) { check(Self.chunkedHead + text, .more(body)) }

    @Test("Trailers are read like fields, and set no length (RFC 9110 §6.5, RFC 9112 §7.1.2)")
    func trailers() {
        let cases: [(text: String, trailers: [String])] = [
            ("0\r\n\r\n", []), ("0\r\nA: 1\r\n\r\n", ["A: 1"]), ("0\r\nA: 1\r\nB:\r\nA: 2\r\n\r\n", ["A: 1", "B: ", "A: 2"]),
            ("0\r\nA: 1\r\n 2\r\n\t3\r\n\r\n", ["A: 1 2 3"]), ("0\r\nA: 1\n\n", ["A: 1"]), ("0\r\nA: a\rb c\r\n\r\n", ["A: a b c"]),
            ("0\r\nContent-Length: 9\r\nTransfer-Encoding: gzip\r\n\r\n", ["Content-Length: 9", "Transfer-Encoding: gzip"]),
        ]
        for (text, trailers) in cases {
            check(Self.chunkedHead + text + "+", .complete(trailers: trailers, rest: "+"))
            check(Self.chunkedHead + "5\r\nhello\r\n" + text + "+", .complete("hello", trailers: trailers, rest: "+"))
        }
    }

    @Test("The bytes between two pieces of content have a limit", arguments: [7, 1000, 65_536])
    func endlessExtensions(piece: Int) {
        // The size, the semicolon and the end of the line count too.
        let fitting = ChunkedBody.maxSkipped - 4
        for (count, expected) in [(fitting, Outcome.complete("hello", rest: "+")), (fitting + 1, Outcome.invalid())] {
            var text = bytes(Self.chunkedHead + "5;")
            text.append(contentsOf: Array(repeating: UInt8(ascii: "x"), count: count))
            text.append(contentsOf: bytes("\r\nhello\r\n0\r\n\r\n+"))
            var link = Link()
            let outcome = link.receive(text, piece: piece)
            #expect(outcome == expected)
        }
    }

    // MARK: Interim responses

    @Test("Interim responses are dropped with their fields (RFC 9110 §15.2)")
    func interim() {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 9\r\n\r\n", more = "HTTP/1.1 100 Continue\r\n\r\n"
        let cases: [(text: String, hasContinue: Bool)] = [
            ("", false), (more, true), ("HTTP/1.1 100\n\n", true), ("HTTP/1.0 100 Continue\r\n\r\n", true), (early, false),
            ("\(early)\(more)", true), ("\(more)\(early)", true), ("\(early)\(early)\(more)\(early)", true),
            ("HTTP/1.1 102 \r\n\r\n", false), ("HTTP/1.1 199 X\r\nA: 1\r\n\r\n", false),
            ("HTTP/1.1 103 X\r\nTransfer-Encoding: chunked\r\n\r\n", false),
        ]
        let fields: HTTPFields = ["Content-Length": "2"]
        for (text, hasContinue) in cases {
            let whole = "\(text)HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok+"
            check(whole, .complete("ok", rest: "+"))
            for piece in Self.pieces {
                var link = Link()
                _ = link.receive(bytes(whole), piece: piece)
                #expect(link.reception.headers == fields)
                #expect(link.head.hasContinue == hasContinue, "\(text)")
            }
        }
    }

    @Test("A switch of protocols needs a request for it, in HTTP/1.1, and ends the response (RFC 9110 §7.8, §15.2.2)")
    func switching() {
        let text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nHTTP/1.1 404 No\r\n\r\n"
        check(text, .invalid(status: 0))
        check("HTTP/1.1 100 Continue\r\n\r\n" + text, .invalid(status: 0))
        let switched = Outcome(end: .switched, status: 101, rest: "HTTP/1.1 404 No\r\n\r\n")
        check(text, switched, acceptsUpgrade: true)
        check("HTTP/1.1 100 Continue\r\n\r\n" + text, switched, acceptsUpgrade: true)
        check("HTTP/1.0 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", .invalid(status: 0), acceptsUpgrade: true)
        check("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok+", .complete("ok", rest: "+"), acceptsUpgrade: true)
    }

    // MARK: The end of a response

    @Test(
        "A response is complete with its last byte, not before",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No Content\r\nA: 1\r\n b\r\n\r\n",
            "HTTP/1.1 103 X\r\nA: a\r\n\r\nHTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nT: 1\r\n\r\n",
        ])
    func prefixes(text: String) {
        let all = bytes(text)
        for piece in Self.pieces {
            for count in 1...all.count {
                var link = Link()
                let outcome = link.receive(Array(all.prefix(count)), piece: piece)
                let expected: Outcome.End = count == all.count ? .complete : .more
                #expect(outcome.end == expected, "\(count) bytes in pieces of \(piece)")
                #expect(!outcome.endsWithConnection)
            }
        }
    }

    @Test("A reader that is reset reads the next response from its first byte", arguments: pieces)
    func reset(piece: Int) {
        var link = Link()
        #expect(!link.reader.hasBegun)
        let starts = [
            "H", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel", "\(Self.chunkedHead)5\r\nhello\r\n0\r\nA",
            "HTTP/1.1 200 OK\r\n\r\nhello",
        ]
        for start in starts {
            _ = link.receive(bytes(start), piece: piece)
            #expect(link.reader.hasBegun)
            var reader = link.reader
            reader.reset()
            #expect(!reader.hasBegun && !reader.endsWithConnection && !reader.isAwaited)
            link = Link()
            link.reader = reader
            let outcome = link.receive(bytes("HTTP/1.1 201 Made\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 202"), piece: piece)
            #expect(outcome == .complete("ok", status: 201, rest: "HTTP/1.1 202"))
            link = Link()
        }
    }

    // MARK: Limits

    @Test("A head has as many bytes as the limit allows, and no line without an end is stored beyond it")
    func headBytes() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", count = head.utf8.count
        check(head + "ok+", .complete("ok", rest: "+")) { $0.context.limits.headBytes = count }
        check(head + "ok+", .tooLarge(.head, limit: count - 1, status: 0)) { $0.context.limits.headBytes = count - 1 }
        let long = String(repeating: "x", count: 300), fields = String(repeating: "A: 1\r\n", count: 50)
        let heads = [
            "HTTP/1.1 200 \(long)", "HTTP/1.1 200 OK\r\nA: \(long)", "HTTP/1.1 200 OK\r\n\(fields)", "HTTP/1.1 200 OK\r\nA: 1\r\n \(long)",
            String(repeating: "HTTP/1.1 100 Go\r\n\r\n", count: 20),
        ]
        for endless in heads { check(endless, .tooLarge(.head, limit: 100, status: 0)) { $0.context.limits.headBytes = 100 } }
        for endless in ["A: \(long)", fields] {
            check("\(Self.chunkedHead)0\r\n\(endless)", .tooLarge(.head, limit: 100)) { $0.context.limits.headBytes = 100 }
        }
    }

    @Test("The head and the trailers each have as many fields as the limit allows")
    func fieldCount() {
        func limit(_ request: inout HTTPRequest) { request.context.limits.fieldCount = 2 }
        check("HTTP/1.1 204 X\r\nA: 1\r\n 2\r\nB: 3\r\n\r\n", .complete(status: 204), limit)
        check("HTTP/1.1 204 X\r\nA: 1\r\nA: 1\r\nB: 1\r\n\r\n", .tooLarge(.fields, limit: 2, status: 0), limit)
        let start = Self.chunkedHead + "0\r\n"
        check(start + "A: 1\r\nB: 2\r\n\r\n", .complete(trailers: ["A: 1", "B: 2"]), limit)
        check(start + "A: 1\r\nB: 2\r\nC: 3\r\n\r\n", .tooLarge(.fields, limit: 2), limit)
    }

    @Test("A body that is collected has as many bytes as the limit allows")
    func bodyBytes() {
        func limit(_ request: inout HTTPRequest) { request.context.limits.bodyBytes = 4 }
        let tooLarge = Outcome.tooLarge(.body, limit: 4)
        check("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour", .complete("four"), limit)
        check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", tooLarge, limit)
        check("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n", tooLarge, limit)
        check(Self.chunkedHead + "4\r\nfour\r\n0\r\n\r\n", .complete("four"), limit)
        check(Self.chunkedHead + "2\r\nfo\r\n3\r\nur!\r\n0\r\n\r\n", tooLarge, limit)
        check(Self.chunkedHead + "fffffffffffffff\r\nfour!", tooLarge, limit)
        check("HTTP/1.1 200 OK\r\n\r\nfour", .more("four", endsWithConnection: true), limit)
        check("HTTP/1.1 200 OK\r\n\r\nfour!", tooLarge, limit)
    }

    // MARK: Streams

    /// Reads a streamed response into a pipe of four bytes, and empties the pipe only when the response is paused.
    private func stream(_ bytes: [UInt8], piece: Int, decodes: Bool = false) async throws -> (body: Data, pauses: Int, Reception.Action?) {
        var link = Link(decodes: decodes) { $0.context.streamsBody = true }
        let pipe = BodyPipe(capacity: 4) { _ in }
        var rest = bytes[...], body = Data(), pauses = 0, isComplete = false
        while !isComplete, !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            let (step, left) = link.offer(part, into: pipe)
            rest = rest.dropFirst(part.count - left)
            switch step {
            case .more: try #require(left == 0)
            case .complete: isComplete = true
            case .paused:
                #expect(link.reception.pause == .untilRoom)
                pauses += 1
                let taken = try #require(try await pipe.next())
                body.append(taken)
                let resumes = link.reception.readerMadeRoom()
                #expect(resumes)
            case .head, .over, .switched:
                Issue.record("the response ended early")
                return (body, pauses, link.action)
            }
        }
        #expect(rest.isEmpty)
        #expect(isComplete != link.reader.endsWithConnection)
        pipe.end(link.reception.end(.success(())))
        while let last = try await pipe.next() { body.append(last) }
        return (body, pauses, link.action)
    }

    @Test("A streamed body pauses while its pipe is full, and continues with the same bytes", arguments: pieces)
    func pauses(piece: Int) async throws {
        let text = String(repeating: "0123456789", count: 250), chunks = String(repeating: "a\r\n0123456789\r\n", count: 250)
        let responses: [(text: String, length: Int64?)] = [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2500\r\n\r\n\(text)", 2500), ("\(Self.chunkedHead)\(chunks)0\r\nT: 1\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\n\r\n\(text)", nil),
        ]
        for response in responses {
            let (body, pauses, action) = try await stream(bytes(response.text), piece: piece)
            #expect(action == Reception.Action.respond(hasBody: true, length: response.length))
            #expect(body == Data(text.utf8))
            #expect(pauses > 0)
        }
    }

    @Test("A coded body in chunks pauses while its pipe is full, and is decoded once", arguments: pieces)
    func codedPauses(piece: Int) async throws {
        try #require(ContentCoding.available.contains(.gzip))
        var coded = CodedSamples.gzip, response = bytes("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
        while !coded.isEmpty {
            let chunk = coded.prefix(16)
            coded = coded.dropFirst(16)
            response.append(contentsOf: bytes("\(String(chunk.count, radix: 16))\r\n"))
            response.append(contentsOf: chunk)
            response.append(contentsOf: bytes("\r\n"))
        }
        response.append(contentsOf: bytes("0\r\n\r\n"))
        let (body, pauses, _) = try await stream(response, piece: piece, decodes: true)
        #expect(body == CodedSamples.text)
        #expect(pauses > 0)
    }
}
