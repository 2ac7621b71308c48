extension Duration {
    /// No limit, for parameters that take a time limit: `.timeout(.unlimited)`.
    public static var unlimited: Duration { .seconds(1_000 * 366 * 86_400) }

    /// The duration, or nil if it is ``unlimited`` or longer.
    package var ifLimited: Duration? { self < .unlimited ? self : nil }
}
