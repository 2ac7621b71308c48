package import MartletEssentials

/// Which failures of a transfer that has begun may be others in a moment: a function of values.
package enum TransientFailure {
    /// The wait that the server asks for, zero when it asks for none; nil when the failure will not pass.
    package static func wait(after error: HTTPError, now: Date) -> Duration? {
        switch error {
        case .networkError, .timeout: return .zero
        case .invalidResponse(let what): return what.context.stage == .body ? .zero : nil
        case .statusCode(let response):
            guard RetryPolicy.transientStatuses.contains(response.status) else { return nil }
            return ServerWait.asked(by: response.map { _ in }, now: now) ?? .zero
        default: return nil
        }
    }
}
