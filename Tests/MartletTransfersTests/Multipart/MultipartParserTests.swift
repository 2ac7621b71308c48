import Foundation
import Testing

@testable import MartletTransfers

@Suite("MultipartParser", .timeLimit(.minutes(5)))
struct MultipartParserTests {
    typealias Token = MultipartToken

    /// Parses a body in pieces of a size and returns the tokens with joined contents.
    static func parse(_ body: Data, boundary: String = "B", piece: Int = .max, limits: MultipartLimits = .init()) throws -> [Token] {
        var parser = try #require(MultipartParser(boundary: boundary, limits: limits)), tokens: [Token] = []
        var rest = body
        while !rest.isEmpty {
            try parser.feed(rest.prefix(piece), into: &tokens)
            rest = rest.dropFirst(piece)
        }
        try parser.finish()
        return tokens.reduce(into: []) { all, token in
            guard case .content(let new) = token, case .content(let old)? = all.last else { return all.append(token) }
            all[all.count - 1] = .content(old + new)
        }
    }

    static func parse(_ body: String, piece: Int = .max, limits: MultipartLimits = .init()) throws -> [Token] {
        try parse(Data(body.utf8), piece: piece, limits: limits)
    }

    static func content(_ text: String) -> Token { .content(Data(text.utf8)) }

