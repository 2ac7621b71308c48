/// The limits for parsing a JSON document.
package struct JSONLimits: Sendable, Hashable {
    /// The maximum nesting of arrays and objects. Default: 512.
    package var maxDepth: Int
    /// The maximum number of values, including arrays, objects and their contents. Default: 10 million. Numbers above 134,217,727 are
    /// reduced to it.
    ///
    /// The finished index of a document takes at most 16 bytes for each value.
    package var maxValues: Int

    /// Whether escapes may contain half of a surrogate pair, which is then read as U+FFFD. Default: false.
    package var allowsLoneSurrogates = false

    /// Creates limits. Each has a default.
    package init(maxDepth: Int = 512, maxValues: Int = 10_000_000) {
        self.maxDepth = maxDepth
        self.maxValues = maxValues
    }

    /// The largest number of values that an index can hold: entry indices have 28 bits, and a member takes two entries.
    static let possibleValues = 1 << 27 - 1
}
