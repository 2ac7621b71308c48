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
