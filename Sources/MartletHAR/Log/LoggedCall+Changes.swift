internal import MartletEssentials

extension LoggedCall {
    mutating func add(_ attempt: LoggedAttempt) {
        attempts.append(attempt)
        cost += attempt.cost
    }

    /// Changes the last attempt with this number.
    mutating func change(_ number: Int, _ change: (inout LoggedAttempt) -> Void) {
        guard let index = attempts.lastIndex(where: { $0.number == number }) else { return }
        cost -= attempts[index].cost
        change(&attempts[index])
        cost += attempts[index].cost
        status = attempts[index].status ?? status
    }

    mutating func add(_ step: CallTrace.Step, limit: Int) {
        guard case .attempt(let attempt) = step.kind else {
            steps.append(step)
            cost += LoggedCall.stepCost
            return
        }
        // The attempts of another call, whose response this call shares, were not seen. Earlier ones were removed.
        if attempt.number > attempts.last?.number ?? 0 {
            add(LoggedAttempt(attempt.number, attempt.request, at: step.time.inSeconds, limit: limit))
        }
        change(attempt.number) { logged in
            logged.at = step.time.inSeconds
            guard let outcome = attempt.outcome else { return }
            logged.ended = LoggedAttempt.Facts(
                outcome: outcome, duration: attempt.duration ?? .zero, version: attempt.version, timings: attempt.timings,
                address: attempt.remoteAddress, isReused: attempt.isConnectionReused)
            if case .status(let status) = outcome { logged.status = status }
        }
    }

    private static let stepCost = 500
    private static let maxAttempts = 200
    private static let maxSteps = 500

    /// Removes the oldest attempts after the first one, and the oldest steps, beyond limits for their numbers and bytes.
    ///
    /// A quarter of them is removed at a time, because each removal moves the rest.
    mutating func shorten(upTo bytes: Int) {
        let maxSteps = min(LoggedCall.maxSteps, max(8, bytes / 4 / LoggedCall.stepCost))
        if steps.count > maxSteps {
            let count = steps.count - maxSteps + maxSteps / 4
            steps.removeFirst(count)
            cost -= count * LoggedCall.stepCost
            omitted.steps += count
        }
        while attempts.count > 2, attempts.count > LoggedCall.maxAttempts || cost > bytes {
            let range = 1..<(1 + max(1, (attempts.count - 2) / 4))
            for attempt in attempts[range] {
                cost -= attempt.cost
                omitted.attempts += 1
                omitted.sent += attempt.sent.size
                omitted.received += attempt.received.size
            }
            attempts.removeSubrange(range)
        }
    }

    mutating func finish(_ outcome: CallOutcome, after duration: Duration) {
        parser = nil
        // The end of an attempt that outlives its call is not reported.
        for index in attempts.indices where attempts[index].ended == nil {
            attempts[index].ended = LoggedAttempt.Facts(
                outcome: .cancelled, duration: max(.zero, duration - .seconds(attempts[index].at)), version: nil, timings: nil,
                address: nil, isReused: nil)
        }
        switch outcome {
        case .success(let head):
            status = head?.status ?? status
            end = End(failure: nil, stage: nil, outline: "", text: "", duration: duration)
        case .failure(let error):
            status = error.status ?? status
            end = End(
                failure: error.caseName, stage: error.stage, outline: error.outline, text: error.failureText, duration: duration)
            cost += end?.text.utf8.count ?? 0
        }
    }
}

extension LoggedAttempt {
    mutating func receive(_ head: HTTPResponse<Void>) {
        cost += head.headers.memory - answer.memory
        status = head.status
        answer = head.headers
        trailers = head.metadata.trailers
        wasContentCoded = head.metadata.wasContentCoded
        isEventStream = answer[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
    }

    mutating func receive(_ piece: Data, at: Double, limit: Int) {
        let before = received.bytes.count
        received.append(piece, limit: limit)
        cost += received.bytes.count - before
        lastBytes = at
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
