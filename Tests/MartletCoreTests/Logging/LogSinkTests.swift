import Foundation
import Testing

@testable import MartletCore

@Suite("LogSink and standard error", .timeLimit(.minutes(5)))
struct LogSinkTests {
    @Test("All of a text is written, at once")
    func writing() throws {
        let pipe = Pipe()
        StandardError.write("INFO #1 ← 200 OK\n", to: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("INFO #1 ← 200 OK\n".utf8))
    }

    @Test("Long entries of many threads at once come out one after the other, none torn by another")
    func interleaving() async throws {
        let pipe = Pipe(), reading = pipe.fileHandleForReading, descriptor = pipe.fileHandleForWriting.fileDescriptor
        let (ends, ended) = AsyncStream.makeStream(of: Data?.self)
        let letters = Array("abcdefgh")
        // On threads of their own: they wait for the reader, with a full pipe.
        for letter in letters {
            Thread.detachNewThread {
                for _ in 0..<10 { StandardError.write(String(repeating: letter, count: 50_000) + "\n", to: descriptor) }
                ended.yield(nil)
            }
        }
        Thread.detachNewThread { ended.yield(try? reading.readToEnd()) }
        var left = letters.count, all = Data()
        for await data in ends {
            left -= 1
            if left == 0 { try pipe.fileHandleForWriting.close() }
            guard let data else { continue }
            all = data
            break
        }
        let lines = String(decoding: all, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 80)
        #expect(lines.allSatisfy { $0.count == 50_000 && Set($0).count == 1 })
    }

    @Test("A log that can't be written is no reason to fail")
    func broken() {
        StandardError.write("text", to: -1)
        StandardError.write("", to: -1)
    }

    @Test("Levels are ordered by importance, details by how much is written")
    func order() {
        #expect(LogEntry.Level.allCases == LogEntry.Level.allCases.sorted())
        #expect(LogEntry.Level.debug < .error)
        #expect(LogDetail.basic < .headers && LogDetail.headers < .bodies)
    }
}
