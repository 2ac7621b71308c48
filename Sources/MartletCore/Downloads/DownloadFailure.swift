#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which failures of a download are worth asking for the rest: a function of values.
enum DownloadFailure {
    /// The wait that the server asks for, zero when it asks for none; nil when the failure is the end.
    static func wait(after error: HTTPError, now: Date) -> Duration? {
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
