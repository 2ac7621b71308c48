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
