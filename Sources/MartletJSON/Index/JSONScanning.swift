/// Finds the end of a JSON string and validates it: control characters, escapes (RFC 8259 §7) and UTF-8 (RFC 3629).
enum JSONStringScan {
    /// `0x01` in each byte.
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Marks the first of eight bytes that is a quote, a backslash, a control character or not ASCII, in the high bits.
    ///
    /// Bits above the first mark may be wrong.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* 0x22), backslashes = word ^ (ones &* 0x5C)
        return ((quotes &- ones) | (backslashes &- ones) | (word &- ones &* 0x20) | word) & highBits
    }

    /// Scans a string from the byte after its opening quote.
    ///
    /// - Parameter allowsLoneSurrogates: Whether escapes may have half of a surrogate pair.
    /// - Returns: The offset of the closing quote, and whether the string has an escape.
    @inline(__always)
    static func scan(
        _ bytes: UnsafePointer<UInt8>, from start: Int, end: Int, allowsLoneSurrogates: Bool
    ) throws(JSONFailure) -> (close: Int, hasEscape: Bool) {
        var place = start
        while place &+ 8 <= end {
            let marks = special(UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self).littleEndian)
            if marks == 0 {
                place &+= 8
                continue
            }
            place &+= marks.trailingZeroBitCount &>> 3
            if bytes[place] == UInt8(ascii: "\"") { return (place, false) }
            break
        }
        return try rest(bytes, from: place, end: end, allowsLoneSurrogates: allowsLoneSurrogates)
    }

    /// Scans the rest of a string from its first special byte.
    @inline(never)
    private static func rest(
        _ bytes: UnsafePointer<UInt8>, from start: Int, end: Int, allowsLoneSurrogates: Bool
    ) throws(JSONFailure) -> (close: Int, hasEscape: Bool) {
        var place = start, hasEscape = false
        while true {
            while place &+ 8 <= end {
                let marks = special(UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self).littleEndian)
                if marks != 0 {
                    place &+= marks.trailingZeroBitCount &>> 3
                    break
                }
                place &+= 8
            }
            guard place < end else { throw JSONFailure(cause: .truncated, offset: end) }
            let byte = bytes[place]
            if byte >= 0x80 {
                place = try skipSequences(bytes, from: place, end: end)
            } else if byte == UInt8(ascii: "\"") {
                return (place, hasEscape)
            } else if byte == UInt8(ascii: "\\") {
                hasEscape = true
                place = try skipEscape(bytes, from: place, end: end, allowsLoneSurrogates)
            } else if byte < 0x20 {
                throw JSONFailure(cause: .control, offset: place)
            } else {
                place &+= 1
            }
        }
    }

    /// Validates sequences of several bytes and returns the offset of the first ASCII byte after them.
    @inline(__always)
    private static func skipSequences(_ bytes: UnsafePointer<UInt8>, from start: Int, end: Int) throws(JSONFailure) -> Int {
        var place = start
        while place < end, bytes[place] >= 0x80 {
            let length = UTF8Sequence.length(bytes + place, available: end &- place)
            guard length > 0 else { throw JSONFailure(cause: .encoding, offset: place) }
            place &+= length
        }
        return place
    }

    /// Validates an escape and returns the offset after it.
    private static func skipEscape(
        _ bytes: UnsafePointer<UInt8>, from start: Int, end: Int, _ allowsLoneSurrogates: Bool
    ) throws(JSONFailure) -> Int {
        guard start &+ 1 < end else { throw JSONFailure(cause: .truncated, offset: end) }
        switch bytes[start &+ 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start &+ 2
        case UInt8(ascii: "u"): break
        default: throw JSONFailure(cause: .escape, offset: start)
        }
        let unit = try hexadecimal(bytes, from: start &+ 2, end: end)
        // Each half of a surrogate pair is read separately.
        guard unit & 0xF800 == 0xD800, !allowsLoneSurrogates else { return start &+ 6 }
        let second = start &+ 6
        guard unit < 0xDC00 else { throw JSONFailure(cause: .surrogate, offset: start) }
        guard second < end else { throw JSONFailure(cause: .truncated, offset: end) }
        guard bytes[second] == UInt8(ascii: "\\") else { throw JSONFailure(cause: .surrogate, offset: start) }
        guard second &+ 1 < end else { throw JSONFailure(cause: .truncated, offset: end) }
        guard bytes[second &+ 1] == UInt8(ascii: "u") else { throw JSONFailure(cause: .surrogate, offset: start) }
        guard try hexadecimal(bytes, from: second &+ 2, end: end) & 0xFC00 == 0xDC00 else {
            throw JSONFailure(cause: .surrogate, offset: start)
        }
        return second &+ 6
    }

    private static func hexadecimal(_ bytes: UnsafePointer<UInt8>, from start: Int, end: Int) throws(JSONFailure) -> UInt32 {
        var value: UInt32 = 0
        for place in start..<start &+ 4 {
            guard place < end else { throw JSONFailure(cause: .truncated, offset: end) }
            guard let digit = hexadecimalDigit(bytes[place]) else { throw JSONFailure(cause: .hexadecimal, offset: place) }
            value = value << 4 | digit
        }
        return value
    }

    /// The value of a hexadecimal digit, or nil.
    static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

