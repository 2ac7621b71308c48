/// Validates a JSON document in one pass and writes its index. It does not recurse.
struct JSONIndexer {
    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    private let limits: JSONLimits
    private(set) var entries: UnsafeMutablePointer<JSONEntry>
    private(set) var count = 0
    private(set) var capacity: Int
    /// The innermost open container. Its `next` is the container around it; that of the root is itself.
    private var open = -1

    /// Allocates the memory of the index. The caller must deallocate it.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        // An empty document has no base address. The pointer is never read then.
        self.bytes = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        end = bytes.count
        self.limits = limits
        capacity = bytes.count / 8 + 4
        entries = .allocate(capacity: capacity)
    }

    /// Whether the bytes begin with a byte order mark, which is skipped.
    static func startsWithMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    }

    /// The offsets of the containers that were open when the indexer failed, from the root inward.
    var openContainers: [Int] {
        var chain: [Int] = [], container = open
        while container >= 0 {
            chain.append(container)
            let outer = entries[container].next
            container = outer == container ? -1 : outer
        }
        return chain.reversed()
    }

    /// Indexes the document.
    ///
    /// It is one long function, so that all its variables stay in registers. It takes most of the time of parsing.
    mutating func run() throws(JSONFailure) {
        guard UInt64(end) < 1 << 32 - 1 else { throw JSONFailure(cause: .tooLarge, offset: 0) }
        let bytes = bytes, end = end, allowsLoneSurrogates = limits.allowsLoneSurrogates
        let valueLimit = min(limits.maxValues, JSONLimits.possibleValues), depthLimit = limits.maxDepth
        var place = JSONIndexer.startsWithMark(UnsafeBufferPointer(start: bytes, count: end)) ? 3 : 0
        var entries = entries, count = 0, capacity = capacity, open = -1, depth = 0, values = 0, isObject = false
        defer { (self.entries, self.count, self.capacity, self.open) = (entries, count, capacity, open) }

        nextValue: while true {
            // Reserves space for a key and a value.
            if count &+ 2 > capacity {
                capacity &+= capacity / 2 &+ 16
                entries = entries.moved(count, to: capacity)
            }
            var byte = JSONIndexer.skipWhitespace(bytes, &place, end)
            if isObject {
                guard byte == UInt8(ascii: "\"") else { throw JSONFailure(cause: place < end ? .key : .truncated, offset: place) }
                let start = place &+ 1
                let (close, hasEscape) = try JSONStringScan.scan(bytes, from: start, end: end, allowsLoneSurrogates: allowsLoneSurrogates)
                let length = close &- start
                entries[count] = JSONEntry(
                    hasEscape ? .escapedKey : .key, offset: start, keyLength: length, signature: JSONEntry.signature(bytes + start, length))
                count &+= 1
                place = close &+ 1
                guard JSONIndexer.skipWhitespace(bytes, &place, end) == UInt8(ascii: ":") else {
                    throw JSONFailure(cause: place < end ? .colon : .truncated, offset: place)
                }
                place &+= 1
                byte = JSONIndexer.skipWhitespace(bytes, &place, end)
            }
            values &+= 1
            guard values <= valueLimit else { throw JSONFailure(cause: .tooManyValues, offset: place) }

            let start = place
            switch byte {
            case UInt8(ascii: "\""):
                let (close, hasEscape) = try JSONStringScan.scan(
                    bytes, from: start &+ 1, end: end, allowsLoneSurrogates: allowsLoneSurrogates)
                entries[count] = JSONEntry(hasEscape ? .escapedString : .string, offset: start &+ 1, length: close &- start &- 1)
                place = close &+ 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (numberEnd, isInteger) = try JSONNumberScan.scan(bytes, from: start, end: end)
                entries[count] = JSONEntry(isInteger ? .integer : .number, offset: start, length: numberEnd &- start)
                place = numberEnd
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < depthLimit else { throw JSONFailure(cause: .tooDeep, offset: start) }
                place &+= 1
                let kind: JSONEntry.Kind = byte == UInt8(ascii: "{") ? .object : .array
                // In ASCII, a closing bracket is two places after its opening bracket.
                guard JSONIndexer.skipWhitespace(bytes, &place, end) != byte &+ 2 else {
                    entries[count] = JSONEntry(kind, offset: start, length: count &+ 1)
                    place &+= 1
                    break
                }
                entries[count] = JSONEntry(kind, offset: start, length: open < 0 ? count : open)
                (open, isObject) = (count, kind == .object)
                count &+= 1
                depth &+= 1
                continue nextValue
            default:
                let (kind, length) = try JSONIndexer.literal(bytes, from: start, end: end)
                entries[count] = JSONEntry(kind, offset: start, length: length)
                place = start &+ length
            }
            count &+= 1

            // After a value: another value, or the ends of containers.
            while open >= 0 {
                let next = JSONIndexer.skipWhitespace(bytes, &place, end)
                if next == UInt8(ascii: ",") {
                    place &+= 1
                    continue nextValue
                }
                guard next == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw JSONFailure(cause: place >= end ? .truncated : isObject ? .memberEnd : .elementEnd, offset: place)
                }
                place &+= 1
                let outer = entries[open].next
                entries[open].next = count
                open = outer == open ? -1 : outer
                isObject = open >= 0 && entries[open].rawKind == JSONEntry.Kind.object.rawValue
                depth &-= 1
            }
            _ = JSONIndexer.skipWhitespace(bytes, &place, end)
            guard place == end else { throw JSONFailure(cause: .end, offset: place) }
            if capacity - count > 8_192 {
                capacity = count
                entries = entries.moved(count, to: capacity)
            }
            return
        }
    }

    // MARK: Bytes and memory

    /// Skips white space and returns the next byte, or 0 at the end.
    @inline(__always)
    static func skipWhitespace(_ bytes: UnsafePointer<UInt8>, _ place: inout Int, _ end: Int) -> UInt8 {
        while place < end {
            let byte = bytes[place]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            place &+= 1
        }
        return 0
    }

    /// Reads `true`, `false` or `null`.
    @inline(never)
    private static func literal(
        _ bytes: UnsafePointer<UInt8>, from start: Int, end: Int
    ) throws(JSONFailure) -> (JSONEntry.Kind, length: Int) {
        guard start < end else { throw JSONFailure(cause: .truncated, offset: end) }
        let text: StaticString, kind: JSONEntry.Kind
        switch bytes[start] {
        case UInt8(ascii: "t"): (text, kind) = ("true", .true)
        case UInt8(ascii: "f"): (text, kind) = ("false", .false)
        case UInt8(ascii: "n"): (text, kind) = ("null", .null)
        default: throw JSONFailure(cause: .value, offset: start)
        }
        for index in 0..<text.utf8CodeUnitCount {
            guard start &+ index < end else { throw JSONFailure(cause: .truncated, offset: end) }
            guard bytes[start &+ index] == text.utf8Start[index] else { throw JSONFailure(cause: .literal, offset: start) }
        }
        return (kind, text.utf8CodeUnitCount)
    }
}

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

extension UnsafeMutablePointer {
    /// Moves the first `count` values to memory of another capacity, frees the old memory and returns the new one.
    @inline(never)
    func moved(_ count: Int, to capacity: Int) -> UnsafeMutablePointer {
        let memory = UnsafeMutablePointer.allocate(capacity: capacity)
        memory.moveInitialize(from: self, count: count)
        deallocate()
        return memory
    }
}
