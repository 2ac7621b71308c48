internal import MartletSystem

/// Reports the reading of a sequence as one call: it begins with the first element and ends with the last one, or when it is released.
package final class ObservedReading: Sendable {
    private struct State {
        var hasBegun = false
        var call: ObservedCall?
        var head: HTTPResponse<Void>?
        var failure: HTTPError?
        /// Why the last element has no value, if it reports a failure.
        var lastFailure: HTTPError?
    }

    private let begin: @Sendable () -> ObservedCall?
    private let state = Locked(State())

    /// - Parameter begin: Begins the observation, or returns nil without observers. It is called once, for the first request.
    package init(_ begin: @escaping @Sendable () -> ObservedCall?) { self.begin = begin }

    deinit {
        let (call, failure) = state.withLock { ($0.call, $0.failure ?? $0.lastFailure) }
        call?.ended(.failure(failure ?? .cancelled(ErrorContext(stage: .body, detail: "the sequence was not read to its end"))))
    }

    /// The observed call, which this begins, or nil without observers.
    package var call: ObservedCall? {
        let begun = state.withLock { state -> ObservedCall?? in
            if state.hasBegun { return state.call }
            state.hasBegun = true
            return nil
        }
        if let begun { return begun }
        let call = begin()
        state.withLock { $0.call = call }
        return call
    }

    /// Whether the reading has begun, and has observers.
    package var isObserved: Bool { state.withLock { $0.call != nil } }

    /// Notes the head of a response.
    package func opened(_ head: HTTPResponse<Void>) { state.withLock { if $0.call != nil { $0.head = head } } }

    /// Notes an error. The reader may go on after it, but the call has failed.
    package func failed(_ error: HTTPError) { state.withLock { if $0.failure == nil { $0.failure = error } } }

    /// Notes that an element arrived, and why it has no value if it reports a failure. The call ends as its last element.
    package func received(_ failure: HTTPError?) { state.withLock { $0.lastFailure = failure } }

    /// Ends the call after the last element.
    package func finished() {
        let (call, head, failure) = state.withLock { ($0.call, $0.head, $0.failure ?? $0.lastFailure) }
        call?.ended(failure.map { .failure($0) } ?? .success(head))
    }

    /// Reads the next element, and reports an error or the end.
    package func next<Element>(
        _ read: () async throws(HTTPError) -> Element?
    ) async throws(HTTPError) -> Element? {
        do throws(HTTPError) {
            let element = try await read()
            if element == nil { finished() }
            return element
        } catch {
            failed(error)
            throw error
        }
    }
}
