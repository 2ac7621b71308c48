internal import MartletCore

/// An answer that is given once and taken once. It is not kept afterwards: a streamed body that somebody still holds is never dropped.
final class AnswerSlot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(UnsafeContinuation<Value, Never>)
        case given(Value)
        case taken
    }

    private let state = Locked(State.open)

    /// Gives the answer, unless one was given before.
    func give(_ value: Value) {
        let waiter = state.withLock { state -> UnsafeContinuation<Value, Never>? in
            switch state {
            case .open: state = .given(value)
            case .awaited(let waiter):
                state = .taken
                return waiter
            case .given, .taken: break
            }
            return nil
        }
        waiter?.resume(returning: value)
    }

    /// Takes the answer, as soon as it is given. May be called once.
    func take() async -> Value {
        await withUnsafeContinuation { continuation in
            let early = state.withLock { state -> Value? in
                if case .given(let value) = state {
                    state = .taken
                    return value
                }
                state = .awaited(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
