import Foundation
import MartletClient
import MartletHTTP
import MartletSystem
import Testing

@testable import MartletHAR

@Suite("Limits of the log of calls", .timeLimit(.minutes(5)))
struct CallLogLimitsTests {
    private struct Logging: CallObserver {
        let log: CallLog
        func observe(_ event: CallEvent, of call: CallInfo) { log.add(event, of: call) }
    }

    private let request = HTTPRequest(method: .get, url: URL(string: "https://h/x")!, headers: ["Accept": "text/plain"])

    private func call(_ log: CallLog) -> ObservedCall {
        ObservedCall(
            .events, name: "Events", pathTemplate: "x", operations: [], tags: [], observers: [Logging(log: log)], time: SystemTime())
    }

    private func attempt(_ call: ObservedCall, bytes: Int) {
        let attempt = call.record.beginAttempt(request)
        call.record.notify?(.headReceived(attempt.number, HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: ())))
        call.record.notify?(.bodyReceived(attempt.number, Data(count: bytes)))
        call.record.endAttempt(attempt, of: request, .status(200))
    }

    @Test("A running call with many attempts keeps the first one and the newest, and stays within the bytes of the log")
    func longCall() throws {
        let log = CallLog(limits: .init(calls: 10, bytes: 200_000, bodyBytes: 10_000))
        let call = call(log)
        call.started(request)
        for _ in 0..<2_000 {
            attempt(call, bytes: 1_000)
            call.record.note("reconnected")
            #expect(log.bytes <= 200_000)
        }
        let logged = try #require(log.call(call.info.id))
        #expect(logged.attempts.first?.number == 1 && logged.attempts.last?.number == 2_000)
        #expect(logged.attempts.count <= 200 && logged.omitted.attempts == 2_000 - logged.attempts.count)
        #expect(logged.steps.count <= 500 && logged.omitted.steps == 2_000 - logged.steps.count)
        #expect(logged.received == 2_000_000)
        let members = CallMembers(redaction: .standard).value(of: logged, hasBodies: false)
        let texts = try #require(members["timeline"]).description
        #expect(texts.contains("\(logged.omitted.attempts) earlier attempts are left out"))
        #expect(texts.contains("\(logged.omitted.steps) earlier decisions are left out"))
    }

    @Test("The numbers of attempts and steps of a call are limited even if the log has room")
    func counts() throws {
        let log = CallLog(limits: .init(calls: 10, bytes: 100_000_000, bodyBytes: 10_000))
        let call = call(log)
        call.started(request)
        for _ in 0..<2_000 {
            attempt(call, bytes: 1)
            call.record.note("reconnected")
        }
        let logged = try #require(log.call(call.info.id))
        #expect(logged.attempts.count <= 200 && logged.steps.count <= 500)
    }

    @Test("The bytes of the log are the sum of what its calls take, and zero once all are gone")
    func bytes() {
        let log = CallLog(limits: .init(calls: 3, bytes: 1_000_000, bodyBytes: 500))
        for number in 1...5 {
            let call = call(log)
            call.started(request)
            attempt(call, bytes: 300 * number)
            call.record.note("a decision")
            call.ended(number.isMultiple(of: 2) ? .failure(.timeout) : .success(nil))
            #expect(log.bytes == log.snapshot.calls.reduce(0) { $0 + $1.cost })
        }
        #expect(log.snapshot.calls.count == 3 && log.bytes > 3_000)
        log.clear()
        #expect(log.snapshot.calls.isEmpty && log.bytes == 0)
    }

    @Test("An ended call is removed before one that runs, and events of a removed call are ignored")
    func order() {
        let log = CallLog(limits: .init(calls: 2, bytes: 1_000_000, bodyBytes: 500))
        let running = call(log), ended = call(log), next = call(log), last = call(log)
        running.started(request)
        ended.started(request)
        ended.ended(.success(nil))
        next.started(request)
        #expect(log.snapshot.calls.map(\.info.id) == [running.info.id, next.info.id])
        last.started(request)
        #expect(log.snapshot.calls.map(\.info.id) == [next.info.id, last.info.id])
        running.ended(.success(nil))
        #expect(log.call(running.info.id) == nil && log.snapshot.calls.count == 2)
    }
}
