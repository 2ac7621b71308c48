extension JSONText {
    /// Returns a value with each member and element on its own line. Members keep their order.
    ///
    /// - Parameter level: The indentation of the line on which the value begins, in levels of two spaces. Default: 0.
    package static func pretty(_ value: JSONValue, level: Int = 0) -> String {
        switch value {
        case .array(let elements): lines("[", elements.map { pretty($0, level: level + 1) }, "]", level)
        case .object(let members): lines("{", members.map { "\(quoted($0.key)): \(pretty($0.value, level: level + 1))" }, "}", level)
        default: scalar(value)
        }
    }

    /// Returns a value with each member and element on its own line. Members are sorted by name, and repeated ones are shown too.
    ///
    /// - Parameter level: The indentation of the line on which the value begins, in levels of two spaces. Default: 0.
    package static func pretty(_ node: JSONNode, level: Int = 0) -> String {
        switch node.kind {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .number: return node.number ?? ""
        case .string: return quoted(node.text ?? "")
        case .array: return lines("[", node.elements.map { pretty($0, level: level + 1) }, "]", level)
        case .object:
            let members = node.members.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            return lines(
                "{", members.map { "\(quoted($0.element.name)): \(pretty($0.element.value, level: level + 1))" }, "}", level)
        }
    }

    /// Returns a value in one line, without spaces. Members are sorted by name.
    package static func line(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): return "[\(elements.map { line($0) }.joined(separator: ","))]"
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(line($0.value))" }
            return "{\(sorted.joined(separator: ","))}"
        default: return scalar(value)
        }
    }

    private static func scalar(_ value: JSONValue) -> String {
        if case .string(let text) = value { quoted(text) } else { value.description }
    }

    /// Returns a bracketed list. Each line is indented one level deeper than `level`.
    private static func lines(_ start: String, _ lines: [String], _ end: String, _ level: Int) -> String {
        guard !lines.isEmpty else { return start + end }
        let indent = "\n" + String(repeating: "  ", count: level)
        return start + indent + "  " + lines.joined(separator: ",\(indent)  ") + indent + end
    }
}
