import Foundation

/// Declarations of a module without a product that a product re-exports by name. The symbol graph of the product lacks them.
package struct Reexports: Equatable {
    /// The re-exported names by module.
    package private(set) var names: [String: Set<String>] = [:]

    /// Finds lines such as `@_exported public import struct MartletSystem.SystemTime`.
    package init(source: String) {
        for line in source.split(separator: "\n") where line.hasPrefix("@_exported") {
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(of: "import"), words.count == keyword + 3 else { continue }
            let path = words[keyword + 2].split(separator: ".")
            if path.count == 2 { names[String(path[0]), default: []].insert(String(path[1])) }
        }
    }

    /// The symbol graph `graph`, reduced to the declarations with one of these names and their members, as a part of `module`.
    package static func graph(_ graph: Data, names: Set<String>, module: String) throws -> Data {
        guard var root = try JSONSerialization.jsonObject(with: graph) as? [String: Any],
            let symbols = root["symbols"] as? [[String: Any]], let relationships = root["relationships"] as? [[String: Any]],
            var header = root["module"] as? [String: Any]
        else { throw CocoaError(.fileReadCorruptFile) }
        let kept = symbols.filter { symbol in (symbol["pathComponents"] as? [String])?.first.map(names.contains) ?? false }
        let identifiers = Set(kept.compactMap { ($0["identifier"] as? [String: Any])?["precise"] as? String })
        root["symbols"] = kept
        root["relationships"] = relationships.filter { ($0["source"] as? String).map(identifiers.contains) ?? false }
        header["name"] = module
        root["module"] = header
        return try JSONSerialization.data(withJSONObject: root)
    }
}
