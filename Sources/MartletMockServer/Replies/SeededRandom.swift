internal import MartletSystem

/// A source of repeatable random numbers for tests, which depend only on a seed and on the number of earlier calls.
///
/// ```swift
/// let random = SeededRandom(seed: 42)
/// random.draws  // the numbers so far
/// ```
///
/// Concurrent callers share one sequence. A test that needs to know which caller gets which number must order the calls.
public final class SeededRandom: RandomSource {
    private struct State {
        var generator: SeededGenerator
        var draws: [UInt64] = []
    }

    private let state: Locked<State>

    /// Creates a source with a seed. Default: 0.
    public init(seed: UInt64 = 0) { state = Locked(State(generator: SeededGenerator(seed: seed))) }

    /// Returns the next number and records it in ``draws``.
    public func next() -> UInt64 {
        state.withLock { state in
            let number = state.generator.next()
            state.draws.append(number)
            return number
        }
    }

    /// The numbers returned so far, in order.
    public var draws: [UInt64] { state.withLock { $0.draws } }
}
