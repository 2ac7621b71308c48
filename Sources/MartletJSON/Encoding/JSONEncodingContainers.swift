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

/// The unkeyed container. It writes elements at the end of the buffer.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer, JSONValueEncodingContainer {
    let state: JSONEncodingState
    let serial: UInt64

    var codingPath: [any CodingKey] { state.codingPath(of: serial) }

    /// The number of elements written, or 0 if the container is closed.
    var count: Int {
        guard let index = state.frameIndex(of: serial) else { return 0 }
        return state.output.frames[index].count
    }

    /// Writes the separator before an element. The element must follow.
    @inline(__always)
    func begin(_ value: @autoclosure () -> Any) throws {
        guard state.output.current == serial else { throw state.refusal(serial, value: value(), path: valuePath) }
        state.output.beginElement()
    }

    var valuePath: [any CodingKey] { codingPath + [JSONCodingKey(index: count)] }

    // MARK: Integers with default implementations

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws {
        try begin(value)
        state.output.putInteger(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws {
        try begin(value)
        state.output.putInteger(value)
    }

    // MARK: Nested containers

    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        let part = openPart(.object)
        return KeyedEncodingContainer(JSONKeyedEncodingContainer<NestedKey>(state: part.state, serial: part.serial))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let part = openPart(.array)
        return JSONUnkeyedEncodingContainer(state: part.state, serial: part.serial)
    }

    mutating func superEncoder() -> any Encoder { openPart(.undecided) }

    /// Returns the encoder of a new part, or a refused one.
    private func openPart(_ kind: JSONFrame.Kind) -> JSONValueEncoder {
        guard state.output.current == serial else {
            return JSONValueEncoder(state: state, serial: serial | JSONEncodingState.refused)
        }
        let part = state.openPart(kind: kind)
        return JSONValueEncoder(state: part, serial: part.rootSerial)
    }
}

/// The single-value container. It writes the value at the end of the buffer.
struct JSONSingleValueEncodingContainer: SingleValueEncodingContainer, JSONValueEncodingContainer {
    let state: JSONEncodingState
    let serial: UInt64

    var codingPath: [any CodingKey] { state.codingPath(of: serial) }
    var valuePath: [any CodingKey] { codingPath }

    /// Checks that the value has not been written yet. The value must follow.
    @inline(__always)
    func begin(_ value: @autoclosure () -> Any) throws {
        guard state.output.current == serial else { throw state.refusal(serial, value: value(), path: codingPath) }
        guard state.output.top.pointee.kind == .undecided else {
            state.output.top.pointee.flags.insert(.mixed)
            throw state.mixedError(codingPath: codingPath, value: value())
        }
        state.output.top.pointee.kind = .scalar
    }

    // MARK: Integers with default implementations

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws {
        try begin(value)
        state.output.putInteger(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws {
        try begin(value)
        state.output.putInteger(value)
    }
}

/// The common part of the unkeyed and the single-value container.
protocol JSONValueEncodingContainer {
    var state: JSONEncodingState { get }

    /// The path of the next value.
    var valuePath: [any CodingKey] { get }

    /// Checks that a value may be written, and writes the separator before it. The value must follow.
    func begin(_ value: @autoclosure () -> Any) throws
}

extension JSONValueEncodingContainer {
    mutating func encodeNil() throws {
        try begin(())
        state.output.putASCII("null")
    }

    mutating func encode(_ value: Bool) throws {
        try begin(value)
        state.output.putBool(value)
    }

    mutating func encode(_ value: String) throws {
        try begin(value)
        state.output.putString(value)
    }

    mutating func encode(_ value: Double) throws {
        guard value.isFinite else { return try encode(state.nonConforming(value) { valuePath }) }
        try begin(value)
        state.output.putDouble(value)
    }

    mutating func encode(_ value: Float) throws {
        guard value.isFinite else { return try encode(state.nonConforming(value) { valuePath }) }
        try begin(value)
        state.output.putFloat(value)
    }

    @inline(__always)
    mutating func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
        try begin(value)
        state.output.putInteger(value)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let mark = state.mark
        try begin(value)
        do {
            try state.write(value)
        } catch {
            state.undo(to: mark)
            throw error
        }
    }
}

/// The encoder that is passed to `encode(to:)`. It fits into an existential without an allocation.
struct JSONValueEncoder: Encoder {
    let state: JSONEncodingState
    let serial: UInt64

    var codingPath: [any CodingKey] { state.codingPath(of: serial) }
    var userInfo: [CodingUserInfoKey: Any] { state.context.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONKeyedEncodingContainer<Key>(state: state, serial: open(.object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncodingContainer(state: state, serial: open(.array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueEncodingContainer(state: state, serial: serial)
    }

    /// Begins the array or object, or continues an open one.
    ///
    /// - Returns: The serial number for the container. A flag marks a container that is refused.
    @inline(__always)
    private func open(_ kind: JSONFrame.Kind) -> UInt64 {
        guard state.output.current == serial else { return serial | JSONEncodingState.refused }
        let frame = state.output.top
        if frame.pointee.kind == .undecided {
            if kind == .object { state.output.openObject() } else { state.output.openArray() }
            return frame.pointee.flags.contains(.tooDeep) ? serial | JSONEncodingState.refused : serial
        }
        guard frame.pointee.kind == kind, !frame.pointee.flags.contains(.tooDeep) else {
            frame.pointee.flags.insert(.mixed)
            return serial | JSONEncodingState.refused
        }
        return serial
    }
}
