extension CallOutcome {
    /// The class of the status, or the kind of error. A success without a response is `ok`.
    var metricLabel: String {
        switch self {
        case .success(let response): response?.status.metricLabel ?? "ok"
        case .failure(let error): error.metricLabel
        }
    }

    /// The outcome of attempts that were running when the call ended: `timeout` or `cancelled`.
    var labelOfInterruptedAttempts: String { if case .failure(.timeout) = self { "timeout" } else { "cancelled" } }
}

extension CallTrace.Outcome {
    /// The class of the status, or the kind of error.
    var metricLabel: String {
        switch self {
        case .status(let status): status.metricLabel
        case .network: "network"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}

extension HTTPStatus {
    /// The class of the status, such as `2xx`.
    fileprivate var metricLabel: String { (100..<600).contains(rawValue) ? "\(rawValue / 100)xx" : "invalid_status" }
}

extension HTTPError {
    /// The class of the status, or the kind of error.
    fileprivate var metricLabel: String {
        if case .statusCode(let response) = self { response.status.metricLabel } else { kind.metricLabel }
    }
}

extension CacheStatus {
    /// What the cache did with the request.
    var metricLabel: String {
        if wasValidated { return "validated" }
        if isStale || replacesFailure { return "stale" }
        if isHit { return "hit" }
        if isCollapsed { return "shared" }
        return forwardReason == .bypass || forwardReason == .method ? "bypass" : "miss"
    }
}
