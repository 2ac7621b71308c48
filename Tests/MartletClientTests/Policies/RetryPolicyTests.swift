import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite("RetryPolicy", .timeLimit(.minutes(5)))
struct RetryPolicyTests {
    private let random = SeededRandom()
    private let now = Date(timeIntervalSince1970: 1_767_225_600)
    private let plain = RetryPolicy(maxAttempts: 3, backoff: .constant(.seconds(1)))

    private func decide(
        _ policy: RetryPolicy, _ method: HTTPMethod, _ outcome: Result<HTTPResponse<Void>, HTTPError>, headers: HTTPFields = [:],
        body: HTTPBody? = nil, number: Int = 1, remaining: Duration? = nil
    ) -> RetryPolicy.Decision {
        let request = HTTPRequest(method: method, url: URL(string: "https://h/")!, headers: headers, body: body)
        return policy.decision(
            after: RetryAttempt(request: request, outcome: outcome, number: number, now: now, remaining: remaining), random: random)
    }

    private func decide(
        _ policy: RetryPolicy, _ outcome: Result<HTTPResponse<Void>, HTTPError>, number: Int = 1, remaining: Duration? = nil
    ) -> RetryPolicy.Decision {
        decide(policy, .get, outcome, number: number, remaining: remaining)
    }

