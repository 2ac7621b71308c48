#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// JSON as text for people.
enum JSONText {
    /// A document on many lines, with sorted keys, and numbers as they are written; nil when it is none. Nothing is hidden.
    static func pretty(_ data: Data) -> String? {
        do throws(JSONSyntaxError) {
            let document = try JSONDocument(Array(data))
            return text(document.root, of: document, level: 0)
        } catch { return nil }
    }

    private static func text(_ node: JSONNode, of document: JSONDocument, level: Int) -> String {
        switch node.kind {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number: document.number(node)
        case .string: JSONOutput.quoted(document.text(node))
        case .array(let elements): JSONOutput.lines("[", elements.map { text($0, of: document, level: level + 1) }, "]", level)
        case .object(let members):
            JSONOutput.lines(
                "{",
                members.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map { _, member in
                    "\(JSONOutput.quoted(member.name)): \(text(member.value, of: document, level: level + 1))"
                }, "}", level)
        }
    }
}
