#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A body that gives what a test sends, is silent in between, and tells why it was cancelled.
package final class SentBody: HTTPBodyReader {
    private struct State {
        var chunks: [Data?] = []
        var reason: HTTPError?
        var waiter: CheckedContinuation<Result<Data?, HTTPError>, Never>?
        var observer: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    package init() {}

    /// Why it was cancelled; nil when it was not.
    package var reason: HTTPError? { state.withLock { $0.reason } }

    /// Sends bytes; nil for the end.
    package func send(_ text: String?) {
        let chunk = text.map { Data($0.utf8) }
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.chunks.append(chunk) }
            return state.waiter
        }
        waiter?.resume(returning: .success(chunk))
    }

    /// Waits until all was read and more is waited for.
    package func waitUntilRead() async {
        await withCheckedContinuation { continuation in
            let isRead = state.withLock { state in
                if state.waiter == nil { state.observer = continuation }
                return state.waiter != nil
            }
            if isRead { continuation.resume() }
        }
    }

    package func next() async throws(HTTPError) -> Data? {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result<Data?, HTTPError>, Never>) in
                let (outcome, observer) = state.withLock { state -> (Result<Data?, HTTPError>?, CheckedContinuation<Void, Never>?) in
                    if let reason = state.reason { return (.failure(reason), nil) }
                    if !state.chunks.isEmpty { return (.success(state.chunks.removeFirst()), nil) }
                    state.waiter = waiter
                    defer { state.observer = nil }
                    return (nil, state.observer)
                }
                if let outcome { waiter.resume(returning: outcome) }
                observer?.resume()
            }
        } onCancel: {
            cancel(.cancelled)
        }.get()
    }

    package func cancel(_ reason: HTTPError) {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            state.reason = state.reason ?? reason
            return state.waiter
        }
        waiter?.resume(returning: .failure(reason))
    }
}
