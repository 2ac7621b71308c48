/// Finds the ends of lines in an event stream: a carriage return, a line feed, or both in this order.
enum LineEnd {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns the position of the first carriage return or line feed from `start` on, or nil. It examines eight bytes at a time.
    static func first(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let words = UnsafeRawBufferPointer(bytes)
        var place = start
        while place + 8 <= bytes.count {
            let word = UInt64(littleEndian: words.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let found = zeros(word ^ (ones &* UInt64(lineFeed))) | zeros(word ^ (ones &* UInt64(carriageReturn)))
            if found != 0 { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < bytes.count {
            if bytes[place] == lineFeed || bytes[place] == carriageReturn { return place }
            place += 1
        }
        return nil
    }

    /// Returns a word with the high bit set for the lowest zero byte. The bits of the bytes above it may be wrong.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }
}
