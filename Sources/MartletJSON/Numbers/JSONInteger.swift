/// Converts a valid JSON number to an integer without rounding. `1.0` and `1e3` are integers, `1.5` is not.
enum JSONInteger {
    /// Returns the integer, or nil if the number has a fraction or does not fit.
    @inline(__always)
    static func value<Value: FixedWidthInteger>(
        _ type: Value.Type, _ bytes: UnsafePointer<UInt8>, _ count: Int, isPlain: Bool
    ) -> Value? {
        if isPlain, count <= 18 {
            let isNegative = bytes[0] == UInt8(ascii: "-")
            var place = isNegative ? 1 : 0, magnitude: Int64 = 0
            while place < count {
                magnitude = magnitude &* 10 &+ Int64(bytes[place] &- UInt8(ascii: "0"))
                place &+= 1
            }
            return Value(exactly: isNegative ? 0 &- magnitude : magnitude)
        }
        return slow(type, bytes, count)
    }

    /// Converts any notation by its significant digits and power of ten.
    @inline(never)
    private static func slow<Value: FixedWidthInteger>(_ type: Value.Type, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Value? {
        let number = DecimalDigits(UnsafeBufferPointer(start: bytes, count: count))
        guard !number.isZero else { return 0 }
        guard number.exponent >= 0, number.digitCount + number.exponent <= 40 else { return nil }
        var value: Value = 0
        func append(_ digit: UInt8) -> Bool {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) =
                number.isNegative ? product.subtractingReportingOverflow(Value(digit)) : product.addingReportingOverflow(Value(digit))
            value = sum
            return !isTooLarge && !overflow
        }
        for index in 0..<number.digitCount {
            guard append(number.digit(index)) else { return nil }
        }
        for _ in 0..<number.exponent {
            guard append(0) else { return nil }
        }
        return value
    }
}

/// The significant digits of a valid JSON number, without zeros at either end, and the power of ten that scales them.
struct DecimalDigits {
    /// The number as written.
    private let bytes: UnsafeBufferPointer<UInt8>
    let isNegative: Bool
    /// The places of the first and last significant digit. The decimal point may be between them.
    private var first = 0, last = -1
    private var point: Int
    /// The number of significant digits. 0 for zero.
    private(set) var digitCount = 0
    /// The number equals its digits as an integer times ten to this power.
    private(set) var exponent = 0

    var isZero: Bool { digitCount == 0 }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var mantissaEnd = start
        point = -1
        while mantissaEnd < bytes.count, bytes[mantissaEnd] | 0x20 != UInt8(ascii: "e") {
            if bytes[mantissaEnd] == UInt8(ascii: ".") { point = mantissaEnd }
            mantissaEnd += 1
        }
        if point < 0 { point = mantissaEnd }
        first = start
        while first < mantissaEnd, !isSignificant(first) { first += 1 }
        last = mantissaEnd - 1
        while last > first, !isSignificant(last) { last -= 1 }
        guard first < mantissaEnd else { return }
        let isSplit = first < point && point < last
        digitCount = last - first + (isSplit ? 0 : 1)
        exponent = (last < point ? point - 1 - last : point - last) + DecimalDigits.power(bytes, mantissaEnd)
    }

    private func isSignificant(_ place: Int) -> Bool { bytes[place] != UInt8(ascii: "0") && bytes[place] != UInt8(ascii: ".") }

    /// Returns the digit at an index, from 0 to 9.
    func digit(_ index: Int) -> UInt8 {
        var place = first + index
        if first < point, place >= point { place += 1 }
        return bytes[place] - UInt8(ascii: "0")
    }

    /// Returns the exponent after `e`. It saturates at a value beyond any representable number.
    private static func power(_ bytes: UnsafeBufferPointer<UInt8>, _ mantissaEnd: Int) -> Int {
        guard mantissaEnd < bytes.count else { return 0 }
        var place = mantissaEnd + 1, power = 0
        let isNegative = bytes[place] == UInt8(ascii: "-")
        if isNegative || bytes[place] == UInt8(ascii: "+") { place += 1 }
        while place < bytes.count {
            if power < Int.max / 16 { power = power * 10 + Int(bytes[place] - UInt8(ascii: "0")) }
            place += 1
        }
        return isNegative ? -power : power
    }
}
