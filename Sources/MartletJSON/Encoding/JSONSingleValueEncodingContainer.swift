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
