package import MartletEssentials
package import MartletHTTP
internal import MartletSystem

/// A body that returns what a test sends, waits in between, and records why it was cancelled.
package final class SentBody: HTTPBodyReader {
    private struct State {
        var chunks: [Data?] = []
        var isAwaited = false
        var observer: CheckedContinuation<Void, Never>?
    }

    private let read = PendingRead()
    private let state = Locked(State())

    package init() {}

    /// The reason of the cancellation, or nil.
    package var reason: HTTPError? { read.reason }

    /// Sends bytes, or nil for the end.
    package func send(_ text: String?) {
        let chunk = text.map { Data($0.utf8) }
        let isAwaited = state.withLock { state in
            defer { state.isAwaited = false }
            if !state.isAwaited { state.chunks.append(chunk) }
            return state.isAwaited
        }
        if isAwaited { read.finish(.success(chunk)) }
    }

    /// Waits until all bytes were read and the reader waits for more.
    package func waitUntilRead() async {
        await withCheckedContinuation { continuation in
            let isRead = state.withLock { state in
                if !state.isAwaited { state.observer = continuation }
                return state.isAwaited
            }
            if isRead { continuation.resume() }
        }
    }

    package func next() async throws(HTTPError) -> Data? {
        try await read.chunk(cancel: cancel) {
            let (chunk, observer) = state.withLock { state -> (Data??, CheckedContinuation<Void, Never>?) in
                if !state.chunks.isEmpty { return (state.chunks.removeFirst(), nil) }
                state.isAwaited = true
                return (nil, state.observer.take())
            }
            if let chunk { read.finish(.success(chunk)) }
            observer?.resume()
        }
    }

    package func cancel(_ reason: HTTPError) { read.cancel(reason) }
}
