extension Duration {
    /// No time limit, where a time limit is expected: `.timeout(.unlimited)`.
    public static var unlimited: Duration { .seconds(1_000 * 366 * 86_400) }

    /// The duration, or nil if it is ``unlimited`` or longer.
    package var ifLimited: Duration? { self < .unlimited ? self : nil }
}
