internal import MartletSystem

/// Chance that a test repeats: what it gives depends on its seed and on how often it was asked, on nothing else.
///
/// ```swift
/// let random = SeededRandom(seed: 42)
/// random.draws  // what was given so far
/// ```
///
/// Concurrent callers share one sequence; which of them gets which number is theirs to order.
public final class SeededRandom: RandomSource {
    private struct State {
        var generator: SeededGenerator
        var draws: [UInt64] = []
    }

    private let state: Locked<State>

    /// A source that starts at `seed`. Default: 0.
    public init(seed: UInt64 = 0) { state = Locked(State(generator: SeededGenerator(seed: seed))) }

    /// The next number, which is kept in ``draws``.
    public func next() -> UInt64 {
        state.withLock { state in
            let number = state.generator.next()
            state.draws.append(number)
            return number
        }
    }

    /// The numbers given so far, in order.
    public var draws: [UInt64] { state.withLock { $0.draws } }
}