    private func answer(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> Result<HTTPResponse<Void>, HTTPError> {
        .success(HTTPResponse(status: status, headers: headers, body: ()))
    }

    @Test("A response is known to be delivered only where no attempt with its status would be retried or reported")
    func delivered() {
        for status in [100, 200, 204, 304, 399] as [HTTPStatus] { #expect(plain.delivers(status)) }
        for status in [400, 404, 429, 503] as [HTTPStatus] { #expect(!plain.delivers(status)) }
        var policy = plain
        policy.statuses = [202]
        #expect(policy.delivers(200) && !policy.delivers(202))
        policy.hook = { _ in .applyRules }
        #expect(!policy.delivers(200))
    }

    @Test("Only the transient statuses are retried")
    func statuses() {
        let retried = (100...599).filter { decide(plain, answer(HTTPStatus(rawValue: $0))).wait != nil }
        #expect(retried == [408, 429, 500, 502, 503, 504])
        var policy = plain
        policy.statuses = [418]
        #expect(decide(policy, answer(418)).wait == .seconds(1))
        #expect(decide(policy, answer(503)) == .init(nil, "503 Service Unavailable is not a status to retry"))
    }

    @Test("Connection failures and timeouts of an attempt are retried, and other errors are not")
    func failures() {
        for kind in NetworkFailure.Kind.allCases {
            let wait = decide(plain, .failure(.networkError(NetworkFailure(kind)))).wait
            #expect(wait == (kind == .other ? nil : .seconds(1)))
        }
        #expect(decide(plain, .failure(.timeout)) == .init(.seconds(1), "the attempt timed out"))
        for error in [HTTPError.cancelled, .invalidURL("x"), .invalidSSLCertificate("x"), .invalidResponse("x"), .circuitOpen("x")] {
            #expect(decide(plain, .failure(error)).wait == nil)
        }
        var policy = plain
        policy.failures = [.other]
        #expect(decide(policy, .failure(.networkError(NetworkFailure(.other)))).wait == .seconds(1))
        #expect(decide(policy, .failure(.timeout)).wait == nil)
    }

    @Test("Only idempotent methods are retried, or any with an Idempotency-Key (RFC 9110 §9.2.2)")
    func methods() {
        for method: HTTPMethod in [.get, .head, .options, .trace, .put, .delete, "QUERY"] {
            #expect(decide(plain, method, answer(503)).wait != nil)
        }
        for method: HTTPMethod in [.post, .patch, "LINK", "get"] {
            #expect(decide(plain, method, answer(503)).wait == nil)
            #expect(decide(plain, method, .failure(.networkError(NetworkFailure(.connectionRefused)))).wait == nil)
            #expect(decide(plain, method, answer(503), headers: ["idempotency-key": "k"]).wait != nil)
        }
        var policy = plain
        policy.methods = [.post]
        #expect(decide(policy, .post, answer(503)).wait != nil)
        #expect(decide(policy, .get, answer(503)).reason == "GET is not idempotent and has no Idempotency-Key")
    }

    @Test("A request's own isIdempotent takes precedence over its method")
    func saysItself() {
        func decide(_ method: HTTPMethod, _ isIdempotent: Bool?, headers: HTTPFields = [:]) -> RetryPolicy.Decision {
            var request = HTTPRequest(method: method, url: URL(string: "https://h/")!, headers: headers)
            request.context.isIdempotent = isIdempotent
            return plain.decision(after: RetryAttempt(request: request, outcome: answer(503), number: 1, now: now), random: random)
        }
        #expect(decide(.post, true).wait != nil && decide(.post, nil).wait == nil)
        #expect(decide(.get, false).wait == nil && decide(.post, false, headers: ["Idempotency-Key": "k"]).wait == nil)
    }

    @Test("A streamed body is never sent again, regardless of the hook")
    func streams() {
        var policy = plain
        policy.hook = { _ in .retryRegardless }
        let stream = HTTPBody { nil }
        #expect(decide(plain, .put, answer(503), body: HTTPBody("x")).wait != nil)
        #expect(decide(plain, .put, answer(503), body: stream) == .init(nil, "the body is a stream and can't be sent again"))
        #expect(decide(policy, .put, answer(503), body: stream).wait == nil)
    }

    @Test("No attempt follows the last one")
    func last() {
        #expect(decide(plain, answer(503), number: 2).wait != nil)
        #expect(decide(plain, answer(503), number: 3) == .init(nil, "it was the last of 3 attempts"))
        #expect(decide(.never, answer(503)).wait == nil)
        #expect(decide(RetryPolicy(maxAttempts: -1), answer(503)).wait == nil)
    }

    @Test("The server's wait is used exactly, and a wait of zero leaves it to the backoff")
    func retryAfter() {
        #expect(decide(plain, answer(429, [.retryAfter: "7"])).wait == .seconds(7))
        #expect(decide(plain, answer(503, [.retryAfter: "Thu, 01 Jan 2026 00:00:09 GMT"])).wait == .seconds(9))
        #expect(decide(plain, answer(429, ["RateLimit-Reset": "12"])).wait == .seconds(12))
        for text in ["0", "-3", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"] {
            #expect(decide(plain, answer(503, [.retryAfter: text])).wait == .seconds(1))
        }
    }

    @Test("A server's wait beyond the maximum means no retry, and never an early one")
    func tooLong() {
        #expect(decide(plain, answer(503, [.retryAfter: "60"])).wait == .seconds(60))
        for text in ["61", "315360000", "99999999999999999999999", "Fri, 01 Jan 2036 00:00:00 GMT"] {
            #expect(decide(plain, answer(503, [.retryAfter: text])).wait == nil)
        }
        #expect(decide(plain, answer(503, [.retryAfter: "61"])).reason.contains("61.00 s, longer than the allowed 60.00 s"))
        var policy = plain
        policy.maxRetryAfter = .seconds(3600)
        #expect(decide(policy, answer(503, [.retryAfter: "3600"])).wait == .seconds(3600))
    }

    @Test("A wait that would reach the deadline is not started, whether from the server or the backoff")
    func deadline() {
        #expect(decide(plain, answer(503), remaining: .milliseconds(1001)).wait == .seconds(1))
        #expect(decide(plain, answer(503), remaining: .seconds(1)).wait == nil)
        #expect(decide(plain, answer(503), remaining: .seconds(-1)).wait == nil)
        #expect(decide(plain, answer(503, [.retryAfter: "7"]), remaining: .seconds(6)).wait == nil)
        #expect(decide(plain, answer(503, [.retryAfter: "7"]), remaining: .seconds(8)).wait == .seconds(7))
    }

    @Test("A hook retries, stops or leaves it to the rules, and the limits still apply")
    func hook() {
        var policy = plain
        policy.hook = { $0.response?.status == 404 ? .retryRegardless : $0.response?.status == 500 ? .stop : .applyRules }
        #expect(decide(policy, .post, answer(404)) == .init(.seconds(1), "the policy's hook said yes"))
        #expect(decide(policy, answer(500)) == .init(nil, "the policy's hook said no"))
        #expect(decide(policy, answer(503)).wait != nil)
        #expect(decide(policy, .post, answer(503)).wait == nil)
        #expect(decide(policy, answer(404), number: 3).wait == nil)
        #expect(decide(policy, answer(404), remaining: .zero).wait == nil)
        policy.hook = { _ in .retryRegardless }
        #expect(decide(policy, .failure(.cancelled)).wait == nil)
        #expect(decide(policy, .failure(.cancelled), remaining: .seconds(1)).reason == "the call was cancelled")
        // The client cancels the attempt that is running at the deadline.
        #expect(decide(policy, .failure(.cancelled), remaining: .zero).reason == "the call reached its deadline")
    }

    @Test("A hook that vetoes retries never causes one, after any status and for any method", arguments: [HTTPMethod.get, .post])
    func veto(method: HTTPMethod) {
        var policy = plain
        policy.hook = { $0.response?.headers["X-Do-Not-Retry"] == nil ? .applyRules : .stop }
        for status in 100...599 {
            let status = HTTPStatus(rawValue: status)
            #expect(decide(policy, method, answer(status)) == decide(plain, method, answer(status)))
            #expect(decide(policy, method, answer(status, ["X-Do-Not-Retry": "1"])).wait == nil)
        }
    }

    @Test("A wait never exceeds its maximum and always ends before the deadline")
    func property() {
        var generator = SeededGenerator(seed: 3)
        let fields = [
            "", "0", "1", "59", "60", "61", "-9", "x", "99999999999", "Thu, 01 Jan 2026 00:00:30 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        ]
        let jitters: [Backoff.Jitter] = [.none, .full, .equal, .decorrelated]
        var retries = 0
        for _ in 0..<5_000 {
            let cap = Duration.milliseconds(Int.random(in: 0...90_000, using: &generator))
            let backoff = Backoff.exponential(
                base: .milliseconds(Int.random(in: 0...9_000, using: &generator)), factor: .random(in: 0...4, using: &generator),
                jitter: jitters.randomElement(using: &generator)!, cap: cap)
            let policy = RetryPolicy(maxAttempts: 9, backoff: backoff, maxRetryAfter: .seconds(Int.random(in: 0...60, using: &generator)))
            let remaining: Duration? =
                Bool.random(using: &generator) ? .milliseconds(Int.random(in: -10...70_000, using: &generator)) : nil
            let name: HTTPFieldName = Bool.random(using: &generator) ? .retryAfter : "RateLimit-Reset"
            let decision = decide(
                policy, answer(429, [name: fields.randomElement(using: &generator)!]), number: .random(in: 1...10, using: &generator),
                remaining: remaining)
            guard let wait = decision.wait else { continue }
            retries += 1
            #expect(wait >= .zero && wait <= max(cap, policy.maxRetryAfter))
            if let remaining { #expect(wait < remaining) }
        }
        #expect(retries > 500)
    }

    @Test("A truncated response is retried unless the policy omits truncation; a response that is not HTTP is not retried")
    func truncation() {
        let broken = HTTPError.networkError(NetworkFailure(.connectionLost, "cut", context: ErrorContext(stage: .body)))
        let coded = HTTPError.invalidResponse(Explanation("cut", context: ErrorContext(stage: .body)))
        let garbage = HTTPError.invalidResponse(Explanation("garbage", context: ErrorContext(stage: .exchange)))
        for error in [broken, coded] {
            #expect(decide(plain, .failure(error)) == .init(.seconds(1), "the response was cut short"))
        }
        var once = plain
        once.failures.remove(.truncation)
        #expect(decide(once, .failure(broken)).wait == nil)
        once.failures = [.truncation]
        #expect(decide(once, .failure(broken)).wait != nil)
        #expect(decide(plain, .post, .failure(broken)).wait == nil)
        #expect(decide(plain, .failure(garbage)).wait == nil)
    }

    @Test("An empty Idempotency-Key does not allow a retry", arguments: ["", " "])
    func emptyKey(key: String) {
        #expect(decide(plain, .post, answer(503), headers: [.idempotencyKey: key]).wait == nil)
        #expect(!HTTPRequest(method: .post, url: URL(string: "https://h/")!, headers: [.idempotencyKey: key]).isIdempotent)
    }

    @Test("The latest of several RateLimit-Reset fields is used")
    func severalResets() {
        var headers: HTTPFields = ["RateLimit-Reset": "5"]
        headers.append("RateLimit-Reset", "40, 7")
        #expect(decide(plain, answer(429, headers)).wait == .seconds(40))
    }
}
