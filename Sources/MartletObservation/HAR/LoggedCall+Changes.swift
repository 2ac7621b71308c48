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
            cost += 300
            return
        }
        // The attempts of another call, whose response this call shares, were not seen.
        if !attempts.contains(where: { $0.number == attempt.number }) {
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

    mutating func finish(_ outcome: CallOutcome, after duration: Duration) {
        parser = nil
        // The end of an attempt that outlives its call is not reported.
        for index in attempts.indices where attempts[index].ended == nil {
            attempts[index].ended = LoggedAttempt.Facts(
                outcome: .cancelled, duration: max(.zero, duration - .seconds(attempts[index].at)), version: nil, timings: nil,
                address: nil,
                isReused: nil)
        }
        switch outcome {
        case .succeeded(let head):
            status = head?.status ?? status
            end = End(failure: nil, stage: nil, text: "", duration: duration)
        case .failed(let error):
            status = error.status ?? status
            end = End(failure: error.caseName, stage: error.stage, text: error.failureText, duration: duration)
            cost += end?.text.utf8.count ?? 0
        @unknown default: end = End(failure: nil, stage: nil, text: "", duration: duration)
        }
    }
}

extension LoggedAttempt {
    mutating func receive(_ head: HTTPResponse<Void>) {
        status = head.status
        answer = head.headers
        trailers = head.metadata.trailers
        wasContentCoded = head.metadata.wasContentCoded
    }
}

extension Duration {
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension HTTPError {
    /// The name of the error's case, such as `decodingFailed`.
    fileprivate var caseName: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .invalidRequest: "invalidRequest"
        case .encodingFailed: "encodingFailed"
        case .networkError(let failure): failure.kind.rawValue
        case .invalidSSLCertificate: "invalidSSLCertificate"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .draining: "draining"
        case .invalidResponse: "invalidResponse"
        case .noData: "noData"
        case .statusCode: "statusCode"
        case .decodingFailed: "decodingFailed"
        case .responseTooLarge: "responseTooLarge"
        case .fileFailed: "fileFailed"
        case .integrityFailed: "integrityFailed"
        case .redirectFailed: "redirectFailed"
        case .bodyNotReplayable: "bodyNotReplayable"
        case .pagingFailed: "pagingFailed"
        case .addressRefused: "addressRefused"
        case .authenticationFailed: "authenticationFailed"
        case .circuitOpen: "circuitOpen"
        case .limitExceeded: "limitExceeded"
        case .engineUnavailable: "engineUnavailable"
        case .interceptorFailed: "interceptorFailed"
        }
    }
}
