import Testing

@testable import MartletCache

@Suite("FailureReports", .timeLimit(.minutes(5)))
struct FailureReportsTests {
    @Test("A failure is reported once, again when its kind or text changes, and again after a success")
    func news() {
        var reports = FailureReports()
        let one = CacheStoreError(.unavailable, "one"), other = CacheStoreError(.unavailable, "other"), full = CacheStoreError(.full, "one")
        #expect([one, one, other, one, full, full].map { reports.isNews($0) } == [true, false, true, true, true, false])
        reports.succeeded()
        let isNewsAgain = reports.isNews(full)
        #expect(isNewsAgain)
    }

    @Test("Only an unavailable store counts as not opened by default")
    func opening() {
        #expect(CacheStoreError(.unavailable, "").isOfOpening)
        #expect(!CacheStoreError(.full, "").isOfOpening)
        #expect(CacheStoreError(.full, "", isOfOpening: true).isOfOpening)
    }
}
