import Foundation
import Testing

@testable import MartletCore

@Suite("LogSink and standard error")
struct LogSinkTests {
    @Test("All of a text is written, at once")
    func writing() throws {
        let pipe = Pipe()
        StandardError.write("INFO #1 ← 200 OK\n", to: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("INFO #1 ← 200 OK\n".utf8))
    }

    @Test("Long entries of many tasks at once come out one after the other, none torn by another")
    func interleaving() async throws {
        let pipe = Pipe(), descriptor = pipe.fileHandleForWriting.fileDescriptor
        let reading = pipe.fileHandleForReading
        // On a thread of its own: all others may be waiting for it, with a full pipe.
        let text = Locked<Data?>(nil)
        let (done, finish) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            let all = try? reading.readToEnd()
            text.withLock { $0 = all }
            finish.finish()
        }
        let letters = Array("abcdefgh")
        await withTaskGroup(of: Void.self) { group in
            for letter in letters {
                group.addTask {
                    for _ in 0..<10 { StandardError.write(String(repeating: letter, count: 50_000) + "\n", to: descriptor) }
                }
            }
        }
        try pipe.fileHandleForWriting.close()
        for await _ in done {}
        let lines = String(decoding: try #require(text.withLock { $0 }), as: UTF8.self).split(separator: "\n")
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
