extension JSONValue: JSONWritable, CustomStringConvertible {
    /// Writes the value, its names as they are.
    package func writeJSON(to output: inout JSONOutput) throws {
        switch self {
        case .null: output.null()
        case .bool(let value): output.bool(value)
        case .integer(let value): output.number(value)
        case .number(let value):
            guard value.isFinite else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: [], debugDescription: "\(value) can't be represented in JSON"))
            }
            output.number(value.description)
        case .string(let value): output.string(value)
        case .array(let elements):
            try output.beginArray()
            for element in elements { try element.writeJSON(to: &output) }
            output.endArray()
        case .object(let members):
            try output.beginObject()
            for (key, value) in members {
                output.key(key)
                try value.writeJSON(to: &output)
            }
            output.endObject()
        }
    }

    /// The value as JSON, in one line.
    public var description: String {
        if case .number(let value) = self { return value.description }
        var output = JSONOutput(maxDepth: .max)
        do { try writeJSON(to: &output) } catch { return "\(error)" }
        return output.text
    }
}
