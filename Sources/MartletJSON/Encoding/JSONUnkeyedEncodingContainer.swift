/// The unkeyed container: it writes elements at the end of the buffer.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let state: JSONEncodingState
    let serial: UInt64

    var codingPath: [any CodingKey] { state.codingPath(of: serial) }

    /// The number of elements written, or 0 if the container is closed.
    var count: Int {
        guard let index = state.frameIndex(of: serial) else { return 0 }
        return state.output.frames[index].count
    }

    /// Writes what separates the element from the one before. The element must follow.
    @inline(__always)
    func beginElement(_ value: @autoclosure () -> Any) throws {
        guard state.output.current == serial else { throw state.refusal(serial, value: value(), path: elementPath) }
        state.output.beginElement()
    }

    private var elementPath: [any CodingKey] { codingPath + [JSONCodingKey(index: count)] }

    // MARK: Scalars

    mutating func encodeNil() throws {
        try beginElement(())
        state.output.putASCII("null")
    }

    mutating func encode(_ value: Bool) throws {
        try beginElement(value)
        state.output.putBool(value)
    }

    mutating func encode(_ value: String) throws {
        try beginElement(value)
        state.output.putString(value)
    }

    mutating func encode(_ value: Double) throws {
        guard value.isFinite else { return try encode(state.nonConforming(value) { elementPath }) }
        try beginElement(value)
        state.output.putDouble(value)
    }

    mutating func encode(_ value: Float) throws {
        guard value.isFinite else { return try encode(state.nonConforming(value) { elementPath }) }
        try beginElement(value)
        state.output.putFloat(value)
    }

    mutating func encode(_ value: Int) throws {
        try beginElement(value)
        state.output.putInteger(Int64(value))
    }

    // MARK: Values

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let mark = state.mark
        do {
            try beginElement(value)
            try state.write(value)
        } catch {
            state.undo(to: mark)
            throw error
        }
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

    /// The encoder of a new part, or a refused one.
    private func openPart(_ kind: JSONFrame.Kind) -> JSONValueEncoder {
        guard state.output.current == serial else {
            return JSONValueEncoder(state: state, serial: serial | JSONEncodingState.refused)
        }
        let part = state.openPart(kind: kind)
        return JSONValueEncoder(state: part, serial: part.rootSerial)
    }
}
