import Foundation
import MartletHTTP
import Testing

@testable import MartletEngine

@Suite("ResponseHead", .timeLimit(.minutes(5)))
struct ResponseHeadTests {
    /// Reads lines as libcurl passes them on.
    private func read(
        _ text: String, limit: Int = 10_000, acceptsUpgrade: Bool = false
    ) -> (ResponseHead, [ResponseHead.Progress]) {
        read(Array(text.utf8), limit: limit, acceptsUpgrade: acceptsUpgrade)
    }

    private func read(
        _ bytes: [UInt8], limit: Int = 10_000, acceptsUpgrade: Bool = false
    ) -> (ResponseHead, [ResponseHead.Progress]) {
        var head = ResponseHead()
        head.reset(limit: limit, acceptsUpgrade: acceptsUpgrade)
        var progress: [ResponseHead.Progress] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            (Array(line) + [UInt8(ascii: "\n")]).withUnsafeBufferPointer { progress.append(head.add($0)) }
        }
        return (head, progress)
    }

    @Test("Status lines of every version are read, with and without a reason (RFC 9112 §4)")
    func statusLines() {
        let cases: [(String, Int, HTTPVersion)] = [
            ("HTTP/1.1 200 OK", 200, .http11), ("HTTP/1.1 404", 404, .http11), ("HTTP/1.0 500 ", 500, .http10),
            ("HTTP/2 204 ", 204, .http2), ("HTTP/3 201", 201, .http3),
        ]
        for (line, status, version) in cases {
            let (head, progress) = read(line + "\r\n\r\n")
            #expect(progress.last == .complete)
            #expect(head.status.rawValue == status)
            #expect(head.version == version)
        }
    }

    @Test("A status line is the first line, and the first one after an interim response (RFC 9110 §15.2)")
    func nextLine() {
        for (text, isAtStatusLine) in [
            ("", true), ("HTTP/1.1 100 Continue\r\n", false), ("HTTP/1.1 103 Early Hints\r\nLink: a\r\n", false),
            ("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n", true), ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", false),
            ("HTTP/1.1 200 OK\r\n\r\n", false),
        ] { #expect(read(text).0.isAtStatusLine == isAtStatusLine, "\(text)") }
    }

    @Test("Lines without a space, without a value, with spaces before the colon, and with any bytes are accepted (RFC 9112 §5)")
    func lenientLines() {
        var (head, _) = read(Array("HTTP/1.1 200 OK\r\nA:1\r\nB: \r\nC : 3\r\nD: caf".utf8) + [0xE9] + Array("\r\nE:a:b\r\n\r\n".utf8))
        let fields = head.takeFields()
        #expect(fields["A"] == "1")
        #expect(fields["B"] == "")
        #expect(fields["C"] == "3")
        #expect(fields["D"] == "café")
        #expect(fields["E"] == "a:b")
    }

    @Test("Lines that are not fields are ignored")
    func nonFields() {
        var (head, _) = read("HTTP/1.1 200 OK\r\nnothing\r\n: no name\r\nA: 1\r\n\r\n")
        #expect(head.takeFields().map(\.name) == ["A"])
    }

    @Test("Folded lines are joined with a space (RFC 9112 §5.2)")
    func folding() {
        var (head, _) = read("HTTP/1.1 200 OK\r\nA: one\r\n  two\r\n\tthree\r\nB: 2\r\n\r\n")
        let fields = head.takeFields()
        #expect(fields["A"] == "one two three")
        #expect(fields["B"] == "2")
    }

    @Test("All interim responses are dropped (RFC 9110 §15.2)")
    func interim() {
        var (head, progress) = read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n")
        #expect(progress.filter { $0 == .complete }.count == 1)
        #expect(head.status == .ok)
        #expect(head.takeFields().map(\.name) == ["A"])
    }

    @Test("Trailers are kept apart from the head (RFC 9110 §6.5)")
    func trailers() {
        var head = ResponseHead()
        head.reset(limit: 1000)
        add("HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n", to: &head)
        #expect(head.takeFields().map(\.name) == ["A"])
        add("T: 2\r\n", "\r\n", to: &head)
        #expect(head.takeFields().map(\.name) == ["T"])
    }

    @Test("Duplicate fields stay in order")
    func duplicates() {
        var (head, _) = read("HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nX: 0\r\nSet-Cookie: b=2\r\n\r\n")
        #expect(head.takeFields().values(for: .setCookie) == ["a=1", "b=2"])
    }

    @Test("One field over the limit is too many, also in trailers, and a folded line counts as one field")
    func fieldLimit() {
        for (limit, last) in [(2, ResponseHead.Progress.complete), (1, .tooManyFields)] {
            var head = ResponseHead()
            head.reset(limit: 1000, fieldLimit: limit)
            var progress = ResponseHead.Progress.more
            for line in ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", " and 2\r\n", "B: 3\r\n", "\r\n"] where progress == .more {
                Array(line.utf8).withUnsafeBufferPointer { progress = head.add($0) }
            }
            #expect(progress == last)
            guard limit == 2 else { continue }
            _ = head.takeFields()
            for (line, expected) in [("T: 1\r\n", ResponseHead.Progress.more), ("U: 2\r\n", .more), ("V: 3\r\n", .tooManyFields)] {
                Array(line.utf8).withUnsafeBufferPointer { progress = head.add($0) }
                #expect(progress == expected)
            }
        }
    }

    @Test("A head that does not begin with a status line is malformed (RFC 9112 §4)")
    func noStatusLine() {
        for line in [
            "http/1.1 200 OK", "HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 99 X", "HTTP/1.1 1000 X", "ICY 200 OK", "A: 1", " HTTP/1.1 200 OK",
        ] {
            #expect(read(line + "\r\n").1.last == .malformed(.statusLine), "\(line)")
        }
        #expect(read("HTTP/1.1 103 Early\r\n\r\nhttp/1.1 200 OK\r\n").1.last == .malformed(.statusLine))
    }

    @Test("A folded first line is malformed, also the first line of trailers (RFC 9112 §2.2)")
    func foldedStart() {
        for blank in [" ", "\t"] {
            #expect(read("HTTP/1.1 200 OK\r\n\(blank)A: 1\r\n").1.last == .malformed(.foldedStart))
            #expect(read("HTTP/1.1 103 Early\r\nA: 1\r\n\r\nHTTP/1.1 200 OK\r\n\(blank)A: 1\r\n").1.last == .malformed(.foldedStart))
        }
        var (head, _) = read("HTTP/1.1 200 OK\r\nA: 1\r\n\r\n")
        _ = head.takeFields()
        let progress = Array(" T: 1\r\n".utf8).withUnsafeBufferPointer { head.add($0) }
        #expect(progress == .malformed(.foldedStart))
    }

    @Test("A framing field that is folded, or has white space before its colon, is malformed (RFC 9112 §5)")
    func framing() {
        let bad = [
            "Transfer-Encoding : chunked", "transfer-encoding\t: chunked", "Transfer-Encoding:\r\n chunked", "Content-Length : 5",
            "Transfer-Encoding\u{0B}: chunked",
            "CONTENT-LENGTH: 1\r\n\t2", "Content-Length ",
        ]
        for lines in bad { #expect(read("HTTP/1.1 200 OK\r\nA: 1\r\n\(lines)\r\n").1.last == .malformed(.framing), "\(lines)") }
        let good = ["Transfer-Encoding: chunked", "Content-Length:5", "Content-Type : a\r\n b", "Content-Lengths : 5", "TE : chunked"]
        for lines in good { #expect(read("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n").1.last == .complete, "\(lines)") }
    }

    @Test("A switch of protocols that the request did not ask for is malformed (RFC 9110 §15.2.2)")
    func upgrade() {
        #expect(read("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n").1.last == .malformed(.upgrade))
    }

    @Test("A switch of protocols is a response of HTTP/1.1 (RFC 9110 §7.8)")
    func upgradeVersion() {
        func last(_ version: String) -> ResponseHead.Progress? {
            read("HTTP/\(version) 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", acceptsUpgrade: true).1.last
        }
        #expect(last("1.1") == .complete)
        for version in ["1.0", "2", "3", "9.9"] { #expect(last(version) == .malformed(.upgradeVersion), "\(version)") }
    }

    @Test("Every transfer coding but chunked and identity is refused")
    func transferCodings() {
        func isRefused(_ lines: String...) -> Bool {
            var (head, _) = read("HTTP/1.1 200 OK\r\n" + lines.map { "Transfer-Encoding: \($0)\r\n" }.joined() + "\r\n")
            let fields = head.takeFields()
            do throws(HTTPError) {
                try fields.checkTransferCoding()
                return false
            } catch { return true }
        }
        #expect(!isRefused())
        for coding in ["chunked", "Chunked", "identity"] { #expect(!isRefused(coding), "\(coding)") }
        for coding in ["gzip, chunked", "chunked, gzip", "xchunked", "chunked;q=1", "\"chunked\"", "", "chunked,"] {
            #expect(isRefused(coding), "\(coding)")
        }
        #expect(isRefused("chunked", "chunked"))
        #expect(isRefused("gzip", "chunked"))
    }

    @Test("Every line counts against the limit, also those of interim responses")
    func limit() {
        let text = "HTTP/1.1 103 Early\r\nA: 1\r\n\r\nHTTP/1.1 200 OK\r\nB: 2\r\n\r\n"
        #expect(read(text, limit: text.utf8.count).1.last == .complete)
        #expect(read(text, limit: text.utf8.count - 1).1.last == .tooLarge)
    }

    private func add(_ lines: String..., to head: inout ResponseHead) {
        for line in lines { Array(line.utf8).withUnsafeBufferPointer { _ = head.add($0) } }
    }
}
