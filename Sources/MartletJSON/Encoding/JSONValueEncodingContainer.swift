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
