/// The children of a large array or object in a document, for access by position or name.
struct JSONChildTable: Sendable {
    /// The places of an array's elements. Empty if all elements are scalars.
    let places: [UInt32]
    /// The keys of an object.
    private let keys: JSONKeyTable?
    /// The number of elements or distinct members.
    let count: Int

    /// Creates the table of an array.
    init(array: Int, in index: JSONIndex) {
        count = index.elementCount(array)
        keys = nil
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

    /// Creates the table of an object, and marks its repeated keys.
    init(object: Int, in index: JSONIndex) {
        var keys = JSONKeyTable(capacity: index.keyCount(object)), count = 0
        index.forEachKey(of: object) { key in
            let isNew = index.withKeyBytes(key) { text in
                keys.insert(key, text.baseAddress ?? index.bytes, text.count) { index.isKey($0, text) }
            }
            if isNew { count += 1 } else { index.markDuplicate(key) }
        }
        places = []
        self.keys = keys
        self.count = count
    }

    /// Returns the place of a key, or nil.
    func find(_ text: UnsafeBufferPointer<UInt8>, in index: JSONIndex) -> Int? {
        keys?.find(text.baseAddress ?? index.bytes, text.count) { index.isKey($0, text) }
    }

    /// The number of places that the table holds or has room for.
    var capacity: Int { places.capacity + (keys?.slots.capacity ?? 0) }
}

extension JSONIndex {
    /// Calls a closure with the text of a key.
    func withKeyBytes<Result>(_ key: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let entry = entries[key], content = UnsafeBufferPointer(start: bytes + entry.offset, count: keyLength(entry))
        // The entry of a repeated key does not say whether it has escapes.
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
