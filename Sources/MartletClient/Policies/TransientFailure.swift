package import MartletEssentials

/// Classifies the failures after which a running transfer can be resumed.
package enum TransientFailure {
    /// Returns the wait that the server asks for, zero if it asks for none, or nil if the failure is permanent.
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
