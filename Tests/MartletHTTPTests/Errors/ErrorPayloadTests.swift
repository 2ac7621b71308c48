import Foundation
import MartletHTTP
import Testing

@Suite("Error payloads", .timeLimit(.minutes(5)))
struct ErrorPayloadTests {
    private struct Broken: Error {}

    @Test("An explanation can be written as a literal, and its description is its text")
    func explanations() {
        let count = 3
        let explanation: Explanation = "\(count) were too many"
        #expect(explanation.text == "3 were too many")
        #expect("\(explanation)" == "3 were too many")
        #expect(explanation.context.attempts == 0)
    }

    @Test("A new context is empty, and a copy has its own request")
    func contexts() throws {
        var context = ErrorContext()
        #expect(
            context.request == nil && context.stage == nil && context.attempts == 0 && context.underlying == nil && context.detail == "")
        context.request = HTTPRequest(url: try #require(URL(string: "https://h/")))
        var copy = context
        copy.request?.method = .put
        #expect(context.request?.method == .get)
        #expect(copy.request?.method == .put)
        copy.request = nil
        #expect(context.request != nil)
    }

    @Test("A context has the number of attempts of its request until now, unless another is given")
    func attempts() throws {
        var request = HTTPRequest(url: try #require(URL(string: "https://h/")))
        #expect(ErrorContext(request: request).attempts == 0)
        request.context.attempt = 2
        #expect(ErrorContext(request: request).attempts == 2)
        #expect(ErrorContext(request: request, attempts: 0).attempts == 0)
        let record = CallRecord()
        request.context.record = record
        _ = record.beginAttempt(request)
        let context = ErrorContext(request: request)
        _ = record.beginAttempt(request)
        #expect(context.attempts == 1 && ErrorContext(request: request).attempts == 2)
    }

    @Test("The description of an interceptor's failure names the interceptor once")
    func interceptorFailures() {
        let failure = HTTPError.interceptorFailed(Explanation("Mine", context: ErrorContext(stage: .interceptor, underlying: Broken())))
        #expect(failure.description.hasPrefix("Interceptor Mine failed, stage: interceptor"))
        #expect(failure.underlying is Broken)
    }

    @Test("A size limit applies to the body by default")
    func sizeLimits() {
        #expect(SizeLimitFailure(limit: 5).subject == .body)
        #expect(SizeLimitFailure(.head, limit: 5).subject == .head)
    }
}
