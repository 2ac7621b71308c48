extension JSONValue: DirectlyEncodable, CustomStringConvertible {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        try state.pushFrame()
        let depth = state.output.frameCount
        do {
            try pointer.assumingMemoryBound(to: JSONValue.self).pointee.writeJSON(to: &state.output)
        } catch EncodingError.invalidValue(let value, let context) {
            while state.output.frameCount > depth { state.output.dropFrame() }
            throw state.invalid(value, state.openPath(), context.debugDescription)
        }
        try state.closeFrame()
    }

    /// Writes the value. Names are written unchanged: key strategies do not apply.
    private func writeJSON(to output: inout JSONOutput) throws {
        switch self {
        case .null: output.null()
        case .bool(let value): output.bool(value)
        case .integer(let value): output.number(value)
        case .number(let value):
            guard value.isFinite else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: [], debugDescription: "\(value) cannot be represented in JSON"))
            }
            output.number(value.description)
        case .string(let value): output.string(value)
        case .array(let elements):
            try output.beginArray()
            for element in elements { try element.writeJSON(to: &output) }
            output.popFrame()
        case .object(let members):
            try output.beginObject()
            for (key, value) in members {
                output.memberKey(key)
                try value.writeJSON(to: &output)
            }
            output.popFrame()
        }
    }

    /// The value as JSON in one line.
    public var description: String {
        if case .number(let value) = self { return value.description }
        var output = JSONOutput(options: JSONOutput.Options(maxDepth: JSONOutput.Options.possibleDepth))
        do { try writeJSON(to: &output) } catch { return "\(error)" }
        return output.text
    }
}
