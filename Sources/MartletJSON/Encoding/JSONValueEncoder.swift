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