    @Test("Parts, fields, preamble and epilogue are recognized, wherever the body is split (RFC 2046 §5.1.1)")
    func parts() throws {
        let body = """
            preamble\r\n--C\r\n --B\r\n--B \t\r\nA: 1\r\nB:  x\r\n\ty \r\n\r\none\r\n\r\n--B\r\n\r\ntwo\n--B\r--B-\r\n--\r\n--B\r\n\r\n\r\n--B--\r\n--B\r\nx
            """
        let expected: [Token] = [
            .head(["A": "1", "B": "x y"]), Self.content("one\r\n"), .partEnd, .head([:]), Self.content("two\n--B\r--B-\r\n--"), .partEnd,
            .head([:]), .partEnd, .end,
        ]
        for piece in 1...body.utf8.count { #expect(try Self.parse(body, piece: piece) == expected) }
    }

    @Test("Bodies without a preamble, parts without fields or content, and a body that ends after its boundary are read")
    func corners() throws {
        #expect(try Self.parse("--B--") == [.end])
        #expect(try Self.parse("\r\n--B--anything") == [.end])
        #expect(try Self.parse("--B\r\n\r\n--B--") == [.head([:]), .partEnd, .end])
        #expect(try Self.parse("--B\r\nA: 1\r\n\r\n--B--") == [.head(["A": "1"]), .partEnd, .end])
        #expect(try Self.parse("--B\r\n\r\n-\r\n--B--") == [.head([:]), Self.content("-"), .partEnd, .end])
        #expect(try Self.parse("--B\r\n\r\n\r\r\n--B--") == [.head([:]), Self.content("\r"), .partEnd, .end])
        #expect(try Self.parse("--B\r\n\r\n--A\r\n--B--") == [.head([:]), Self.content("--A"), .partEnd, .end])
    }

    @Test("Two boundaries on consecutive lines enclose no part, as some servers close a body, wherever it is split")
    func repeatedBoundary() throws {
        let body = "--BB\r\nA: 1\r\n\r\none\r\n--BB\r\n--BB \r\n\r\ntwo\r\n--BB\r\n--BB\r\n--BB--\r\nx"
        let expected: [Token] = [.head(["A": "1"]), Self.content("one"), .partEnd, .head([:]), Self.content("two"), .partEnd, .end]
        for piece in 1...body.utf8.count {
            #expect(try Self.parse(Data(body.utf8), boundary: "BB", piece: piece, limits: .init(parts: 2)) == expected)
        }
        #expect(throws: HTTPError.self) { try Self.parse("--B\r\n--BX\r\n--B--") }
        #expect(throws: HTTPError.self) { try Self.parse(String(repeating: "--B\r\n", count: 102) + "--B--") }
        #expect(throws: HTTPError.self) { try Self.parse("--B\r\nA: 1\r\n--B--") }
    }

    @Test("Content is returned as it arrives except a possible boundary, and a part ends before its boundary's line does")
    func latency() throws {
        var parser = try #require(MultipartParser(boundary: "B"))
        func feed(_ text: String) throws -> [Token] {
            var tokens: [Token] = []
            try parser.feed(Data(text.utf8), into: &tokens)
            return tokens
        }
        #expect(try feed("--B\r\n\r\n") == [.head([:])])
        #expect(try feed("{}") == [Self.content("{}")])
        #expect(try feed("x\r\n-") == [Self.content("x")])
        #expect(try feed("-") == [])
        #expect(try feed("C") == [Self.content("\r\n--"), Self.content("C")])
        #expect(try feed("\r\n--B") == [.partEnd])
        #expect(try feed("--") == [.end])
        #expect(try feed("--B\r\n") == [])
    }

    @Test(
        "A body that is not multipart, or that ends too early, is an error",
        arguments: [
            "", "hello", "--C\r\n\r\n--C--", "--B", "--B-", "--B\r\n", "--B\r\nA: 1\r\n", "--B\r\n\r\n", "--B\r\n\r\nx\r\n--B",
            "--B\r\n\r\nx\r\n--B\r\n", "--B\r\n\r\nx\n--B--", "--Bx\r\n\r\n--B--", "--B-x", "--B \rx", "--B\n\n--B--",
            "--B\r\nA: 1\n\r\n\r\n--B--",
            "--B\r\nA\r\n\r\n--B--", "--B\r\n: 1\r\n\r\n--B--", "--B\r\n A: 1\r\n\r\n--B--", "--B\r\nA B: 1\r\n\r\n--B--",
            "--B\r\nA: \u{0}\r\n\r\n--B--", "--B\r\nA: x\ry\r\n\r\n--B--", "--B\r\n\r\nx\r\n--Bx--",
        ])
    func malformed(body: String) throws {
        for piece in [1, 2, 1000] {
            let error = #expect(throws: HTTPError.self) { try Self.parse(body, piece: piece) }
            guard case .invalidResponse = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("Tokens before an error are returned, and further bytes throw the error again")
    func failing() throws {
        var parser = try #require(MultipartParser(boundary: "B")), tokens: [Token] = []
        #expect(throws: HTTPError.self) { try parser.feed(Data("--B\r\n\r\none\r\n--B\r\nbad\r\n\r\n".utf8), into: &tokens) }
        #expect(tokens == [.head([:]), Self.content("one"), .partEnd])
        #expect(throws: HTTPError.self) { try parser.feed(Data("--B--".utf8), into: &tokens) }
        #expect(throws: HTTPError.self) { try parser.finish() }
    }

    @Test("A head over its limit and a part over the maximum are refused, and the limits themselves are allowed")
    func limits() throws {
        let body = "--B\r\nA: 123\r\n\r\n--B\r\n\r\n--B--"
        #expect(try Self.parse(body, limits: MultipartLimits(headBytes: 10, parts: 2)).count == 5)
        for piece in [1, 1000] {
            #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.part, limit: 9))) {
                try Self.parse(body, piece: piece, limits: MultipartLimits(headBytes: 9))
            }
            #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.parts, limit: 1))) {
                try Self.parse(body, piece: piece, limits: MultipartLimits(parts: 1))
            }
        }
        #expect(try Self.parse(body, limits: MultipartLimits(parts: nil)).count == 5)
    }

    @Test("A preamble over the limit of a head is refused, wherever the body is split", arguments: [1, 3, 1000])
    func preambles(piece: Int) throws {
        let limits = MultipartLimits(headBytes: 9)
        #expect(try Self.parse("123456789\r\n--B\r\n\r\n\r\n--B--", piece: piece, limits: limits).count == 3)
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.part, limit: 9))) {
            try Self.parse("1234567890\r\n--B\r\n\r\n\r\n--B--", piece: piece, limits: limits)
        }
    }

    @Test("White space over the limit of a head after a boundary is refused, wherever the body is split", arguments: [1, 3, 1000])
    func padding(piece: Int) throws {
        func body(_ count: Int) -> String {
            let padding = String(repeating: " ", count: count)
            return "--B\(padding)\r\n\r\n\r\n--B\(padding)\r\n--B\(padding)\r\n\r\n\r\n--B--"
        }
        let limits = MultipartLimits(headBytes: 9)
        #expect(try Self.parse(body(9), piece: piece, limits: limits).count == 5)
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.part, limit: 9))) {
            try Self.parse(body(10), piece: piece, limits: limits)
        }
    }

    @Test("A boundary has 1 to 256 bytes and no line end")
    func boundaries() {
        for text in ["", "a\rb", "a\nb", String(repeating: "x", count: 257)] { #expect(MultipartParser(boundary: text) == nil) }
        #expect(MultipartParser(boundary: String(repeating: "x", count: 256)) != nil)
    }

    @Test("Content that resembles a boundary is returned byte for byte, wherever it is split")
    func nearBoundaries() throws {
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let alphabet = Array("\r\n-bx".utf8)
        for _ in 0..<300 {
            var content = Data((0..<next(200)).map { _ in alphabet[next(5)] })
            while let found = content.firstRange(of: Data("\r\n--bb".utf8)) { content.remove(at: found.lowerBound) }
            if content.starts(with: Data("--bb".utf8)) { content.removeFirst() }
            let body = Data("--bb\r\n\r\n".utf8) + content + Data("\r\n--bb--\r\n".utf8)
            let tokens = try Self.parse(body, boundary: "bb", piece: 1 + next(9))
            #expect(tokens == [.head([:])] + (content.isEmpty ? [] : [.content(content)]) + [.partEnd, .end])
        }
    }
}
