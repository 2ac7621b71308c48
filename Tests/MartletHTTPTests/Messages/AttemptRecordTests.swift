import Foundation
import Testing

@testable import MartletHTTP

@Suite("AttemptRecord and AttemptCounter", .timeLimit(.minutes(5)))
struct AttemptRecordTests {
    private func record(_ outcome: AttemptRecord.Outcome, wait: Duration? = nil) -> AttemptRecord {
        AttemptRecord(start: Date(timeIntervalSince1970: 0), duration: .seconds(2), outcome: outcome, wait: wait, reason: "so")
    }

    @Test("Records are numbered in the order in which they were added")
    func numbers() {
        let counter = AttemptCounter()
        for _ in 0..<3 { counter.add(record(.timeout)) }
        #expect(counter.records.map(\.number) == [1, 2, 3])
        #expect(counter.value == 0)
    }

    @Test("The first stored idempotency key is kept")
    func key() {
        let counter = AttemptCounter()
        #expect(counter.idempotencyKey == nil)
        #expect(counter.idempotencyKey(orKeep: "a") == "a")
        #expect(counter.idempotencyKey(orKeep: "b") == "a")
        #expect(counter.idempotencyKey == "a")
    }

    @Test("An error becomes an outcome without its payload")
    func outcomes() {
        #expect(AttemptRecord.Outcome(.timeout) == .timeout)
        #expect(AttemptRecord.Outcome(.cancelled) == .cancelled)
        #expect(AttemptRecord.Outcome(.networkError(NetworkFailure(.unreachable))) == .network(.unreachable))
        #expect(AttemptRecord.Outcome(.statusCode(HTTPResponse(status: 404, body: Data()))) == .status(404))
        #expect(AttemptRecord.Outcome(.circuitOpen("down")) == .failed("Circuit open: down"))
    }

    @Test("A record is described in one line")
    func text() {
        #expect(
            "\(record(.status(503), wait: .seconds(1)))"
                == "attempt 1: 503 Service Unavailable after 2.0 seconds, retried after 1.0 seconds: so")
        #expect("\(record(.network(.hostNotFound)))" == "attempt 1: network error hostNotFound after 2.0 seconds: so")
    }
}
