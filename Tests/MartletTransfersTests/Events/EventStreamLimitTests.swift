import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct EventStreamLimitTests {
    private func text(_ character: Character, _ count: Int) -> [UInt8] { [UInt8](String(repeating: character, count: count).utf8) }

    @Test("A line may have as many bytes as the limit and no more, in one chunk or in several", arguments: [1, 7, 100])
    func lines(size: Int) throws {
        func data(_ line: Int) throws -> Int {
            var parser = EventStreamParser(maxLineBytes: 64)
            let bytes = [UInt8]("data:".utf8) + text("x", line - 5) + [10, 10]
            return try stride(from: 0, to: bytes.count, by: size).map { try parser.feed(bytes[$0..<min($0 + size, bytes.count)]).count }
                .reduce(0, +)
        }
        #expect(try data(64) == 1)
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.line, limit: 64))) { _ = try data(65) }
    }

    @Test("A line that never ends stops at the limit, also in a comment")
    func endless() throws {
        for start in ["data:", ":", "", "x"] {
            var parser = EventStreamParser(maxLineBytes: 1000)
            _ = try parser.feed([UInt8](start.utf8))
            let error = #expect(throws: HTTPError.self) { for _ in 0..<1001 { _ = try parser.feed([0x78]) } }
            #expect(error == .responseTooLarge(SizeLimitFailure(.line, limit: 1000)))
        }
    }

    @Test("The limit of an event includes the line feeds between its lines")
    func events() throws {
        func event(_ lines: Int) throws -> [EventStreamParser.Item] {
            var parser = EventStreamParser(maxEventBytes: 99)
            return try parser.feed([UInt8](String(repeating: "data:123456789\n", count: lines).utf8) + [10])
        }
        #expect(try event(10).count == 1)
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.event, limit: 99))) { _ = try event(11) }
    }

    @Test("Empty data lines count towards the limit, so that no event grows forever")
    func emptyLines() throws {
        var parser = EventStreamParser(maxEventBytes: 50)
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.event, limit: 50))) {
            _ = try parser.feed([UInt8](String(repeating: "data\n", count: 52).utf8))
        }
    }

    @Test("Events before an exceeded limit are returned, and none after it")
    func order() throws {
        var parser = EventStreamParser(maxLineBytes: 10)
        parser.push([UInt8]("data:a\n\ndata:0123456789\n\ndata:b\n\n".utf8))
        #expect(try parser.next() == .event(ServerSentEvent(data: "a")))
        for _ in 0..<3 {
            #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.line, limit: 10))) { _ = try parser.next() }
            parser.push([UInt8]("data:c\n\n".utf8))
        }
    }

    @Test("Any number of comments and blank lines leaves nothing in memory")
    func comments() throws {
        var parser = EventStreamParser(maxEventBytes: 100)
        let block = [UInt8](String(repeating: ": keep alive\n\r\n\n", count: 1000).utf8)
        for _ in 0..<100 { #expect(try parser.feed(block) == []) }
        #expect(try parser.feed([UInt8]("data:a\n\n".utf8)) == [.event(ServerSentEvent(data: "a"))])
    }
}
