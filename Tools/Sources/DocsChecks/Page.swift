import Foundation

/// One page of a site: what the checks need of its render JSON.
struct Page {
    /// The targets of links: paths of pages (`/documentation/…`) and URLs.
    private(set) var links: Set<String> = []
    /// The images and downloads that the page uses.
    private(set) var files: Set<String> = []
    /// References in the text that have no target. Types of the standard library, to which a type conforms, have none and need none.
    private(set) var unresolved: Set<String> = []
    private(set) var anchors: Set<String> = []
    /// The identifiers in groups that DocC made because no topic group names them.
    private(set) var automatic: [String] = []
    /// The modules in topic groups. The navigator finds them there, without their contents, and shows nothing on the modules' pages.
    private(set) var groupedModules: [String] = []
    /// Whether the page has topic groups from a catalog.
    private(set) var hasGroups = false

    init(_ data: Data) throws {
        guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
        let references = root["references"] as? [String: Any] ?? [:]
        for case let reference as [String: Any] in references.values { add(reference) }
        for section in root["topicSections"] as? [[String: Any]] ?? [] {
            if section["generated"] as? Bool != true {
                hasGroups = true
                let names = section["identifiers"] as? [String] ?? []
                groupedModules += names.filter { $0.components(separatedBy: "/documentation/").last?.contains("/") == false }
            } else if section["title"] as? String != "Default Implementations" {
                // Their pages are made by DocC and can't be curated.
                automatic += section["identifiers"] as? [String] ?? []
            }
        }
        var content = root
        content["references"] = nil
        findInlineReferences(content, among: references)
    }

    private mutating func add(_ reference: [String: Any]) {
        switch reference["type"] as? String {
        case "topic", "section", "link":
            if let url = reference["url"] as? String { links.insert(url) }
        case "image", "video":
            files.formUnion((reference["variants"] as? [[String: Any]] ?? []).compactMap { $0["url"] as? String })
        case "download":
            if let url = reference["url"] as? String { files.insert(url) }
        default:
            break
        }
    }

    /// Collects anchors, and the references in the text that have no target.
    private mutating func findInlineReferences(_ value: Any, among references: [String: Any]) {
        if let list = value as? [Any] {
            for item in list { findInlineReferences(item, among: references) }
        } else if let object = value as? [String: Any] {
            if let anchor = object["anchor"] as? String { anchors.insert(anchor) }
            if object["type"] as? String == "reference", let name = object["identifier"] as? String {
                let target = references[name] as? [String: Any]
                if target == nil || target?["type"] as? String == "unresolvable" { unresolved.insert(name) }
            }
            for item in object.values { findInlineReferences(item, among: references) }
        }
    }
}
