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