/// A UTF-8 sequence of two to four bytes (RFC 3629 §4) whose first byte is known.
struct UTF8Sequence: Sendable {
    /// The number of continuation bytes that are missing.
    var missing = 0
    /// The allowed values of the next continuation byte.
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF

    init() {}

    /// Creates the sequence that starts with a byte, or nil if no sequence outside ASCII does.
    @inline(__always)
    init?(lead: UInt8) {
        guard lead >= 0xC2, lead <= 0xF4 else { return nil }
        missing = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
        // Overlong forms, surrogates, and scalars above U+10FFFF.
        switch lead {
        case 0xE0: lowest = 0xA0
        case 0xED: highest = 0x9F
        case 0xF0: lowest = 0x90
        case 0xF4: highest = 0x8F
        default: break
        }
    }

    /// Returns the length of the sequence at the beginning of some bytes, or 0 if it is malformed or does not end within them.
    @inline(__always)
    static func length(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
        guard let sequence = UTF8Sequence(lead: bytes[0]), sequence.missing < available,
            bytes[1] >= sequence.lowest, bytes[1] <= sequence.highest,
            sequence.missing < 2 || bytes[2] & 0xC0 == 0x80, sequence.missing < 3 || bytes[3] & 0xC0 == 0x80
        else { return 0 }
        return sequence.missing &+ 1
    }
}

/// Finds the end of a JSON number and validates it (RFC 8259 §6).
enum JSONNumberScan {
    /// Scans a number from its first byte.
    ///
    /// - Returns: The offset after the number, and whether it has neither a fraction nor an exponent.
    @inline(__always)
    static func scan(
        _ bytes: UnsafePointer<UInt8>, from start: Int, end: Int
    ) throws(JSONFailure) -> (end: Int, isInteger: Bool) {
        var place = start
        if bytes[place] == UInt8(ascii: "-") { place &+= 1 }
        if place < end, bytes[place] == UInt8(ascii: "0") {
            place &+= 1
        } else {
            place = try digits(bytes, from: place, end: end)
        }
        guard place < end, bytes[place] == UInt8(ascii: ".") || bytes[place] | 0x20 == UInt8(ascii: "e") else { return (place, true) }
        return (try rest(bytes, from: place, end: end), false)
    }

    /// Scans a fraction and an exponent, at least one of which follows.
    @inline(never)
    private static func rest(_ bytes: UnsafePointer<UInt8>, from start: Int, end: Int) throws(JSONFailure) -> Int {
        var place = start
        if bytes[place] == UInt8(ascii: ".") { place = try digits(bytes, from: place &+ 1, end: end) }
        if place < end, bytes[place] | 0x20 == UInt8(ascii: "e") {
            place &+= 1
            if place < end, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") { place &+= 1 }
            place = try digits(bytes, from: place, end: end)
        }
        return place
    }

    @inline(__always)
    private static func digits(_ bytes: UnsafePointer<UInt8>, from start: Int, end: Int) throws(JSONFailure) -> Int {
        var place = start
        while place < end, bytes[place] &- UInt8(ascii: "0") < 10 { place &+= 1 }
        guard place > start else { throw JSONFailure(cause: place < end ? .digit : .truncated, offset: place) }
        return place
    }
}
