/// Sends a request again when its ``RetryPolicy`` says so, after the wait it says, within a ``RetryBudget``.
///
/// ```swift
/// HTTPClient(baseURL: base, interceptors: [RetryInterceptor(.standard)])
/// ```
///
/// What was decided about each attempt, and why, is in the response's `metadata.attemptRecords` and the error's `attemptRecords`. A call has
/// a policy of its own when its context has a ``RequestContext/retryPolicy``. The answers of attempts that are thrown away are read to their
/// end while it waits, when they are short, so that their connections can be used again; else, and when there is no time for it, their
/// transfers are stopped. A task that is
/// cancelled while it waits throws `.cancelled`. An answer that arrives as a stream is retried until its head is there, and not
/// afterwards.
///
/// Place it inside (after) authentication and the cache: each attempt is then sent with what those have added.
public struct RetryInterceptor: Interceptor, CredentialAddingInterceptor {
    private let policy: RetryPolicy
    private let time: (any TimeSource)?
    private let random: (any RandomSource)?
    private let budget: RetryBudget?

    /// An interceptor for a policy.
    ///
    /// - Parameters:
    ///   - policy: when to retry. Default: `.standard`.
    ///   - time: the clock for waits. Default: nil, the client's, on which deadlines are measured.
    ///   - random: the random numbers for jitter. Default: nil, the client's.
    ///   - budget: limits the number of retries. Default: a budget of its own, 20 % of the requests of the last 10 seconds and 10 more. Nil
    ///     for no limit.
    public init(
        _ policy: RetryPolicy = .standard, time: (any TimeSource)? = nil, random: (any RandomSource)? = nil,
        budget: RetryBudget? = RetryBudget()
    ) {
        self.policy = policy
        self.time = time
        self.random = random
        self.budget = budget
    }

    /// Sends the request on until it has an outcome that is the caller's.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let policy = request.context.retryPolicy ?? policy, time = time ?? request.context.time
        var number = 0
        var waited = Duration.zero
        budget?.addRequest(at: time.instant)
        while true {
            number += 1
            let (start, began) = (time.now, time.instant)
            let outcome = await outcome(of: request, next)
            let ended = time.instant
            let decision = decision(
                policy,
                RetryAttempt(
                    request: request, outcome: outcome.withoutBody, number: number, previousWait: waited, now: time.now,
                    remaining: request.context.deadline.map { ended.duration(to: $0) }), time)
            request.context.attempts?.add(
                AttemptRecord(
                    start: start, duration: began.duration(to: ended), outcome: outcome.record, wait: decision.wait,
                    reason: decision.reason))
            guard let wait = decision.wait else { return try outcome.get() }
            try await sleep(wait, emptying: outcome, of: request, time)
            waited = wait
        }
    }

    private func outcome(of request: HTTPRequest, _ next: Next) async -> Result<HTTPResponse<HTTPBody>, HTTPError> {
        do throws(HTTPError) { return .success(try await next(request)) } catch { return .failure(error) }
    }

    private func decision(_ policy: RetryPolicy, _ attempt: RetryAttempt, _ time: any TimeSource) -> RetryPolicy.Decision {
        let decision = policy.decision(after: attempt, random: random ?? attempt.request.context.random)
        guard decision.wait != nil, let budget, !budget.takeRetry(at: time.instant) else { return decision }
        return .stop(reason: "the budget for retries is spent")
    }

    /// Waits, and reads the short body of an answer that nobody gets meanwhile, or stops a long one.
    private func sleep(
        _ wait: Duration, emptying outcome: Result<HTTPResponse<HTTPBody>, HTTPError>, of request: HTTPRequest, _ time: any TimeSource
    ) async throws(HTTPError) {
        do {
            guard case .success(let response) = outcome, case .stream(let stream) = response.body.storage else {
                return try await time.sleep(for: wait)
            }
            guard response.body.isShort else {
                stream.releaseReader().cancel(.cancelled)
                return try await time.sleep(for: wait)
            }
            // Ends with this scope at the latest.
            async let _ = response.body.readToEnd()
            try await time.sleep(for: wait)
        } catch {
            throw .cancelled(ErrorContext(request: request, stage: .interceptor, detail: "while waiting \(wait) to try again"))
        }
    }
}

extension HTTPBody {
    /// More than this is not read for the sake of a connection.
    private static let shortest: Int64 = 64 * 1024

    /// Whether it is cheaper to read than a new connection.
    fileprivate var isShort: Bool { length.map { $0 <= HTTPBody.shortest } ?? false }

    /// Reads what is left, and forgets it; an error ends it as well as the end does.
    fileprivate func readToEnd() async {
        var iterator = makeAsyncIterator()
        while let chunk = try? await iterator.next(), !chunk.isEmpty {}
    }
}

extension Result<HTTPResponse<HTTPBody>, HTTPError> {
    fileprivate var withoutBody: Result<HTTPResponse<Void>, HTTPError> { map { $0.map { _ in } } }

    fileprivate var record: AttemptRecord.Outcome {
        switch self {
        case .success(let response): .status(response.status)
        case .failure(let error): AttemptRecord.Outcome(error)
        }
    }
}
