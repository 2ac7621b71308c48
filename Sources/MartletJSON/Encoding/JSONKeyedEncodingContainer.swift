/// The keyed container. It writes `"key":value` at the end of the buffer.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: JSONEncodingState
    let serial: UInt64
    private let keys: UnsafeMutablePointer<PreparedKey>?

    init(state: JSONEncodingState, serial: UInt64) {
        self.state = state
        self.serial = serial
        keys = state.context.preparedKeys(of: Key.self)
    }

    var codingPath: [any CodingKey] { state.codingPath(of: serial) }

    // MARK: Keys

    /// Writes the key. The value must follow.
    @inline(__always)
    func writeKey(_ key: Key) throws {
        guard state.output.current == serial else { throw state.refusal(serial, value: key, path: codingPath + [key]) }
        if let keys, let index = JSONKeyValues<PreparedKey>.index(of: key) {
            if keys[index].bytes != nil {
                state.output.key(keys[index])
            } else if let prepared = state.context.prepare(key, into: keys + index) {
                state.output.key(prepared)
            } else {
                writeLongKey(key)
            }
        } else {
            writeLongKey(key)
        }
    }

    @inline(never)
    private func writeLongKey(_ key: Key) {
        state.output.memberKey(state.context.convert(key) { codingPath })
    }

    /// Returns the string for an infinite number or NaN.
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

    // MARK: Integers

    @inline(__always)
    mutating func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        try writeKey(key)
        state.output.putInteger(value)
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

    /// Returns the encoder of a new part, or a refused one.
    private func openPart(_ key: some CodingKey, _ kind: JSONFrame.Kind) -> JSONValueEncoder {
        guard state.output.current == serial, let part = state.openPart(key: key, kind: kind) else {
            return JSONValueEncoder(state: state, serial: serial | JSONEncodingState.refused)
        }
        return JSONValueEncoder(state: part, serial: part.rootSerial)
    }
}
