/// A hash table of the keys of one object, for objects with many members.
///
/// It uses the standard library's hash, whose seed is random in each process, so that colliding names cannot be prepared.
struct JSONKeyTable: Sendable {
    /// The places of the keys, with `.max` for a free slot.
    private(set) var slots: [UInt32]

    /// Creates a table for a number of keys.
    init(capacity: Int) {
        var size = 16
        while size < capacity + capacity / 2 { size *= 2 }
        slots = Array(repeating: .max, count: size)
    }

    /// Inserts a key, unless the table has an equal one. Returns whether it was inserted.
    mutating func insert(_ place: Int, _ text: UnsafePointer<UInt8>, _ count: Int, isEqual: (_ place: Int) -> Bool) -> Bool {
        let slot = slot(text, count, isEqual)
        guard slots[slot] == .max else { return false }
        slots[slot] = UInt32(place)
        return true
    }

    /// Returns the place of an equal key, or nil.
    func find(_ text: UnsafePointer<UInt8>, _ count: Int, isEqual: (_ place: Int) -> Bool) -> Int? {
        let place = slots[slot(text, count, isEqual)]
        return place == .max ? nil : Int(place)
    }

    /// Returns the slot of an equal key, or the free slot where the key belongs.
    private func slot(_ text: UnsafePointer<UInt8>, _ count: Int, _ isEqual: (_ place: Int) -> Bool) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(start: text, count: count))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != .max, !isEqual(Int(slots[slot])) { slot = (slot + 1) & mask }
        return slot
    }
}
