import Testing

@testable import MartletResilience

@Suite("LatencyRecord", .timeLimit(.minutes(5)))
struct LatencyRecordTests {
    @Test("Percentiles are those of the last hundred durations")
    func percentiles() {
        var record = LatencyRecord()
        #expect(record.percentile(0.5) == nil)
        for number in 1...100 { record.add(.milliseconds(number)) }
        #expect([0, 0.5, 0.95, 1, 7, -1].map { record.percentile($0) } == [1, 50, 95, 100, 100, 1].map { .milliseconds($0) })
        for number in 201...250 { record.add(.milliseconds(number)) }
        #expect(record.count == 100 && record.percentile(0) == .milliseconds(51) && record.percentile(1) == .milliseconds(250))
    }

    @Test("A share that is not a number, or is far too large, counts as the nearest possible one")
    func impossible() {
        var record = LatencyRecord()
        for number in 1...100 { record.add(.milliseconds(number)) }
        #expect([-.infinity, .nan, 1e300, .infinity].map { record.percentile($0) } == [1, 100, 100, 100].map { .milliseconds($0) })
    }
}
