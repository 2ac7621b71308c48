extension JSONOutput {
    // MARK: Integers

    @inline(__always)
    mutating func putInteger<Value: FixedWidthInteger>(_ value: Value) {
        guard Value.bitWidth <= 64 else { return putWide(value) }
        if Value.isSigned, value < 0 { put(0x2D) }
        let magnitude = UInt64(truncatingIfNeeded: value.magnitude)
        reserve(20)
        if magnitude < 10 {
            putReserved(0x30 | UInt8(truncatingIfNeeded: magnitude))
        } else {
            putDigits(magnitude, count: Self.digitCount(magnitude))
        }
    }

    @inline(never)
    private mutating func putWide(_ value: some FixedWidthInteger) {
        var text = String(value)
        text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
    }

    /// Writes `count` digits with leading zeros. The caller has reserved the room.
    @inline(__always)
    private mutating func putDigits(_ value: UInt64, count digits: Int) {
        var rest = value
        var offset = count &+ digits
        count = offset
        var left = digits
        while left >= 2 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            rest = quotient
            offset &-= 2
            left &-= 2
            let high = (pair &* 205) &>> 11
            base.storeBytes(of: 0x30 | UInt8(truncatingIfNeeded: high), toByteOffset: offset, as: UInt8.self)
            base.storeBytes(of: 0x30 | UInt8(truncatingIfNeeded: pair &- high &* 10), toByteOffset: offset &+ 1, as: UInt8.self)
        }
        if left == 1 { base.storeBytes(of: 0x30 | UInt8(truncatingIfNeeded: rest), toByteOffset: offset &- 1, as: UInt8.self) }
    }

    @inline(__always)
    private static func digitCount(_ value: UInt64) -> Int {
        var digits = 1
        var limit: UInt64 = 10
        while digits < 20, value >= limit {
            digits &+= 1
            limit = limit &* 10
        }
        return digits
    }

    // MARK: Floating-point numbers

    /// Writes the shortest digits that read back as `value`, without a trailing `.0`. The value is finite.
    @inline(__always)
    mutating func putDouble(_ value: Double) {
        if !putShortDecimal(value) { putDescription(value) }
    }

    @inline(__always)
    mutating func putFloat(_ value: Float) {
        if value.magnitude < 8_388_608, value.rounded(.towardZero) == value, value != 0 {
            putInteger(Int64(value))
        } else {
            putDescription(value)
        }
    }

    /// Writes a number of at most 15 significant digits and 6 decimal places.
    ///
    /// Two decimals of up to 15 digits are never the same `Double`. If one reads back as `value`, it is therefore the shortest.
    /// Dividing an exact integer by an exact power of ten rounds correctly, like reading the decimal.
    ///
    /// - Returns: `false` if `value` is not such a number. Nothing is written then.
    @inline(__always)
    private mutating func putShortDecimal(_ value: Double) -> Bool {
        let magnitude = value.magnitude
        guard magnitude < 1e9, magnitude >= 1e-4 else { return putWholeNumber(value) }
        let scaled = magnitude * 1e6
        // Adding 2^52 rounds to an integer: larger doubles have no fraction.
        let rounded = (scaled + 0x1p52) - 0x1p52
        guard rounded / 1e6 == magnitude else { return false }
        let (whole, fraction) = UInt64(rounded).quotientAndRemainder(dividingBy: 1_000_000)
        reserve(32)
        if value < 0 { putReserved(0x2D) }
        putInteger(whole)
        guard fraction != 0 else { return true }
        putReserved(0x2E)
        putDigits(fraction, count: 6)
        while base.load(fromByteOffset: count &- 1, as: UInt8.self) == 0x30 { count &-= 1 }
        return true
    }

    /// Writes an integer of at most 15 digits. Negative zero is written as `-0` elsewhere.
    @inline(never)
    private mutating func putWholeNumber(_ value: Double) -> Bool {
        guard value.magnitude < 1e15, let whole = Int64(exactly: value), whole != 0 || value.sign == .plus else { return false }
        putInteger(whole)
        return true
    }

    @inline(never)
    private mutating func putDescription(_ value: some BinaryFloatingPoint & TextOutputStreamable) {
        reserve(64)
        var stream = NumberStream(target: base + count, room: 64)
        value.write(to: &stream)
        let start = count
        count += stream.length
        // `1.0` becomes `1`. A number with an exponent does not end with `.0`.
        if stream.length > 2, base.load(fromByteOffset: count - 1, as: UInt8.self) == 0x30,
            base.load(fromByteOffset: count - 2, as: UInt8.self) == 0x2E, count - 2 > start
        {
            count -= 2
        }
    }
}

/// Receives the digits of a number and stores them without a `String` in between.
private struct NumberStream: TextOutputStream {
    let target: UnsafeMutableRawPointer
    let room: Int
    var length = 0

    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { _writeASCII($0) }
    }

    /// Takes the bytes that the standard library has formatted. Without this method it calls `write(_:)`.
    mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
        guard let source = buffer.baseAddress, buffer.count <= room - length else { return }
        (target + length).copyMemory(from: source, byteCount: buffer.count)
        length += buffer.count
    }
}
