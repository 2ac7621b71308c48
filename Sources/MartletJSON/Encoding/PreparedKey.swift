/// The bytes of an object's key in the output: converted, escaped, quoted and followed by the colon.
struct PreparedKey {
    /// The bytes, padded to a multiple of 16.
    let bytes: UnsafeMutableRawPointer
    let length: Int
    /// The number of bytes between the quotes.
    let keyLength: Int32
    /// See `JSONMember.prefix`.
    let prefix: UInt64
    let isEscaped: Bool

    /// Writes the key to `output`, which is empty before and after.
    init(_ text: String, using output: inout JSONOutput) {
        defer { output.count = 0 }
        var text = text
        (prefix, isEscaped) = text.withUTF8 { (JSONOutput.keyPrefix($0), output.putQuoted($0)) }
        keyLength = Int32(clamping: output.count - 2)
        output.putColon()
        length = output.count
        let padded = (output.count + 15) & ~15
        bytes = .allocate(byteCount: padded, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: padded)
        bytes.copyMemory(from: output.base, byteCount: output.count)
    }
}

/// The prepared keys of one `CodingKey` type whose values fit in one byte, as most `CodingKeys` enumerations do.
///
/// The byte is the index. Native Swift types of one byte hold no references, so the byte identifies the key.
struct KeyTable {
    private(set) var keys: UnsafeMutablePointer<PreparedKey?>
    private(set) var capacity: Int
    /// One bit for each key that was written at least once. A key is prepared when it is written again.
    private var written = SIMD4<UInt64>()

    init() {
        capacity = 16
        keys = .allocate(capacity: capacity)
        keys.initialize(repeating: nil, count: capacity)
    }

    /// Notes that the key at `index` is written.
    ///
    /// - Returns: Whether it was written before.
    mutating func noteWriting(at index: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(index & 63)
        let isKnown = written[index >> 6 & 3] & bit != 0
        written[index >> 6 & 3] |= bit
        return isKnown
    }

    mutating func insert(_ key: PreparedKey, at index: Int) {
        if index >= capacity {
            let newCapacity = (index + 16) & ~15
            let newKeys = UnsafeMutablePointer<PreparedKey?>.allocate(capacity: newCapacity)
            newKeys.update(from: keys, count: capacity)
            (newKeys + capacity).initialize(repeating: nil, count: newCapacity - capacity)
            keys.deallocate()
            keys = newKeys
            capacity = newCapacity
        }
        keys[index]?.bytes.deallocate()
        keys[index] = key
    }

    func deallocate() {
        for index in 0..<capacity { keys[index]?.bytes.deallocate() }
        keys.deallocate()
    }
}

/// A hash table from types to trivial values.
struct TypeMap<Value> {
    private var ids: UnsafeMutablePointer<Int>
    private var values: UnsafeMutablePointer<Value>
    private var mask = 15
    private(set) var count = 0

    init() {
        ids = .allocate(capacity: 16)
        ids.initialize(repeating: 0, count: 16)
        values = .allocate(capacity: 16)
    }

    @inline(__always)
    private func slot(_ id: Int) -> Int {
        var slot = (id &>> 4 ^ id &>> 11) & mask
        while ids[slot] != 0, ids[slot] != id { slot = (slot &+ 1) & mask }
        return slot
    }

    @inline(__always)
    func value(for type: Any.Type) -> Value? {
        let id = Int(bitPattern: ObjectIdentifier(type))
        let slot = slot(id)
        return ids[slot] == id ? values[slot] : nil
    }

    /// Adds a type that is not in the table.
    mutating func insert(_ value: Value, for type: Any.Type) {
        if count * 2 > mask { grow() }
        let id = Int(bitPattern: ObjectIdentifier(type))
        let slot = slot(id)
        if ids[slot] == 0 { count += 1 }
        ids[slot] = id
        (values + slot).initialize(to: value)
    }

    private mutating func grow() {
        let (oldIDs, oldValues, oldCapacity) = (ids, values, mask + 1)
        mask = oldCapacity * 2 - 1
        ids = .allocate(capacity: mask + 1)
        ids.initialize(repeating: 0, count: mask + 1)
        values = .allocate(capacity: mask + 1)
        for old in 0..<oldCapacity where oldIDs[old] != 0 {
            let slot = slot(oldIDs[old])
            ids[slot] = oldIDs[old]
            (values + slot).initialize(to: oldValues[old])
        }
        oldIDs.deallocate()
        oldValues.deallocate()
    }

    func forEach(_ body: (Value) -> Void) {
        for slot in 0...mask where ids[slot] != 0 { body(values[slot]) }
    }

    func deallocate() {
        ids.deallocate()
        values.deallocate()
    }
}
