/// The container of a single value: it writes the value at the end of the buffer.
struct JSONSingleValueEncodingContainer: SingleValueEncodingContainer {
    let state: JSONEncodingState
    let serial: UInt64

    var codingPath: [any CodingKey] { state.codingPath(of: serial) }

    /// Checks that nothing was written for the value. The value must follow.
    @inline(__always)
    func beginValue(_ value: @autoclosure () -> Any) throws {
        guard state.output.current == serial else { throw state.refusal(serial, value: value(), path: codingPath) }
        guard state.output.top.pointee.kind == .undecided else {
            state.output.top.pointee.flags.insert(.mixed)
            throw state.mixedError(codingPath: codingPath, value: value())
        }
        state.output.top.pointee.kind = .scalar
    }

    mutating func encodeNil() throws {
        try beginValue(())
        state.output.putASCII("null")
    }

    mutating func encode(_ value: Bool) throws {
        try beginValue(value)
        state.output.putBool(value)
    }

    mutating func encode(_ value: String) throws {
        try beginValue(value)
        state.output.putString(value)
    }

    mutating func encode(_ value: Double) throws {
        guard value.isFinite else { return try encode(state.nonConforming(value) { codingPath }) }
        try beginValue(value)
        state.output.putDouble(value)
    }

    mutating func encode(_ value: Float) throws {
        guard value.isFinite else { return try encode(state.nonConforming(value) { codingPath }) }
        try beginValue(value)
        state.output.putFloat(value)
    }

    mutating func encode(_ value: Int) throws {
        try beginValue(value)
        state.output.putInteger(Int64(value))
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let mark = state.mark
        try beginValue(value)
        do {
            try state.write(value)
        } catch {
            state.undo(to: mark)
            throw error
        }
    }
}
