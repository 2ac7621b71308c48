/// A source of random numbers for the jitter of retries, multipart boundaries, and identifiers.
///
/// Everything random in Martlet takes a source, so that a test can pass a reproducible one: `SeededRandom` in MartletTesting.
public protocol RandomSource: Sendable {
    /// Returns the next number. All bits are random. Concurrent tasks may call it.
    func next() -> UInt64
}

extension RandomSource where Self == SystemRandom {
    /// The system's random number generator, suitable for secrets.
    public static var system: SystemRandom { SystemRandom() }
}

/// The system's random number generator, suitable for secrets.
public struct SystemRandom: RandomSource {
    /// Creates the source. All values are equivalent.
    public init() {}

    /// Returns a number of the system's generator.
    public func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}

extension RandomSource {
    /// Returns a random number from 0 up to, but not including, 1.
    public func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
