import Testing

@testable import MartletObservation

@Suite("LogSink", .timeLimit(.minutes(5)))
struct LogSinkTests {
    @Test("Levels are ordered by importance, and details by amount")
    func order() {
        #expect(LogEntry.Level.allCases == LogEntry.Level.allCases.sorted())
        #expect(LogEntry.Level.debug < .error)
        #expect(LogDetail.basic < .headers && LogDetail.headers < .bodies)
    }
}
