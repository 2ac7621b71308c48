/// A hash table of the keys of one object, for objects with many members.
///
/// It uses the standard library's hash, which has a random seed in each process: colliding names can't be prepared.
struct JSONKeyTable {
    /// Places of keys, `.max` where a slot is free.
    private var slots: [UInt32]
    private let mask: Int

    /// Creates a table for so many keys.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: .max, count: size)
        mask = size - 1
    }

    /// Returns the place of the equal key that is in the table, or nil. A missing key is inserted if it has a place.
    mutating func insert(_ place: Int, _ text: UnsafePointer<UInt8>, _ count: Int, isEqual: (_ place: Int) -> Bool) -> Int? {
        var slot = JSONKeyTable.hash(text, count) & mask
        while slots[slot] != .max {
            if isEqual(Int(slots[slot])) { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(place)
        return nil
    }

    /// Returns the place of an equal key, or nil.
    func find(_ text: UnsafePointer<UInt8>, _ count: Int, isEqual: (_ place: Int) -> Bool) -> Int? {
        var slot = JSONKeyTable.hash(text, count) & mask
        while slots[slot] != .max {
            if isEqual(Int(slots[slot])) { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private static func hash(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(start: text, count: count))
        return hasher.finalize() & .max
    }
}
