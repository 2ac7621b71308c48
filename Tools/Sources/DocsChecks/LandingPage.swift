import Foundation

/// The landing page of the merged site: which module to import for what.
package struct LandingPage: Sendable {
    package struct Group: Sendable {
        let title: String
        /// The modules of the group and when to import each.
        let modules: [(name: String, purpose: String)]
    }

    package var abstract: String
    package var overview: String
    package var groups: [Group]

    /// Writes the page's text and groups into the page that DocC made for the merged archive.
    package func applied(to data: Data) throws -> Data {
        guard var page = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
        let listed = groups.flatMap { $0.modules.map { Self.identifier($0.name) } }
        let known = Set((page["references"] as? [String: Any] ?? [:]).keys)
        guard known == Set(listed) else {
            throw LandingPageError(modules: known.symmetricDifference(listed).sorted())
        }
        page["abstract"] = [["type": "text", "text": abstract]]
        page["primaryContentSections"] = [["kind": "content", "content": content]]
        page["topicSectionsStyle"] = "hidden"
        page["topicSections"] = groups.map { group -> [String: Any] in
            ["title": group.title, "anchor": Self.anchor(group.title), "identifiers": group.modules.map { Self.identifier($0.name) }]
        }
        return try JSONSerialization.data(withJSONObject: page, options: [.sortedKeys])
    }

    private var content: [[String: Any]] {
        let start = [Self.heading("Overview", level: 2), Self.paragraph([["type": "text", "text": overview]])]
        return start + groups.flatMap { [Self.heading($0.title, level: 3), Self.table($0)] }
    }

    private static func table(_ group: Group) -> [String: Any] {
        let header = [cell([["type": "text", "text": "Import"]]), cell([["type": "text", "text": "For"]])]
        let rows = group.modules.map { module, purpose -> [Any] in
            [
                cell([["type": "reference", "identifier": identifier(module), "isActive": true]]),
                cell([["type": "text", "text": purpose]]),
            ]
        }
        return ["type": "table", "header": "row", "rows": [header] + rows]
    }

    private static func heading(_ title: String, level: Int) -> [String: Any] {
        ["type": "heading", "level": level, "anchor": anchor(title), "text": title]
    }

    private static func identifier(_ module: String) -> String { "doc://\(module)/documentation/\(module)" }
    private static func anchor(_ title: String) -> String { title.replacingOccurrences(of: " ", with: "-") }
    private static func paragraph(_ content: [[String: Any]]) -> [String: Any] { ["type": "paragraph", "inlineContent": content] }
    private static func cell(_ content: [[String: Any]]) -> [Any] { [paragraph(content)] }
}

/// Modules that only one of the site and its landing page has.
package struct LandingPageError: Error, CustomStringConvertible {
    package let modules: [String]
    package var description: String { "the landing page's modules differ from the site's: \(modules.joined(separator: ", "))" }
}
