import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("CallRecord", .timeLimit(.minutes(5)))
struct CallRecordTests {
    private let request = HTTPRequest(method: .get, url: URL(string: "https://h/x")!)

    @Test("The first stored idempotency key is kept")
    func key() {
        let record = CallRecord()
        #expect(record.idempotencyKey == nil)
        #expect(record.idempotencyKey(orKeep: "a") == "a")
        #expect(record.idempotencyKey(orKeep: "b") == "a")
        #expect(record.idempotencyKey == "a")
    }

    @Test("Attempts are numbered in the order in which they begin, also if they end in another order")
    func attempts() {
        let record = CallRecord()
        let first = record.beginAttempt(request), second = record.beginAttempt(request)
        #expect(record.trace.attempts.map(\.outcome) == [nil, nil])
        #expect("\(record.trace.attempts[0])" == "attempt 1, GET https://h/x: not ended")
        var metadata = ResponseMetadata()
        metadata.version = .http2
        metadata.isConnectionReused = true
        metadata.remoteAddress = "127.0.0.1"
        record.endAttempt(second, .status(200), metadata)
        record.endAttempt(first, .cancelled)
        let attempts = record.trace.attempts
        #expect(record.count == 2 && attempts.map(\.number) == [1, 2] && attempts.map(\.outcome) == [.cancelled, .status(200)])
        #expect(attempts.map(\.version) == [nil, .http2] && attempts.map(\.isConnectionReused) == [nil, true])
        #expect("\(attempts[1])".contains(": 200 OK after ") && "\(attempts[1])".hasSuffix("(HTTP/2, reused connection, 127.0.0.1)"))
    }

    @Test("The request of an attempt keeps no context, so that the record does not keep itself")
    func cycle() {
        weak var weakRecord: CallRecord?
        do {
            let record = CallRecord()
            weakRecord = record
            var request = request
            request.context.record = record
            record.endAttempt(record.beginAttempt(request), .status(200))
        }
        #expect(weakRecord == nil)
    }

    @Test("The steps of another call are appended with later numbers and are told to the observers")
    func adoption() {
        let told = Locked<[String]>([])
        let other = CallRecord()
        other.endAttempt(other.beginAttempt(request), .status(503))
        other.note("waited")
        let record = CallRecord { event in
            if case .step(let step) = event { told.withLock { $0.append("\(step.kind)") } }
        }
        record.endAttempt(record.beginAttempt(request), .timeout)
        record.adopt(other)
        record.adopt(record)
        #expect(record.count == 2 && record.trace.attempts.map(\.number) == [1, 2])
        #expect(record.trace.attempts.map(\.outcome) == [.timeout, .status(503)] && record.trace.notes == ["waited"])
        #expect(told.withLock { $0.count } == 3 && told.withLock { $0.last } == "waited")
    }
}
