/// A place in the bytes of a chunk while the chunk is read.
///
/// The pointers are valid only inside the closure that provides the bytes of the chunk.
struct StreamedCursor {
    /// The next byte to read. At most `end`.
    var next: UnsafePointer<UInt8>
    /// The end of the bytes to read.
    var end: UnsafePointer<UInt8>
    private let base: UnsafePointer<UInt8>
    private let baseOffset: Int

    /// Creates a cursor.
    /// - Parameters:
    ///   - base: The first byte of the chunk.
    ///   - count: The number of bytes in the chunk.
    ///   - position: The number of bytes of the chunk that have been read.
    ///   - baseOffset: The offset of the chunk in the stream.
    init(base: UnsafePointer<UInt8>, count: Int, position: Int, baseOffset: Int) {
        self.base = base
        self.baseOffset = baseOffset
        next = base + position
        end = base + count
    }

    /// Whether all bytes have been read.
    @inline(__always) var isAtEnd: Bool { next >= end }

    /// The offset of the next byte in the stream.
    @inline(__always) var offset: Int { baseOffset + (next - base) }

    /// Skips bytes of a string up to the first quotation mark, backslash, control character or byte outside ASCII.
    @inline(__always)
    mutating func skipPlainText() {
        while end - next >= 8 {
            let stops = Self.stops(in: loadWord())
            guard stops == 0 else {
                next += stops.trailingZeroBitCount >> 3
                return
            }
            next += 8
        }
        while next < end, Self.isPlainText(next.pointee) { next += 1 }
    }

    /// Skips complete, well-formed UTF-8 sequences outside ASCII and returns the number of continuation bytes in them.
    ///
    /// Stops before a sequence that is malformed or closer than four bytes to the end.
    @inline(__always)
    mutating func skipSequences() -> Int {
        var continuations = 0
        while end - next >= 4, next.pointee >= 0x80 {
            let length = Self.sequenceLength(next)
            guard length > 0 else { break }
            next += length
            continuations += length - 1
        }
        return continuations
    }

    /// Skips decimal digits.
    @inline(__always)
    mutating func skipDigits() {
        while next < end, next.pointee &- 0x30 < 10 { next += 1 }
    }

    /// Skips spaces, eight at a time.
    @inline(__always)
    mutating func skipSpaces() {
        while end - next >= 8, loadWord() == 0x2020_2020_2020_2020 { next += 8 }
        while next < end, next.pointee == 0x20 { next += 1 }
    }

    @inline(__always)
    private func loadWord() -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    private static func isPlainText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Returns a word whose lowest set bit is in the first byte that is not plain text; 0 if all bytes are plain text. Higher bits may be wrong.
    @inline(__always)
    private static func stops(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word | word
        return found & (ones &* 0x80)
    }

    /// Returns the length of the UTF-8 sequence outside ASCII at a place with four readable bytes, or 0 if it is malformed.
    @inline(__always)
    private static func sequenceLength(_ bytes: UnsafePointer<UInt8>) -> Int {
        let word = UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
        let lead = word & 0xFF
        let tail = (word >> 8 & 0x3F) << 12 | (word >> 16 & 0x3F) << 6 | word >> 24 & 0x3F
        if lead < 0xE0 { return lead >= 0xC2 && word & 0xC000 == 0x8000 ? 2 : 0 }
        if lead < 0xF0 {
            let scalar = (lead & 0xF) << 12 | tail >> 6
            return word & 0xC0_C000 == 0x80_8000 && scalar >= 0x800 && scalar & 0xF800 != 0xD800 ? 3 : 0
        }
        let scalar = (lead & 0xF) << 18 | tail
        return word & 0xC0C0_C000 == 0x8080_8000 && scalar >= 0x1_0000 && scalar <= 0x10_FFFF ? 4 : 0
    }
}
