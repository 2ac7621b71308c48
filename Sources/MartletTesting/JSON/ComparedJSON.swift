#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A JSON value for comparing and showing: unlike those of a `JSONValue` its numbers keep what was written.
enum ComparedJSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(ComparedNumber)
    case string(String)
    case array([ComparedJSON])
    case object([String: ComparedJSON])

    /// A document, or nil when it is none.
    init?(_ body: Data) {
        guard !body.isEmpty, let document = try? JSONDocument(Array(body)) else { return nil }
        self.init(document.root, of: document)
    }

    init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .number(ComparedNumber(value))
            case .number(let value): .number(ComparedNumber(value))
            case .string(let value): .string(value)
            case .array(let elements): .array(elements.map(ComparedJSON.init))
            case .object(let members): .object(members.mapValues(ComparedJSON.init))
            }
    }

    private init(_ node: JSONNode, of document: JSONDocument) {
        self =
            switch node.kind {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number: .number(ComparedNumber(document.number(node)))
            case .string: .string(document.text(node))
            case .array(let elements): .array(elements.map { ComparedJSON($0, of: document) })
            case .object(let members):
                .object(Dictionary(members.map { ($0.name, ComparedJSON($0.value, of: document)) }, uniquingKeysWith: { $1 }))
            }
    }

    /// In one line, with sorted keys, secrets hidden, cut when it is long.
    var line: String { Redaction.line(text, limit: 200) }

    private var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): number.text
        case .string(let text): JSONOutput.quoted(text)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(JSONOutput.quoted($0.key)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    /// Without the members of these names, on every level.
    func without(_ names: Set<String>) -> ComparedJSON {
        guard !names.isEmpty else { return self }
        switch self {
        case .object(let members): return .object(members.filter { !names.contains($0.key) }.mapValues { $0.without(names) })
        case .array(let elements): return .array(elements.map { $0.without(names) })
        default: return self
        }
    }
}
