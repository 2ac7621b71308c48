package import MartletEssentials

/// JSON of an answer before it has a type: what answers that come in pieces are put together in.
///
/// Keys are verbatim and numbers keep every digit, however many: they are kept as they were written, and written again so.
package enum ResponseTree: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, as JSON writes it.
    case number(String)
    /// A text.
    case string(String)
    /// An array.
    case list([ResponseTree])
    /// An object.
    case object([String: ResponseTree])

    /// Parses a JSON document (RFC 8259). If an object has a name twice, its first value counts.
    package init(parsing json: Data, limits: JSONLimits = .responseTree) throws(JSONSyntaxError) {
        self.init(try JSONNode(parsing: json, limits: limits))
    }

    private init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number: self = .number(node.number ?? "0")
        case .string: self = .string(node.text ?? "")
        case .array: self = .list(node.elements.map(ResponseTree.init))
        case .object:
            self = .object(Dictionary(node.members.lazy.map { ($0.name, ResponseTree($0.value)) }, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// The tree as JSON, without white space.
    package var json: Data {
        var output = JSONOutput(maxDepth: .max)
        // Without a limit of depth, nothing is thrown.
        try? writeJSON(to: &output)
        return output.data
    }

    /// How many values it has, itself included.
    package var valueCount: Int {
        switch self {
        case .list(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.values.reduce(1) { $0 + $1.valueCount }
        default: 1
        }
    }

    /// The member of an object, or nil.
    package subscript(key: String) -> ResponseTree? { if case .object(let members) = self { members[key] } else { nil } }

    /// The text, when it is one.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The truth value, when it is one.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements, when it is an array.
    package var elements: [ResponseTree]? { if case .list(let elements) = self { elements } else { nil } }

    /// The whole number, when it is one and fits.
    package var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// The tree as a value for people who look into it, whose numbers have 64 bits.
    package var jsonValue: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): JSONNumber(text).map { JSONValue($0) } ?? .null
        case .string(let text): .string(text)
        case .list(let elements): .array(JSONArray(elements.map(\.jsonValue)))
        case .object(let members): .object(JSONObject(members.mapValues(\.jsonValue)))
        }
    }
}

extension JSONLimits {
    /// The limits of a response tree, or of the parts of a response together.
    ///
    /// Trees are processed by recursion, and the stacks of tasks are small on Apple's platforms.
    package static let responseTree = JSONLimits(maxDepth: 100, maxValues: 4_000_000)
}

extension ResponseTree: JSONWritable {
    /// Writes the tree.
    package func writeJSON(to output: inout JSONOutput) throws {
        switch self {
        case .null: output.null()
        case .bool(let value): output.bool(value)
        case .number(let text): output.number(text)
        case .string(let text): output.string(text)
        case .list(let elements):
            try output.beginArray()
            for element in elements { try element.writeJSON(to: &output) }
            output.endArray()
        case .object(let members):
            try output.beginObject()
            for (name, value) in members {
                output.key(name)
                try value.writeJSON(to: &output)
            }
            output.endObject()
        }
    }
}
