import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("CallTrace", .timeLimit(.minutes(5)))
struct CallTraceTests {
    @Test("An error becomes an outcome without its payload")
    func outcomes() {
        #expect(CallTrace.Outcome(.timeout) == .timeout)
        #expect(CallTrace.Outcome(.cancelled) == .cancelled)
        #expect(CallTrace.Outcome(.networkError(NetworkFailure(.unreachable))) == .network(.unreachable))
        #expect(CallTrace.Outcome(.statusCode(HTTPResponse(status: 404, body: Data()))) == .status(404))
        #expect(CallTrace.Outcome(.circuitOpen("down")) == .failed("Circuit open: down"))
    }

    @Test(
        "Durations are short and have a suitable unit",
        arguments: [
            (Duration.microseconds(420), "0.4 ms"), (.milliseconds(9), "9.0 ms"), (.milliseconds(12), "12 ms"),
            (.milliseconds(999), "999 ms"),
            (.milliseconds(1_250), "1.25 s"), (.milliseconds(61_040), "61.04 s"), (.seconds(-1), "0.0 ms"),
        ])
    func times(duration: Duration, text: String) {
        #expect(duration.shortText == text)
    }

    @Test("A redirect names each field that the next request does not have once")
    func redirect() {
        let source = URL(string: "https://a.example/x")!, target = URL(string: "https://b.example/y?token=s3cret")!
        let fields: HTTPFields = ["Authorization": "Bearer s3cret", "Accept": "a", "X-A": "1"]
        var request = HTTPRequest(method: .get, url: source, headers: fields)
        request.headers.append("X-A", "2")
        let redirect = CallTrace.Redirect(302, from: request, to: HTTPRequest(method: .get, url: target, headers: ["accept": "b"]))
        #expect(redirect.removedFields == ["Authorization", "X-A"])
        #expect(redirect.source == source && redirect.target == target && redirect.status == 302)
        #expect(
            "\(redirect)" == "302 Found redirects to https://b.example/y?token=‹redacted›, without Authorization, X-A")
    }

    @Test("Text from outside can't begin a line of the timeline")
    func lineBreaks() {
        let outside = "x\r\n0.0 ms: attempt 9\u{2028}\u{1B}[2J"
        let kinds: [CallTrace.Kind] = [
            .note(outside), .renewal(CallTrace.Renewal(duration: .zero, failure: outside)),
            .retry(CallTrace.Retry(outcome: .failed(outside), wait: nil, reason: outside)),
        ]
        for kind in kinds {
            let text = CallTrace(start: .distantPast, steps: [CallTrace.Step(time: .zero, kind: kind)]).description
            #expect(!text.unicodeScalars.contains(where: Redaction.isControl))
        }
    }

    @Test("Each kind of step is described in one line")
    func text() {
        let renewal = CallTrace.Renewal(duration: .milliseconds(20)), failed = CallTrace.Renewal(duration: .zero, failure: "expired")
        let kinds: [CallTrace.Kind] = [
            .retry(CallTrace.Retry(outcome: .timeout, wait: .seconds(1), reason: "the attempt timed out")),
            .retry(CallTrace.Retry(outcome: .timeout, wait: nil, reason: "it was the last")), .renewal(renewal), .renewal(failed),
            .renewal(CallTrace.Renewal(duration: .milliseconds(104), followsRejection: false)),
            .renewal(CallTrace.Renewal(duration: .milliseconds(2_500), followsRejection: false, failure: "refused")), .note("waited"),
        ]
        let trace = CallTrace(
            start: .distantPast, steps: kinds.enumerated().map { CallTrace.Step(time: .milliseconds($0 * 100), kind: $1) })
        #expect(
            "\(trace)" == """
                0.0 ms: retried after 1.00 s: the attempt timed out
                100 ms: not retried: it was the last
                200 ms: the credential was renewed in 20 ms
                300 ms: the credential was not renewed (0.0 ms): expired
                400 ms: a credential was obtained in 104 ms
                500 ms: no credential was obtained (2.50 s): refused
                600 ms: waited
                """)
    }
}
