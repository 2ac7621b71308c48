/// Memory for the texts of converted keys, and a cache of conversions.
///
/// Three 32-bit numbers precede each text: the offset and length of the name in the document, and the length of the text.
struct JSONKeyArena {
    private var memory: UnsafeMutableRawPointer?
    private var used = 0
    private var capacity = 0
    private static let header = 12
    /// The arena offsets of recently converted texts, by the signature of the name.
    private var cache: [UInt32] = []
    private static let cacheSlots = 256
    /// Whether a text was not stored because its offset would exceed 32 bits.
    private(set) var isFull = false

    /// Frees the memory. The arena must not be used afterwards.
    func deallocate() { memory?.deallocate() }

    /// Returns the bytes of a key, after conversion.
    @inline(__always)
    func bytes(_ entry: JSONEntry, in index: JSONIndex) -> UnsafePointer<UInt8> {
        guard entry.isConvertedKey, let memory else { return index.bytes + entry.offset }
        return UnsafePointer((memory + entry.offset + JSONKeyArena.header).assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the number of bytes of a key, after conversion.
    @inline(__always)
    func length(_ entry: JSONEntry, in index: JSONIndex) -> Int {
        guard entry.keyLength == JSONEntry.maxKeyLength else { return entry.keyLength }
        guard entry.isConvertedKey, let memory else { return index.keyLength(entry) }
        return Int((memory + entry.offset).loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }

    /// Returns the text of a key, after conversion.
    func text(_ entry: JSONEntry, in index: JSONIndex) -> String {
        guard entry.rawKind != JSONEntry.Kind.escapedKey.rawValue else { return index.keyText(entry) }
        return String(decoding: UnsafeBufferPointer(start: bytes(entry, in: index), count: length(entry, in: index)), as: UTF8.self)
    }

    /// Returns the text of a key in the document.
    func originalText(_ entry: JSONEntry, in index: JSONIndex) -> String {
        guard entry.isConvertedKey, let memory else { return index.keyText(entry) }
        let record = memory + entry.offset
        let content = UnsafeBufferPointer(
            start: index.bytes + Int(record.loadUnaligned(as: UInt32.self)),
            count: Int(record.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        return content.contains(UInt8(ascii: "\\")) ? JSONIndex.unescaped(content) : String(decoding: content, as: UTF8.self)
    }

    /// Returns the entry of a name that was converted before, or nil.
    @inline(__always)
    func cached(_ entry: JSONEntry, in index: JSONIndex) -> JSONEntry? {
        guard !cache.isEmpty, let memory else { return nil }
        let slot = Int(truncatingIfNeeded: entry.keyMark >> 12) & (JSONKeyArena.cacheSlots - 1)
        let offset = cache[slot]
        guard offset != .max else { return nil }
        let record = memory + Int(offset), length = index.keyLength(entry)
        guard Int(record.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) == length,
            JSONKeyArena.areEqual(index.bytes + Int(record.loadUnaligned(as: UInt32.self)), index.bytes + entry.offset, length)
        else { return nil }
        return converted(Int(offset))
    }

    /// Stores the text of a name.
    mutating func add(_ entry: JSONEntry, text: UnsafeBufferPointer<UInt8>, in index: JSONIndex, isCached: Bool) -> JSONEntry {
        let size = (JSONKeyArena.header + text.count + 7) & ~7, offset = used
        guard UInt64(used) + UInt64(size) < UInt64(UInt32.max) else {
            isFull = true
            return entry
        }
        reserve(size)
        used += size
        guard let memory else { return entry }
        let record = memory + offset
        record.storeBytes(of: UInt32(entry.offset), as: UInt32.self)
        record.storeBytes(of: UInt32(index.keyLength(entry)), toByteOffset: 4, as: UInt32.self)
        record.storeBytes(of: UInt32(text.count), toByteOffset: 8, as: UInt32.self)
        if let start = text.baseAddress { (record + JSONKeyArena.header).copyMemory(from: start, byteCount: text.count) }
        if isCached {
            if cache.isEmpty { cache = Array(repeating: .max, count: JSONKeyArena.cacheSlots) }
            cache[Int(truncatingIfNeeded: entry.keyMark >> 12) & (JSONKeyArena.cacheSlots - 1)] = UInt32(offset)
        }
        return converted(offset)
    }

    @inline(__always)
    private func converted(_ offset: Int) -> JSONEntry {
        guard let memory else { return JSONEntry(bits: 0) }
        let text = UnsafePointer((memory + offset + JSONKeyArena.header).assumingMemoryBound(to: UInt8.self))
        let length = Int((memory + offset).loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        return JSONEntry(.convertedKey, offset: offset, keyLength: length, signature: JSONEntry.signature(text, length))
    }

    private mutating func reserve(_ size: Int) {
        guard used + size > capacity else { return }
        capacity = max(1_024, capacity * 2, used + size)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        if let memory { larger.copyMemory(from: memory, byteCount: used) }
        memory?.deallocate()
        memory = larger
    }

    /// Whether two runs of bytes are equal.
    @inline(__always)
    static func areEqual(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let one = UnsafeRawPointer(one), other = UnsafeRawPointer(other)
        // The last eight bytes overlap the ones compared before, which avoids a loop over single bytes.
        if count >= 8 {
            var place = 0
            while place &+ 8 <= count {
                guard equal(one, other, place, UInt64.self) else { return false }
                place &+= 8
            }
            return equal(one, other, count &- 8, UInt64.self)
        }
        if count >= 4 { return equal(one, other, 0, UInt32.self) && equal(one, other, count &- 4, UInt32.self) }
        for place in 0..<count where !equal(one, other, place, UInt8.self) { return false }
        return true
    }

    @inline(__always)
    private static func equal<Word: FixedWidthInteger & BitwiseCopyable>(
        _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ offset: Int, _ word: Word.Type
    ) -> Bool {
        one.loadUnaligned(fromByteOffset: offset, as: word) == other.loadUnaligned(fromByteOffset: offset, as: word)
    }
}

/// The name of a coding key, ready for comparison.
struct JSONKeyName {
    /// The bytes of the name, nil if it is not known yet.
    var text: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    var mark: UInt32 = 0
}

/// The names of the coding keys used in a decoding, by the types of the keys.
///
/// The keys of most types are an enumeration without associated values, which takes one byte. The name of such a key is requested once per
/// decoding and then found by that byte.
struct JSONKeyNames {
    private var names = JSONKeyValues<JSONKeyName>()
    private var text: UnsafeMutablePointer<UInt8>?
    private var used = 0
    private static let textCapacity = 4_096

    /// Frees the memory.
    func deallocate() {
        names.deallocate()
        text?.deallocate()
    }

    /// Returns the names of a type's keys, or nil if its keys take more than one byte.
    @inline(__always)
    mutating func names<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<JSONKeyName>? {
        names.values(of: type, initial: JSONKeyName())
    }

    /// Copies a name. If the memory is full, the name is not stored.
    mutating func store(_ name: UnsafeBufferPointer<UInt8>) -> JSONKeyName {
        guard used + name.count <= JSONKeyNames.textCapacity, let source = name.baseAddress else { return JSONKeyName() }
        let memory = text ?? .allocate(capacity: JSONKeyNames.textCapacity)
        text = memory
        let copy = memory + used
        copy.initialize(from: source, count: name.count)
        used += name.count
        return JSONKeyName(text: UnsafePointer(copy), length: UInt32(name.count), mark: JSONEntry.keyMark(copy, name.count))
    }
}
