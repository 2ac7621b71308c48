internal import MartletJSON

/// What the numbers at one place have in common.
struct NumberFacts {
    /// A Swift type for the numbers.
    enum Kind: Int {
        case int, int64, uint64
        /// An integer beyond 64 bits.
        case bigInteger
        /// A number with a fraction or an exponent.
        case fraction
        /// An integer with more digits than a `Decimal` has.
        case huge
    }

    private(set) var count = 0
    private var kinds: Set<Kind> = []
    private var hasNegative = false

    mutating func add(_ text: String) {
        count += 1
        hasNegative = hasNegative || text.hasPrefix("-")
        kinds.insert(NumberFacts.kind(of: text))
    }

    mutating func merge(_ other: NumberFacts) {
        count += other.count
        kinds.formUnion(other.kinds)
        hasNegative = hasNegative || other.hasNegative
    }

    /// The smallest kind that holds all the numbers.
    var kind: Kind {
        if kinds.contains(.huge) { return .huge }
        if kinds.contains(.fraction) { return .fraction }
        if kinds.contains(.bigInteger) || kinds.contains(.uint64) && hasNegative { return .bigInteger }
        return kinds.max { $0.rawValue < $1.rawValue } ?? .int
    }

    /// `Int` has 32 bits on some watches, so larger numbers are `Int64`.
    private static func kind(of text: String) -> Kind {
        if text.contains(where: { ".eE".contains($0) }) { return .fraction }
        if Int32(text) != nil { return .int }
        if Int64(text) != nil { return .int64 }
        if UInt64(text) != nil { return .uint64 }
        // A `Decimal` has 38 digits.
        return text.count <= 38 ? .bigInteger : .huge
    }
}
