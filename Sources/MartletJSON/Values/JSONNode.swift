package import MartletEssentials

/// A value in a parsed document with its position there, for error messages and for edits that preserve the rest of the text.
///
/// A node's content is read when it is accessed. A node keeps its document alive. Unlike ``JSONObject``, it shows repeated members.
package struct JSONNode: Sendable {
    /// The kind of a value.
    package enum Kind: Sendable, Hashable {
        /// `null`
        case null
        /// `true` or `false`
        case bool(Bool)
        /// A number.
        case number
        /// A string.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    private let document: JSONDocument
    private let place: Int

    /// Parses a document and copies its bytes.
    package init(parsing json: Data, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
        let result = json.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in try JSONDocument(bytes.bindMemory(to: UInt8.self), limits: limits) }
        }
        document = try result.get()
        place = 0
    }

    private init(_ document: JSONDocument, _ place: Int) {
        self.document = document
        self.place = place
    }

    private var entry: JSONEntry { document.index.entries[place] }

    package var kind: Kind {
        switch entry.kind {
        case .null: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .integer, .number: .number
        case .string, .escapedString: .string
        case .array: .array
        default: .object
        }
    }

    /// The kind as text, such as `an object`.
    package var kindName: String { entry.kindName }

    /// The range of the value's bytes in the document, including quotes and brackets.
    package var range: Range<Int> { document.index.range(of: place) }

    /// The position of the value's first byte.
    package var position: JSONPosition { document.position(of: place) }

    /// The text of a string, or nil for another kind.
    package var text: String? { kind == .string ? document.index.text(entry) : nil }

    /// The text of a number in the document, or nil for another kind.
    package var number: String? { kind == .number ? document.index.numberText(entry) : nil }

    /// The elements of an array, or an empty array for another kind.
    package var elements: [JSONNode] {
        guard kind == .array else { return [] }
        var nodes: [JSONNode] = [], element = place + 1
        while element < entry.next {
            nodes.append(JSONNode(document, element))
            element = document.index.next(after: element)
        }
        return nodes
    }

    /// The members of an object in order, or an empty array for another kind. A name may occur more than once.
    package var members: [(name: String, value: JSONNode)] {
        guard kind == .object else { return [] }
        var nodes: [(name: String, value: JSONNode)] = []
        document.index.forEachKey(of: place) { key in
            nodes.append((document.index.withKeyBytes(key) { String(decoding: $0, as: UTF8.self) }, JSONNode(document, key + 1)))
        }
        return nodes
    }

    /// The value as a ``JSONValue``.
    package var value: JSONValue { document.value(place) }
}
