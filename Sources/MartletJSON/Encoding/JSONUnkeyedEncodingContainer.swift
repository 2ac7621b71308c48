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
