/// One entry of the index: the kind and the location of a value or key, in eight bytes.
///
/// The entry of an object is followed by its members, each a key and a value. The entry of an array is followed by its elements. A scalar
/// takes one entry.
struct JSONEntry {
    /// Bits 0–31: offset. Bits 32–59: length, index of the next entry, or a key's length and signature. Bits 60–63: kind.
    var bits: UInt64

    enum Kind: UInt64 {
        case null, `false`, `true`
        /// A number without a fraction or exponent.
        case integer
        /// A number with a fraction or exponent.
        case number
        case string
        /// A string with at least one escape.
        case escapedString
        case array
        case object
        /// An object whose keys are unique and converted: see `JSONDecodingState.prepare`.
        case preparedObject
        case key
        /// A key with at least one escape.
        case escapedKey
        /// A key that repeats an earlier one.
        case duplicateKey
        /// A key whose text is stored in the decoding's key arena.
        case convertedKey
        /// A converted key that repeats an earlier one.
        case duplicateConvertedKey
    }

    /// The largest length that an entry holds. Longer strings and numbers are measured when they are read.
    static let maxLength = 1 << 28 - 1
    /// The largest length that a key's entry holds.
    static let maxKeyLength = 1 << 12 - 1

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    @inline(__always)
    init(_ kind: Kind, offset: Int, length: Int = 0) {
        bits = kind.rawValue << 60 | UInt64(truncatingIfNeeded: min(length, JSONEntry.maxLength)) << 32 | UInt64(truncatingIfNeeded: offset)
    }

    @inline(__always)
    init(_ kind: Kind, offset: Int, keyLength: Int, signature: UInt16) {
        bits =
            kind.rawValue << 60 | UInt64(signature) << 44 | UInt64(truncatingIfNeeded: min(keyLength, JSONEntry.maxKeyLength)) << 32
            | UInt64(truncatingIfNeeded: offset)
    }

    @inline(__always)
    var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: bits >> 60), to: Kind.self) }

    /// The raw value of the kind.
    @inline(__always)
    var rawKind: UInt64 { bits >> 60 }

    /// The offset of the value's first byte. For a string or key, the first byte after the quote.
    @inline(__always)
    var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

    /// The number of bytes, or ``maxLength`` for more.
    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: bits >> 32 & 0xFFF_FFFF) }

    /// For an array or object, the index of the entry after it.
    @inline(__always)
    var next: Int {
        get { length }
        set { bits = bits & ~(0xFFF_FFFF << 32) | UInt64(truncatingIfNeeded: newValue) << 32 }
    }

    /// The number of bytes of a key, or ``maxKeyLength`` for more.
    @inline(__always)
    var keyLength: Int { Int(truncatingIfNeeded: bits >> 32 & 0xFFF) }

    /// The length and signature of a key. Keys with different marks are different.
    @inline(__always)
    var keyMark: UInt32 { UInt32(truncatingIfNeeded: bits >> 32 & 0xFFF_FFFF) }

    @inline(__always)
    var isContainer: Bool { rawKind >= Kind.array.rawValue && rawKind <= Kind.preparedObject.rawValue }

    /// Whether the text of a key is stored in the decoding's key arena.
    @inline(__always)
    var isConvertedKey: Bool { rawKind >= Kind.convertedKey.rawValue }

    /// The kind of a value as text, such as `an object`.
    var kindName: String {
        switch kind {
        case .null: "null"
        case .true, .false: "a Boolean value"
        case .integer, .number: "a number"
        case .string, .escapedString: "a string"
        case .array: "an array"
        default: "an object"
        }
    }

    /// Whether the entry is a key.
    @inline(__always)
    var isKey: Bool { rawKind >= Kind.key.rawValue }

    /// Whether a key repeats an earlier one.
    @inline(__always)
    var isDuplicateKey: Bool { rawKind == Kind.duplicateKey.rawValue || rawKind == Kind.duplicateConvertedKey.rawValue }

    /// Returns the entry with another kind.
    @inline(__always)
    func changed(to kind: Kind) -> JSONEntry { JSONEntry(bits: bits & ~(0xF << 60) | kind.rawValue << 60) }

    /// Returns a weak, fast hash of a key's bytes. It only avoids comparisons.
    @inline(__always)
    static func signature(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt16 {
        let raw = UnsafeRawPointer(bytes)
        var hash: UInt64
        if count >= 8 {
            hash = raw.loadUnaligned(as: UInt64.self)
            hash ^= raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15
        } else if count >= 4 {
            hash = UInt64(raw.loadUnaligned(as: UInt32.self))
            hash |= UInt64(raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
        } else if count > 0 {
            hash = UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16
        } else {
            hash = 0
        }
        return UInt16(truncatingIfNeeded: (hash &* 0xD6E8_FEB8_6659_FD93) >> 48)
    }

    /// Returns the mark of a key with these bytes.
    @inline(__always)
    static func keyMark(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        UInt32(signature(bytes, count)) << 12 | UInt32(truncatingIfNeeded: min(count, maxKeyLength))
    }
}
