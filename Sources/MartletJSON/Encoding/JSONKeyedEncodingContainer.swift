/// The keyed container: it writes `"key":value` at the end of the buffer.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: JSONEncodingState
    let serial: UInt64
    private let table: UnsafeMutablePointer<KeyTable>?

    init(state: JSONEncodingState, serial: UInt64) {
        self.state = state
        self.serial = serial
        table = state.context.keyTable(for: Key.self)
    }

    var codingPath: [any CodingKey] { state.codingPath(of: serial) }

    // MARK: Keys

    /// Writes the key. The value must follow.
    @inline(__always)
    func writeKey(_ key: Key) throws {
        guard state.output.current == serial else { throw state.refusal(serial, value: key, path: codingPath + [key]) }
        if let table {
            let index = Self.byte(of: key)
            if index < table.pointee.capacity, let prepared = table.pointee.keys[index] {
                state.output.key(prepared)
            } else if let prepared = state.context.prepare(key, at: index, in: table) {
                state.output.key(prepared)
            } else {
                writeLongKey(key)
            }
        } else {
            writeLongKey(key)
        }
    }

    /// The byte that a key of at most one byte consists of.
    @inline(__always)
    private static func byte(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : withUnsafeBytes(of: key) { Int($0[0]) }
    }

    @inline(never)
    private func writeLongKey(_ key: Key) {
        state.output.memberKey(state.context.convert(key) { codingPath })
    }

    /// The string for an infinite number or NaN.
    private func nonConforming(_ value: some BinaryFloatingPoint, _ key: Key) throws -> String {
        try state.nonConforming(value) { codingPath + [key] }
    }

    // MARK: Scalars

    mutating func encodeNil(forKey key: Key) throws {
        try writeKey(key)
        state.output.putASCII("null")
    }

    mutating func encode(_ value: Bool, forKey key: Key) throws {
        try writeKey(key)
        state.output.putBool(value)
    }

    mutating func encode(_ value: String, forKey key: Key) throws {
        try writeKey(key)
        state.output.putString(value)
    }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        guard value.isFinite else { return try encode(nonConforming(value, key), forKey: key) }
        try writeKey(key)
        state.output.putDouble(value)
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        guard value.isFinite else { return try encode(nonConforming(value, key), forKey: key) }
        try writeKey(key)
        state.output.putFloat(value)
    }

    mutating func encode(_ value: Int, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(Int64(value))
    }

    // MARK: Values

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let mark = state.mark
        do {
            try writeKey(key)
            try withUnsafePointer(to: key) { pointer in
                let frame = mark.frameCount - 1
                state.output.frames[frame].childKey = UnsafeRawPointer(pointer)
                state.output.frames[frame].childKeyType = Key.self
                try state.write(value)
                state.output.frames[frame].childKey = nil
            }
        } catch {
            state.undo(to: mark)
            throw error
        }
    }

    // MARK: Nested containers

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let part = openPart(key, .object)
        return KeyedEncodingContainer(JSONKeyedEncodingContainer<NestedKey>(state: part.state, serial: part.serial))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let part = openPart(key, .array)
        return JSONUnkeyedEncodingContainer(state: part.state, serial: part.serial)
    }

    mutating func superEncoder() -> any Encoder { openPart(JSONCodingKey.super, .undecided) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { openPart(key, .undecided) }

    /// The encoder of a new part, or a refused one.
    private func openPart(_ key: some CodingKey, _ kind: JSONFrame.Kind) -> JSONValueEncoder {
        guard state.output.current == serial, let part = state.openPart(key: key, kind: kind) else {
            return JSONValueEncoder(state: state, serial: serial | JSONEncodingState.refused)
        }
        return JSONValueEncoder(state: part, serial: part.rootSerial)
    }
}
