/// A value that is given once and that any number of tasks may wait for.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case kept(Value)
    }

    private let state = Locked(State.open([]))

    /// Gives the value to everyone who waits or will. The first one given stays.
    func keep(_ value: Value) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard case .open(let waiting) = state else { return [] }
            state = .kept(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// The value, when it has been given. Not ended by cancellation: whoever cancels keeps the promise with something else.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let kept = state.withLock { state -> Value? in
                    switch state {
                    case .kept(let value): return value
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    }
                }
                if let kept { continuation.resume(returning: kept) }
            }
        }
    }
}
