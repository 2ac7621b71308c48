internal import MartletClient

extension SpanAttributes {
    /// Returns `error.type` of an attempt, or nil if it succeeded: a status from 400 on, the kind of the failure, or `_OTHER`.
    static func errorType(_ outcome: CallTrace.Outcome) -> String? {
        switch outcome {
        case .status(let status): status.rawValue >= 400 ? "\(status.rawValue)" : nil
        case .network(let kind): kind.rawValue
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .failed: "_OTHER"
        }
    }

    /// Returns `error.type` of a call, or nil if it succeeded: a status, the kind of a network failure, or the name of the error's case.
    static func errorType(_ outcome: CallOutcome) -> String? {
        guard case .failure(let error) = outcome else { return nil }
        if case .statusCode(let response) = error { return "\(response.status.rawValue)" }
        return error.caseName
    }
}
