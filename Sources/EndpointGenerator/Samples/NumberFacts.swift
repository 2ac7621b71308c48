internal import MartletEssentials
internal import MartletJSON

/// What the numbers at one place have in common.
struct NumberFacts {
    /// A Swift type for the numbers.
    enum Kind: Int {
        case int, uint64
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
    /// Whether a number is beyond 32 bits, which `Int` has on some watches.
    private(set) var exceeds32Bits = false
    private var seconds = 0, milliseconds = 0

    /// A unit of times since 1970.
    enum TimeUnit {
        case seconds, milliseconds
    }

    mutating func add(_ text: String) {
        count += 1
        hasNegative = hasNegative || text.hasPrefix("-")
        let kind = NumberFacts.kind(of: text)
        kinds.insert(kind)
        if kind == .int, Int32(text) == nil { exceeds32Bits = true }
        if let number = Double(text) {
            if NumberFacts.times.contains(number) { seconds += 1 }
            if NumberFacts.times.contains(number / 1_000) { milliseconds += 1 }
        }
        if kind == .huge || kind == .fraction, areDecimals { areDecimals = NumberFacts.isDecimal(text) }
    }

    mutating func merge(_ other: NumberFacts) {
        count += other.count
        kinds.formUnion(other.kinds)
        hasNegative = hasNegative || other.hasNegative
        areDecimals = areDecimals && other.areDecimals
        exceeds32Bits = exceeds32Bits || other.exceeds32Bits
        seconds += other.seconds
        milliseconds += other.milliseconds
    }

    /// The unit in which all numbers can be times from September 2001 to the year 2100, or nil.
    var timeUnit: TimeUnit? {
        guard count > 0 else { return nil }
        return seconds == count ? .seconds : milliseconds == count ? .milliseconds : nil
    }

    private static let times = 1_000_000_000.0..<4_102_444_800

    /// The smallest kind that holds all the numbers.
    var kind: Kind {
        if kinds.contains(.huge) { return .huge }
        if kinds.contains(.fraction) { return .fraction }
        if kinds.contains(.bigInteger) || kinds.contains(.uint64) && hasNegative { return .bigInteger }
        return kinds.max { $0.rawValue < $1.rawValue } ?? .int
    }

    private static func kind(of text: String) -> Kind {
        if text.contains(where: { ".eE".contains($0) }) { return isDouble(text) ? .fraction : .huge }
        if Int64(text) != nil { return .int }
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
