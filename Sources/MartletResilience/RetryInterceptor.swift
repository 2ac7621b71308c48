/// An interceptor that sends a failed request again as its `RetryPolicy` decides, after the policy's wait and within a ``RetryBudget``.
///
/// ```swift
/// HTTPClient(baseURL: base, interceptors: [RetryInterceptor(.standard)])
/// ```
///
/// The `trace` of the response or the error has each attempt, and the decision after it with its reason. The policy of a call's
/// `RequestContext.retryPolicy` takes precedence.
///
/// The response of an attempt that is retried is discarded. A body with a known length of at most 64 KiB is read during the wait, so that
/// its connection can be reused. The transfer of any other body, or of one that has not ended when the wait is over, is stopped.
///
/// Cancelling the task during a wait throws `.cancelled`. A streamed response is retried only until its head has arrived.
///
/// Place the interceptor inside (after) authentication and the cache, so that each attempt is sent with what they have added.
public struct RetryInterceptor: Interceptor, CredentialAddingInterceptor {
    private let policy: RetryPolicy
    private let time: (any TimeSource)?
    private let random: (any RandomSource)?
    private let budget: RetryBudget?

    /// Creates an interceptor with a retry policy and a budget.
    ///
    /// - Parameters:
    ///   - policy: The rules for retries. Default: `.standard`.
    ///   - time: The clock for waits. Default: nil, the client's, which also measures deadlines.
    ///   - random: The source of random numbers for jitter. Default: nil, the client's.
    ///   - budget: The limit on retries, or nil for no limit. Default: a new budget of 20 % of the requests of the last 10 seconds plus 10.
    public init(
        _ policy: RetryPolicy = .standard, time: (any TimeSource)? = nil, random: (any RandomSource)? = nil,
        budget: RetryBudget? = RetryBudget()
    ) {
        self.policy = policy
        self.time = time
        self.random = random
        self.budget = budget
    }

    /// Returns true: a wait before a retry ends with the call.
    public var endsByDeadline: Bool { true }

    /// Sends the request until an attempt succeeds or is not retried, and returns or throws the outcome of the last attempt.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        budget?.addRequest(at: (time ?? request.context.time).instant)
        var response: HTTPResponse<HTTPBody>
        do throws(HTTPError) { response = try await next(request) } catch {
            return try await recover(request, next, from: error)
        }
        if let wait = wait(after: response, to: request) { try await replace(&response, request, next, after: wait) }
        return response
    }

    // These are not inlined: their temporaries would be part of the frame of each call that waits for its response.

    /// Sends a request again that has failed, unless the error is final.
    @inline(never)
    nonisolated(nonsending) private func recover(
        _ request: HTTPRequest, _ next: Next, from error: HTTPError
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let wait = wait(after: .failure(error), of: request) else { throw error }
        return try await resend(request, next, nil, wait)
    }

    @inline(never)
    private func wait(after response: HTTPResponse<HTTPBody>, to request: HTTPRequest) -> Duration? {
        // Most calls end here, without a description of the attempt.
        if request.context.retryPolicy.map({ $0.delivers(response.status) }) ?? policy.delivers(response.status) { return nil }
        return wait(after: .success(response), of: request)
    }

    /// Sends a request again after a response that is not the last one.
    @inline(never)
    nonisolated(nonsending) private func replace(
        _ response: inout HTTPResponse<HTTPBody>, _ request: HTTPRequest, _ next: Next, after wait: Duration
    ) async throws(HTTPError) {
        let discarded = response.body
        response.body = .empty
        response = try await resend(request, next, consume discarded, wait)
    }

    /// Sends the request again and again, as the policy decides.
    ///
    /// - Parameter first: The body of the first response, or nil after an error. No discarded body is kept while the next attempt runs.
    nonisolated(nonsending) private func resend(
        _ request: HTTPRequest, _ next: Next, _ first: consuming HTTPBody?, _ firstWait: Duration
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var discarded = consume first, wait = firstWait, number = 1
        while true {
            let body = discarded.take(), now = wait
            try await request.context.endingWithCall { () throws(HTTPError) in try await sleep(now, emptying: body, of: request) }
            _ = consume body
            number += 1
            let outcome: Result<HTTPResponse<HTTPBody>, HTTPError>
            do throws(HTTPError) { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
            guard let later = self.wait(after: outcome, of: request, number: number, waited: wait) else { return try outcome.get() }
            if case .success(let response) = outcome { discarded = response.body }
            wait = later
        }
    }

    /// Returns the wait before the next attempt, or nil if the outcome is the last one. Records the decision.
    @inline(never)
    private func wait(
        after outcome: Result<HTTPResponse<HTTPBody>, HTTPError>, of request: HTTPRequest, number: Int = 1, waited: Duration = .zero
    ) -> Duration? {
        let time = time ?? request.context.time
        let ended = time.instant
        let decision = decision(
            request.context.retryPolicy ?? policy,
            RetryAttempt(
                request: request, outcome: outcome.withoutBody, number: number, previousWait: waited, now: time.now,
                remaining: request.context.deadline.map { ended.duration(to: $0) }), time)
        if decision.wait != nil || !outcome.isFine {
            request.context.record?.add(.retry(CallTrace.Retry(outcome: outcome.traced, wait: decision.wait, reason: decision.reason)))
        }
        return decision.wait
    }

    private func decision(_ policy: RetryPolicy, _ attempt: RetryAttempt, _ time: any TimeSource) -> RetryPolicy.Decision {
        let decision = policy.decision(after: attempt, random: random ?? attempt.request.context.random)
        guard decision.wait != nil, let budget, !budget.takeRetry(at: time.instant) else { return decision }
        return RetryPolicy.Decision(nil, "the retry budget is exhausted")
    }

    /// Waits. Meanwhile reads the short body of a discarded response, or stops the transfer of a long one.
    private func sleep(
        _ wait: Duration, emptying body: HTTPBody?, of request: HTTPRequest
    ) async throws(HTTPError) {
        let time = time ?? request.context.time
        do {
            guard let body, case .stream(let stream) = body.storage else { return try await time.sleep(for: wait) }
            guard body.isShort else {
                stream.releaseReader().cancel(.cancelled)
                return try await time.sleep(for: wait)
            }
            // Cancelled and awaited at the end of this scope.
            async let _ = body.readToEnd()
            try await time.sleep(for: wait)
        } catch {
            throw .cancelled(
                ErrorContext(request: request, stage: .interceptor, detail: "during the wait of \(wait.shortText) before a retry"))
        }
    }
}

extension HTTPBody {
    /// The maximum length of a discarded body that is read to keep its connection.
    private static let maxDrainedBytes: Int64 = 64 * 1024

    /// Whether reading the body costs less than a new connection.
    fileprivate var isShort: Bool { length.map { $0 <= HTTPBody.maxDrainedBytes } ?? false }

    /// Reads and discards the rest of the body. An error also ends it.
    fileprivate func readToEnd() async {
        var iterator = makeAsyncIterator()
        while let chunk = try? await iterator.next(), !chunk.isEmpty {}
    }
}

extension Result<HTTPResponse<HTTPBody>, HTTPError> {
    fileprivate var withoutBody: Result<HTTPResponse<Void>, HTTPError> { map { $0.map { _ in } } }

    /// Whether it is a response with a status below 400.
    fileprivate var isFine: Bool { if case .success(let response) = self { response.status.rawValue < 400 } else { false } }

    var traced: CallTrace.Outcome {
        switch self {
        case .success(let response): .status(response.status)
        case .failure(let error): CallTrace.Outcome(error)
        }
    }
}
