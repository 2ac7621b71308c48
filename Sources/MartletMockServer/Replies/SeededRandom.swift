package import MartletEssentials
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

/// A repeatable random number generator (SplitMix64): equal seeds return equal numbers on every platform.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator with a seed.
    package init(seed: UInt64) { state = seed }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns the bytes of the next numbers, in the byte order of this machine: don't use them in golden files.
    package mutating func bytes(_ count: Int) -> Data {
        let words = (count + 7) / 8
        var data = Data(count: words * 8)
        data.withUnsafeMutableBytes { bytes in
            let numbers = bytes.bindMemory(to: UInt64.self)
            var index = 0
            while index < words {
                numbers[index] = next()
                index += 1
            }
        }
        return data.prefix(count)
    }
}
