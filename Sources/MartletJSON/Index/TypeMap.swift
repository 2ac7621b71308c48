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

/// A value for each key of the `CodingKey` types whose keys fit in one byte, as most `CodingKeys` enumerations do.
///
/// Native Swift types of one byte hold no references, so the byte identifies the key. Only the first 64 keys of a type have values.
struct JSONKeyValues<Value> {
    private var tables = TypeMap<UnsafeMutablePointer<Value>?>()
    private static var keyCount: Int { 64 }

    /// Returns the values of a type's keys by their indices, or nil if the keys take more than one byte.
    @inline(__always)
    mutating func values<Key: CodingKey>(of type: Key.Type, initial: @autoclosure () -> Value) -> UnsafeMutablePointer<Value>? {
        if let values = tables.value(for: type) { return values }
        return add(type, MemoryLayout<Key>.size <= 1 ? initial() : nil)
    }

    @inline(never)
    private mutating func add(_ type: Any.Type, _ initial: Value?) -> UnsafeMutablePointer<Value>? {
        var values: UnsafeMutablePointer<Value>?
        if let initial {
            let memory = UnsafeMutablePointer<Value>.allocate(capacity: Self.keyCount)
            memory.initialize(repeating: initial, count: Self.keyCount)
            values = memory
        }
        tables.insert(values, for: type)
        return values
    }

    /// Returns the index of a key of at most one byte, or nil if it has no value.
    @inline(__always)
    static func index<Key: CodingKey>(of key: Key) -> Int? {
        let index = MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
        return index < keyCount ? index : nil
    }

    /// Frees the memory, after `body` has released each value.
    func deallocate(_ body: (Value) -> Void = { _ in }) {
        tables.forEach { values in
            guard let values else { return }
            for index in 0..<Self.keyCount { body(values[index]) }
            values.deallocate()
        }
        tables.deallocate()
    }
}
