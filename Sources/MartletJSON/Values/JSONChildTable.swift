/// The children of a large array or object in a document, for access by position or name.
struct JSONChildTable: Sendable {
    /// Of an array: the places of its elements, none if all elements are scalars. Of an object: the slots of a hash table of keys.
    let places: [UInt32]
    /// The number of elements or distinct members.
    let count: Int

    /// Creates the table of an array.
    init(array: Int, in index: JSONIndex) {
        count = index.elementCount(array)
        guard index.entries[array].next - array - 1 != count else {
            places = []
            return
        }
        var places: [UInt32] = [], place = array + 1
        places.reserveCapacity(count)
        for _ in 0..<count {
            places.append(UInt32(place))
            place = index.next(after: place)
        }
        self.places = places
    }

    /// Creates the table of an object, and marks its keys that repeat an earlier one.
    init(object: Int, in index: JSONIndex) {
        let end = index.entries[object].next
        var slots = JSONChildTable.freeSlots(for: index.keyCount(object)), count = 0, key = object + 1
        while key < end {
            let slot = index.withKeyBytes(key) { text in JSONChildTable.slot(of: text, in: slots, index) }
            if slots[slot] == .max {
                slots[slot] = UInt32(key)
                count += 1
            } else {
                index.entries[key] = index.entries[key].changed(to: .duplicateKey)
            }
            key = index.next(after: key + 1)
        }
        places = slots
        self.count = count
    }

    /// The place of a key, or nil.
    func find(_ text: UnsafeBufferPointer<UInt8>, in index: JSONIndex) -> Int? {
        let place = places[JSONChildTable.slot(of: text, in: places, index)]
        return place == .max ? nil : Int(place)
    }

    private static func freeSlots(for count: Int) -> [UInt32] {
        var size = 16
        while size < count + count / 2 { size *= 2 }
        return Array(repeating: .max, count: size)
    }

    /// The slot that has a key, or the free slot where it belongs. The standard library's hash has a random seed in each process.
    private static func slot(of text: UnsafeBufferPointer<UInt8>, in slots: [UInt32], _ index: JSONIndex) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != .max, !index.isKey(Int(slots[slot]), text) { slot = (slot + 1) & mask }
        return slot
    }
}

extension JSONIndex {
    /// The number of elements, at most a limit.
    func elementCount(_ array: Int, upTo limit: Int) -> Int {
        var count = 0, place = array + 1
        let end = entries[array].next
        while place < end, count < limit {
            place = next(after: place)
            count += 1
        }
        return count
    }

    /// The number of keys, at most a limit.
    func keyCount(_ object: Int, upTo limit: Int) -> Int {
        var count = 0, key = object + 1
        let end = entries[object].next
        while key < end, count < limit {
            key = next(after: key + 1)
            count += 1
        }
        return count
    }

    /// Calls a closure with the text of a key.
    func withKeyBytes<Result>(_ key: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let entry = entries[key], content = UnsafeBufferPointer(start: bytes + entry.offset, count: keyLength(entry))
        // A repeated key no longer says whether it has escapes.
        guard entry.kind != .key, content.contains(UInt8(ascii: "\\")) else { return body(content) }
        var text = JSONIndex.unescaped(content)
        return text.withUTF8(body)
    }

    /// Whether a key has this text.
    func isKey(_ key: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        withKeyBytes(key) { $0.count == text.count && $0.elementsEqual(text) }
    }

    /// Whether two keys have the same text.
    func areEqualKeys(_ one: Int, _ other: Int) -> Bool {
        if entries[one].kind == .key, entries[other].kind == .key, entries[one].keyMark != entries[other].keyMark { return false }
        return withKeyBytes(one) { isKey(other, $0) }
    }
}
