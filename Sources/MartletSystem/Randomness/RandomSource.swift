/// Where random numbers come from: for the jitter of retries, for boundaries, for identifiers.
///
/// Whatever in Martlet needs chance is given a source, so that a test can give one that repeats: `SeededRandom` in MartletTesting.
public protocol RandomSource: Sendable {
    /// The next number, every bit of it equally likely. May be called by many tasks at once.
    func next() -> UInt64
}

extension RandomSource where Self == SystemRandom {
    /// The system's chance, fit for secrets.
    public static var system: SystemRandom { SystemRandom() }
}

/// The system's random numbers, fit for secrets.
public struct SystemRandom: RandomSource {
    /// The system's source.
    public init() {}

    /// A number of the system's generator.
    public func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}

extension RandomSource {
    /// A number from 0 up to, but not including, 1.
    public func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
