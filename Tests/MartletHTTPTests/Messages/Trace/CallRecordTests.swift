import Foundation
import MartletSystem
import MartletTesting
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
        record.endAttempt(second, of: request, .status(200), metadata)
        record.endAttempt(first, of: request, .cancelled)
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
            record.endAttempt(record.beginAttempt(request), of: request, .status(200))
        }
        #expect(weakRecord == nil)
    }

    @Test("The steps of another call are appended with later numbers and are told to the observers")
    func adoption() {
        let told = Locked<[String]>([])
        let other = CallRecord()
        other.endAttempt(other.beginAttempt(request), of: request, .status(503))
        other.note("waited")
        let record = CallRecord { event in
            if case .step(let step) = event { told.withLock { $0.append("\(step.kind)") } }
        }
        record.endAttempt(record.beginAttempt(request), of: request, .timeout)
        record.adopt(other)
        record.adopt(record)
        #expect(record.count == 2 && record.trace.attempts.map(\.number) == [1, 2])
        #expect(record.trace.attempts.map(\.outcome) == [.timeout, .status(503)] && record.trace.notes == ["waited"])
        #expect(told.withLock { $0.count } == 3 && told.withLock { $0.last } == "waited")
    }

    @Test("A call with many steps keeps the first 100 and the newest, and says how many were left out")
    func bound() {
        let record = CallRecord()
        for number in 0..<1_500 { record.note("\(number)") }
        let trace = record.trace
        #expect(trace.steps.count == 1_000 && trace.omittedSteps == 500)
        #expect(trace.notes == (Array(0..<100) + Array(600..<1_500)).map { "\($0)" })
        let lines = "\(trace)".split(separator: "\n")
        #expect(lines.count == 1_001 && lines[100] == "500 steps left out")
        let other = CallRecord()
        other.note("a")
        other.note("b")
        other.adopt(record)
        #expect(other.trace.steps.count == 1_000 && other.trace.omittedSteps == 502)
        #expect(other.trace.notes == ["a", "b"] + (Array(0..<98) + Array(600..<1_500)).map { "\($0)" })
    }

    @Test("An attempt whose step was left out is counted, and its end is told to the observers")
    func lateEnd() {
        let told = Locked<[CallTrace.Outcome?]>([])
        let record = CallRecord { event in
            if case .step(let step) = event, case .attempt(let attempt) = step.kind { told.withLock { $0.append(attempt.outcome) } }
        }
        for number in 0..<100 { record.note("\(number)") }
        let attempt = record.beginAttempt(request)
        for number in 0..<1_000 { record.note("\(number)") }
        record.endAttempt(attempt, of: request, .timeout)
        #expect(record.trace.attempts.isEmpty && record.count == 1)
        #expect(told.withLock { $0 } == [.timeout])
    }

    @Test("An attempt that its call abandons ends with the call, and its own end changes nothing")
    func abandoned() {
        let told = Locked<[CallTrace.Outcome?]>([])
        let record = CallRecord { event in
            if case .step(let step) = event, case .attempt(let attempt) = step.kind { told.withLock { $0.append(attempt.outcome) } }
        }
        record.endAttempt(record.beginAttempt(request), of: request, .status(503))
        let attempt = record.beginAttempt(request)
        record.abandonAttempts(.timeout)
        record.endAttempt(attempt, of: request, .cancelled)
        #expect(record.trace.attempts.map(\.outcome) == [.status(503), .timeout])
        #expect(told.withLock { $0 } == [.status(503), .timeout])
    }

    @Test("A trace has the wall clock's start of the call whenever it is read")
    func start() {
        let time = ManualTime()
        let began = time.now
        let record = CallRecord(time: time)
        time.advance(by: .seconds(90))
        #expect(record.trace.start == began)
        time.advance(by: .seconds(90))
        #expect(record.trace.start == began)
    }
}
