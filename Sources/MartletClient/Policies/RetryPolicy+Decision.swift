extension RetryPolicy {
    /// Returns whether another attempt follows one that has ended, after which wait, and why; it sends nothing. Use it in your own retry
    /// interceptor and in tests of a policy.
    ///
    /// The decision depends only on the attempt and the random numbers for the jitter. It does not take a `RetryBudget` into account.
    public func decision(after attempt: RetryAttempt, random: any RandomSource = .system) -> Decision {
        if case .failure(.cancelled) = attempt.outcome { return .stop(reason: "the call was cancelled") }
        let answer = hook?(attempt) ?? .asUsual
        if answer == .no { return .stop(reason: "the policy's hook said no") }
        let cause = answer == .yes ? "the policy's hook said yes" : cause(of: attempt)
        guard let cause else { return .stop(reason: RetryPolicy.noCause(attempt)) }
        if answer != .yes, !mayRepeat(attempt.request) {
            return .stop(
                reason: "\(Redaction.line(attempt.request.method.rawValue, limit: 40)) is not idempotent and has no Idempotency-Key")
        }
        guard attempt.request.isReplayable else { return .stop(reason: "the body is a stream and can't be sent again") }
        guard attempt.number < maxAttempts else { return .stop(reason: "it was the last of \(max(1, maxAttempts)) attempts") }
        return wait(for: attempt, cause, random)
    }

    /// Whether every response with this status is final: below 400, not in ``statuses``, and without a hook. Nothing is recorded for it.
    package func delivers(_ status: HTTPStatus) -> Bool { hook == nil && status.rawValue < 400 && !statuses.contains(status) }

    private func wait(for attempt: RetryAttempt, _ cause: String, _ random: any RandomSource) -> Decision {
        let asked = attempt.response.flatMap { ServerWait.asked(by: $0, now: attempt.now) } ?? .zero
        guard asked <= maxRetryAfter else {
            return .stop(reason: "the server asks for a wait of \(asked), longer than the allowed \(maxRetryAfter)")
        }
        let isAsked = asked > .zero
        let wait = isAsked ? asked : backoff.delay(afterAttempt: attempt.number, previous: attempt.previousWait, random: random)
        if let remaining = attempt.remaining, wait >= remaining {
            return .stop(reason: "a wait of \(wait) would reach the deadline, \(max(.zero, remaining)) away")
        }
        return .retry(after: wait, reason: isAsked ? cause + ", and asks for this wait" : cause)
    }

    private func mayRepeat(_ request: HTTPRequest) -> Bool {
        request.context.isIdempotent ?? (methods.contains(request.method) || request.headers.hasIdempotencyKey)
    }

    /// Returns the reason why the attempt can be retried, or nil if it can't.
    private func cause(of attempt: RetryAttempt) -> String? {
        switch attempt.outcome {
        case .success(let response): return statuses.contains(response.status) ? "the server responded with \(response.status)" : nil
        case .failure(let error):
            guard let failure = Failure(error), failures.contains(failure) else { return nil }
            switch failure {
            case .timeout: return "the attempt timed out"
            case .truncation: return "the response was cut short"
            case .connection, .other: return "the network failed: \(CallTrace.Outcome(error))"
            }
        }
    }

    private static func noCause(_ attempt: RetryAttempt) -> String {
        switch attempt.outcome {
        // Not reported, and by far the most common: creating a text would cost more than the rest of the decision.
        case .success(let response) where response.status.rawValue < 400: "it succeeded"
        case .success(let response): "\(response.status) is not a status to retry"
        case .failure: "it is not a failure to retry"
        }
    }
}

extension RetryPolicy.Failure {
    /// Classifies an error, or returns nil for an error of another kind.
    fileprivate init?(_ error: HTTPError) {
        switch error {
        case .networkError(let failure) where failure.kind == .connectionLost && error.stage == .body: self = .truncation
        case .networkError(let failure): self = failure.kind == .other ? .other : .connection
        case .timeout: self = .timeout
        case .invalidResponse where error.stage == .body: self = .truncation
        default: return nil
        }
    }
}
