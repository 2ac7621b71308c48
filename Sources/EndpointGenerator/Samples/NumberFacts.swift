internal import MartletEssentials
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
    /// Whether a `Decimal` holds all numbers with all their digits.
    private(set) var areDecimals = true

    mutating func add(_ text: String) {
        count += 1
        hasNegative = hasNegative || text.hasPrefix("-")
        let kind = NumberFacts.kind(of: text)
        kinds.insert(kind)
        if kind == .huge || kind == .fraction, areDecimals { areDecimals = NumberFacts.isDecimal(text) }
    }

    mutating func merge(_ other: NumberFacts) {
        count += other.count
        kinds.formUnion(other.kinds)
        hasNegative = hasNegative || other.hasNegative
        areDecimals = areDecimals && other.areDecimals
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
        if text.contains(where: { ".eE".contains($0) }) { return isDouble(text) ? .fraction : .huge }
        if Int32(text) != nil { return .int }
        if Int64(text) != nil { return .int64 }
        if UInt64(text) != nil { return .uint64 }
        // A `Decimal` has 38 digits.
        return text.count <= 38 ? .bigInteger : .huge
    }

    /// Whether the client's decoder reads the number as a `Double`. A number such as `1e-400` would become zero.
    private static func isDouble(_ text: String) -> Bool {
        guard let number = Double(text), number.isFinite else { return false }
        return !number.isZero || !text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
    }

    /// Whether the client's decoder reads the number as a `Decimal`, which has 38 digits and smaller exponents than a `Double`.
    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.prefix { $0 != "e" && $0 != "E" }
        return digits.count <= 38 && (try? JSONBodyDecoder().decode(Decimal.self, from: Data(text.utf8))) != nil
    }
}
