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
