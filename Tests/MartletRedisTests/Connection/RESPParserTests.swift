import MartletTesting
import Testing

@testable import MartletRedis

extension RESPParser {
    fileprivate mutating func take(_ bytes: some Sequence<UInt8>) throws(RESPError) -> [RESPValue] {
        var replies: Result<[RESPValue], RESPError> = .success([])
        Array(bytes).withUnsafeBytes { bytes in
            do throws(RESPError) { replies = .success(try feed(bytes)) } catch { replies = .failure(error) }
        }
        return try replies.get()
    }
}

@Suite("RESPParser", .timeLimit(.minutes(5)))
struct RESPParserTests {
    /// Parses bytes in pieces that end at the given positions. An error ends the result.
    private func read(_ bytes: [UInt8], cutAt cuts: [Int] = [], limits: RESPParser.Limits = .init()) -> Result<[RESPValue], RESPError> {
        var parser = RESPParser(limits: limits), values: [RESPValue] = [], start = 0
        for end in cuts + [bytes.count] {
            do { values += try parser.take(bytes[start..<end]) } catch { return .failure(error) }
            start = end
        }
        return .success(values)
    }

    private func read(_ text: String) -> Result<[RESPValue], RESPError> { read(Array(text.utf8)) }

    @Test(
        "A reply of each kind is read",
        arguments: [
            ("+OK\r\n", .text("OK")), ("+\r\n", nil), ("-ERR no\r\n", .error("ERR no")), (":0\r\n", .integer(0)),
            (":-12\r\n", .integer(-12)),
            (":+7\r\n", .integer(7)), (":9223372036854775807\r\n", .integer(.max)), (":-9223372036854775808\r\n", .integer(.min)),
            ("$0\r\n\r\n", .bytes([])), ("$5\r\na\r\n\0b\r\n", .bytes([97, 13, 10, 0, 98])), ("$-1\r\n", .null), ("*-1\r\n", .null),
            ("*0\r\n", .array([])), ("*2\r\n$1\r\na\r\n$-1\r\n", .array([.bytes([97]), .null])),
            ("*2\r\n*1\r\n:1\r\n*0\r\n", .array([.array([.integer(1)]), .array([])])),
            ("*1\r\n*1\r\n*1\r\n-E\r\n", .array([.array([.array([.error("E")])])])),
        ] as [(String, RESPValue?)])
    func kinds(text: String, value: RESPValue?) throws {
        #expect(try read(text).get() == [value ?? .text("")])
    }

    @Test(
        "A malformed reply is an error, and the parser stays failed",
        arguments: [
            "\r\n", "x\r\n", "HTTP/1.1 400 Bad Request\r\n", "+OK\n", "+a\rb\r\n", ":\r\n", ":1x\r\n", ":9223372036854775808\r\n",
            ": 1\r\n",
            "$\r\n", "$-2\r\n", "$+1\r\na\r\n", "$1\r\nab\r\n", "$1\r\na\n\n", "$1\r\na\rb", "*-2\r\n", "*x\r\n", "$-0\r\n", "%1\r\n",
            "_\r\n",
            "$0x1\r\n", ":1.5\r\n", "*1\r\n\r\n",
        ])
    func malformed(text: String) {
        var parser = RESPParser()
        let bytes = Array(text.utf8)
        for _ in 0..<2 {
            #expect(throws: RESPError.self) {
                _ = try parser.take(bytes)
            }
        }
        #expect(throws: RESPError.self) {
            _ = try parser.take("+OK\r\n".utf8)
        }
    }

    @Test("No memory is reserved for an announced length, and exceeding a limit is an error immediately")
    func limits() {
        var limits = RESPParser.Limits()
        (limits.bytes, limits.elements, limits.depth, limits.lineBytes) = (100, 10, 3, 20)
        for text in [
            "$101\r\n", "$9223372036854775807\r\n", "*11\r\n", "*9223372036854775807\r\n", "*6\r\n*6\r\n", "*1\r\n*1\r\n*1\r\n*1\r\n",
            "+123456789012345678901", "*2\r\n$60\r\n\(String(repeating: "x", count: 60))\r\n$60\r\n",
        ] {
            guard case .failure(.tooLarge) = read(Array(text.utf8), limits: limits) else {
                Issue.record("\(text) is not too large")
                continue
            }
        }
        // The limits apply to each reply.
        let many = String(repeating: "*3\r\n*1\r\n:1\r\n$5\r\nabcde\r\n:2\r\n", count: 50)
        #expect((try? read(Array(many.utf8), limits: limits).get().count) == 50)
    }

    @Test("Bytes in pieces of any size have the same replies or the same error")
    func splits() async {
        var generator = SeededGenerator(seed: 31)
        for round in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<(1 + generator.next() % 4) { Self.append(&bytes, depth: 0, &generator) }
            if round % 2 == 1 {
                // A malformed reply.
                let place = Int(generator.next() % UInt64(bytes.count))
                bytes[place] = [13, 10, 36, 42, 48, 57, 255][Int(generator.next() % 7)]
            }
            let whole = read(bytes)
            if round % 2 == 0, case .failure(let error) = whole { Issue.record("round \(round): \(error)") }
            #expect(read(bytes, cutAt: Array(1..<bytes.count)) == whole, "round \(round), byte by byte")
            for _ in 0..<5 {
                let cuts = (0..<4).map { _ in Int(generator.next() % UInt64(bytes.count + 1)) }.sorted()
                #expect(read(bytes, cutAt: cuts) == whole, "round \(round), cut at \(cuts)")
            }
            await Task.yield()
        }
    }

    /// Appends a random reply.
    private static func append(_ bytes: inout [UInt8], depth: Int, _ generator: inout SeededGenerator) {
        switch generator.next() % (depth < 4 ? 7 : 5) {
        case 0: bytes += "+some text\r\n".utf8
        case 1: bytes += "-ERR \(generator.next())\r\n".utf8
        case 2: bytes += ":\(Int64(bitPattern: generator.next()))\r\n".utf8
        case 3: bytes += generator.next() % 2 == 0 ? "$-1\r\n".utf8 : "*-1\r\n".utf8
        case 4:
            let count = Int(generator.next() % 40)
            bytes += "$\(count)\r\n".utf8
            bytes += (0..<count).map { _ in [13, 10, 36, 65][Int(generator.next() % 4)] }
            bytes += "\r\n".utf8
        default:
            let count = Int(generator.next() % 4)
            bytes += "*\(count)\r\n".utf8
            for _ in 0..<count { append(&bytes, depth: depth + 1, &generator) }
        }
    }

    @Test("The parser knows whether a reply is incomplete")
    func between() throws {
        var parser = RESPParser()
        #expect(parser.isBetweenReplies)
        for (text, isBetween) in [("*2\r\n", false), (":1\r\n", false), ("$2", false), ("\r\n", false), ("ab\r", false), ("\n", true)] {
            _ = try parser.take(text.utf8)
            #expect(parser.isBetweenReplies == isBetween, "\(text)")
        }
    }
}
