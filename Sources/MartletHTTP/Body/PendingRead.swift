package import MartletEssentials
internal import MartletSystem

/// The wait of a body's reader for its next chunk. A cancellation ends the wait and makes every later one throw its reason.
package final class PendingRead: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Data?, HTTPError>, Never>

    private let state: Locked<(waiter: Waiter?, reason: HTTPError?)> = Locked((nil, nil))

    package init() {}

    /// The reason of the first cancellation, or nil.
    package var reason: HTTPError? { state.withLock { $0.reason } }

    /// Calls `start` and waits until `finish(_:)` is called. A cancelled task calls `cancel` and throws `.cancelled`.
    package func chunk(cancel: @Sendable (HTTPError) -> Void, start: () -> Void) async throws(HTTPError) -> Data? {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let reason = state.withLock { state in
                    if state.reason == nil { state.waiter = waiter }
                    return state.reason
                }
                if let reason { waiter.resume(returning: .failure(reason)) } else { start() }
            }
        } onCancel: {
            cancel(.cancelled(ErrorContext(stage: .body)))
        }.get()
    }

    /// Ends the wait, unless a cancellation has already ended it.
    package func finish(_ chunk: Result<Data?, HTTPError>) {
        let waiter = state.withLock { $0.waiter.take() }
        waiter?.resume(returning: chunk)
    }

    /// Ends the wait and every later one with `reason`, unless another reason was given before.
    package func cancel(_ reason: HTTPError) {
        let first = state.withLock { state in
            state.reason = state.reason ?? reason
            return state.reason
        }
        finish(.failure(first ?? reason))
    }
}
