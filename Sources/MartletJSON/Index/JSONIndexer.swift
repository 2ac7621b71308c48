/// Validates a JSON document in one pass and writes its index. It does not recurse.
struct JSONIndexer {
    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    private let limits: JSONLimits
    private var place = 0
    private(set) var entries: UnsafeMutablePointer<JSONEntry>
    private(set) var count = 0
    private(set) var capacity: Int
    private var values = 0
    private var depth = 0
    /// The innermost open container, whose `next` is the container around it. The root's is itself.
    private var open = -1

    /// Allocates the index's memory, which the caller must deallocate.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        // A pointer that is never read, for an empty document.
        self.bytes = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        end = bytes.count
        self.limits = limits
        if JSONIndexer.startsWithMark(bytes) { place = 3 }
        capacity = max(16, bytes.count / 8)
        entries = .allocate(capacity: capacity)
    }

    /// Whether the bytes begin with a byte order mark, which is skipped.
    static func startsWithMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    }

    /// Indexes the document.
    mutating func run() throws(JSONFailure) {
        guard UInt64(end) < 1 << 32 - 1 else { throw failure(.tooLarge) }
        let valueLimit = min(limits.maxValues, JSONLimits.possibleValues)
        while true {
            values &+= 1
            guard values <= valueLimit else { throw failure(.tooManyValues) }
            if count &+ 2 > capacity { grow() }
            if try begin() { continue }
            while true {
                guard open >= 0 else { return try finish() }
                if try endsContainer() { close() } else { break }
            }
        }
    }

    /// The offsets of the containers that were open when the indexer failed, the root first.
    var openContainers: [Int] {
        var chain: [Int] = [], container = open
        while container >= 0 {
            chain.append(container)
            let outer = entries[container].next
            container = outer == container ? -1 : outer
        }
        return chain.reversed()
    }

    // MARK: Values

    /// Reads a scalar or an empty container and returns false; opens any other container and returns true.
    @inline(__always)
    private mutating func begin() throws(JSONFailure) -> Bool {
        switch skipWhitespace() {
        case UInt8(ascii: "\""):
            let start = place &+ 1
            let (close, hasEscape) = try JSONStringScan.scan(
                bytes, from: start, end: end, allowsLoneSurrogates: limits.allowsLoneSurrogates)
            append(JSONEntry(hasEscape ? .escapedString : .string, offset: start, length: close &- start))
            place = close &+ 1
        case UInt8(ascii: "{"): return try beginObject()
        case UInt8(ascii: "["): return try beginArray()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case UInt8(ascii: "t"): try literal("true", .true)
        case UInt8(ascii: "f"): try literal("false", .false)
        case UInt8(ascii: "n"): try literal("null", .null)
        default: throw failure(place < end ? .value : .truncated)
        }
        return false
    }

    @inline(__always)
    private mutating func beginObject() throws(JSONFailure) -> Bool {
        let start = try enter()
        if skipWhitespace() == UInt8(ascii: "}") {
            append(JSONEntry(.object, offset: start, length: count &+ 1))
            place &+= 1
            return false
        }
        push(.object, start)
        try key()
        return true
    }

    @inline(__always)
    private mutating func beginArray() throws(JSONFailure) -> Bool {
        let start = try enter()
        if skipWhitespace() == UInt8(ascii: "]") {
            append(JSONEntry(.array, offset: start, length: count &+ 1))
            place &+= 1
            return false
        }
        push(.array, start)
        return true
    }

    @inline(__always)
    private mutating func enter() throws(JSONFailure) -> Int {
        guard depth < limits.maxDepth else { throw failure(.tooDeep) }
        place &+= 1
        return place &- 1
    }

    @inline(__always)
    private mutating func push(_ kind: JSONEntry.Kind, _ start: Int) {
        let outer = open
        open = count
        depth &+= 1
        append(JSONEntry(kind, offset: start, length: outer < 0 ? count : outer))
    }

    @inline(__always)
    private mutating func close() {
        let outer = entries[open].next
        entries[open].next = count
        open = outer == open ? -1 : outer
        depth &-= 1
    }

    /// Reads what follows a value in a container: true at the container's end, false when another value follows.
    @inline(__always)
    private mutating func endsContainer() throws(JSONFailure) -> Bool {
        let next = skipWhitespace(), isObject = entries[open].rawKind == JSONEntry.Kind.object.rawValue
        if next == UInt8(ascii: ",") {
            place &+= 1
            if isObject {
                _ = skipWhitespace()
                try key()
            }
            return false
        }
        guard next == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw failure(place >= end ? .truncated : isObject ? .memberEnd : .elementEnd)
        }
        place &+= 1
        return true
    }

    /// Reads a member's name and colon.
    @inline(__always)
    private mutating func key() throws(JSONFailure) {
        guard place < end else { throw failure(.truncated) }
        guard bytes[place] == UInt8(ascii: "\"") else { throw failure(.key) }
        let start = place &+ 1
        let (close, hasEscape) = try JSONStringScan.scan(
            bytes, from: start, end: end, allowsLoneSurrogates: limits.allowsLoneSurrogates)
        let length = close &- start
        let entry = JSONEntry(
            hasEscape ? .escapedKey : .key, offset: start, keyLength: length, signature: JSONEntry.signature(bytes + start, length))
        place = close &+ 1
        // The caller made room for two entries after the last value.
        if count &+ 3 > capacity { grow() }
        append(entry)
        guard skipWhitespace() == UInt8(ascii: ":") else { throw failure(place < end ? .colon : .truncated) }
        place &+= 1
    }

    private mutating func literal(_ text: StaticString, _ kind: JSONEntry.Kind) throws(JSONFailure) {
        for index in 0..<text.utf8CodeUnitCount {
            guard place &+ index < end else { throw JSONFailure(cause: .truncated, offset: end) }
            guard bytes[place &+ index] == text.utf8Start[index] else { throw failure(.literal) }
        }
        append(JSONEntry(kind, offset: place, length: text.utf8CodeUnitCount))
        place &+= text.utf8CodeUnitCount
    }

    @inline(__always)
    private mutating func number() throws(JSONFailure) {
        let start = place
        if bytes[place] == UInt8(ascii: "-") { place &+= 1 }
        if place < end, bytes[place] == UInt8(ascii: "0") { place &+= 1 } else { try digits() }
        var kind = JSONEntry.Kind.integer
        if place < end, bytes[place] == UInt8(ascii: ".") {
            kind = .number
            place &+= 1
            try digits()
        }
        if place < end, bytes[place] | 0x20 == UInt8(ascii: "e") {
            kind = .number
            place &+= 1
            if place < end, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") { place &+= 1 }
            try digits()
        }
        append(JSONEntry(kind, offset: start, length: place &- start))
    }

    @inline(__always)
    private mutating func digits() throws(JSONFailure) {
        let start = place
        while place < end, bytes[place] &- UInt8(ascii: "0") < 10 { place &+= 1 }
        if place == start { throw failure(place < end ? .digit : .truncated) }
    }

    private mutating func finish() throws(JSONFailure) {
        _ = skipWhitespace()
        guard place == end else { throw failure(.end) }
        guard capacity - count > 8_192 else { return }
        resize(to: max(count, 1))
    }

    // MARK: Bytes and memory

    /// Skips white space and returns the next byte, 0 at the end.
    @inline(__always)
    private mutating func skipWhitespace() -> UInt8 {
        while place < end {
            let byte = bytes[place]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            place &+= 1
        }
        return 0
    }

    @inline(__always)
    private mutating func append(_ entry: JSONEntry) {
        entries[count] = entry
        count &+= 1
    }

    @inline(never)
    private mutating func grow() { resize(to: capacity + capacity / 2 + 16) }

    private mutating func resize(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<JSONEntry>.allocate(capacity: newCapacity)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity = newCapacity
    }

    private func failure(_ cause: JSONFailure.Cause) -> JSONFailure { JSONFailure(cause: cause, offset: place) }
}
