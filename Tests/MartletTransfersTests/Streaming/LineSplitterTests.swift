import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct LineSplitterTests {
    private func pieces(_ chunks: [Data], _ separator: LineSplitter.Separator = .line, limit: Int = 1000) throws -> [String] {
        var splitter = LineSplitter(separator, limit: limit)
        var pieces: [String] = []
        for chunk in chunks {
            splitter.push(chunk)
            while let piece = try splitter.next() { pieces.append(String(decoding: piece, as: UTF8.self)) }
        }
        if let rest = splitter.finish() { pieces.append(String(decoding: rest, as: UTF8.self)) }
        return pieces
    }

    @Test("Lines end with LF or CRLF, and bytes after the last line end are a line unless there are none")
    func lines() throws {
        #expect(try pieces([Data("a\r\nb\n\nc".utf8)]) == ["a", "b", "", "c"])
        #expect(try pieces([Data("a\rb\n".utf8)]) == ["a\rb"])
        #expect(try pieces([Data()]) == [])
    }

    @Test("The lines are the same for every split into chunks")
    func chunks() throws {
        let text = Data("one\r\n\ntwo\r\nthree \u{e9}\r\r\nend".utf8), random = SeededRandom(seed: 7)
        let whole = try pieces([text])
        for _ in 0..<300 {
            var rest = text[...], chunks: [Data] = []
            while !rest.isEmpty {
                let count = 1 + Int(random.next() % 5)
                // Slices keep the indices of their collection.
                chunks.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(try pieces(chunks) == whole)
        }
    }

    @Test("A line may have as many bytes as the limit, a longer one is refused, and the lines before it are returned")
    func limit() throws {
        #expect(try pieces([Data("12345\n".utf8)], limit: 5) == ["12345"])
        var splitter = LineSplitter(.line, limit: 5)
        splitter.push(Data("ab\n123456".utf8))
        let first = try splitter.next()
        #expect(first == Data("ab".utf8))
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.line, limit: 5))) { try splitter.next() }
        var slow = LineSplitter(.line, limit: 5)
        for _ in 0..<5 {
            slow.push(Data("x".utf8))
            let none = try slow.next()
            #expect(none == nil)
        }
        slow.push(Data("x".utf8))
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.line, limit: 5))) { try slow.next() }
    }

    @Test("Records are separated by record separators (RFC 7464 §2.2)")
    func records() throws {
        #expect(try pieces([Data("\u{1e}1\n\u{1e}\u{1e}[2]".utf8)], .record) == ["", "1\n", "", "[2]"])
    }
}
