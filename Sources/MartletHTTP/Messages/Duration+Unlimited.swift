extension Duration {
    /// The duration that means no limit in parameters that take a time limit, as in `.timeout(.unlimited)`.
    public static var unlimited: Duration { .seconds(1_000 * 366 * 86_400) }

    /// The duration, or nil if it is ``unlimited`` or longer.
    package var ifLimited: Duration? { self < .unlimited ? self : nil }
}
