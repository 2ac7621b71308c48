import Foundation

/// The links of a Markdown document to files and sections.
package struct MarkdownLinks {
    package struct Link: Equatable {
        package let line: Int
        package let target: String
    }

    package private(set) var links: [Link] = []
    /// The anchors of the headings, as code hosts make them.
    package private(set) var anchors: Set<String> = []

    package init(_ text: String) {
        var isCode = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") { isCode.toggle() }
            guard !isCode else { continue }
            if line.hasPrefix("#") { anchors.insert(Self.anchor(line)) }
            links += Self.targets(Self.withoutCode(line)).map { Link(line: index + 1, target: $0) }
        }
    }

    static func anchor(_ heading: String) -> String {
        let title = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil })
    }

    /// The line without the text of code spans, which contain no links.
    private static func withoutCode(_ line: String) -> String {
        let parts = line.components(separatedBy: "`")
        return parts.enumerated().map { $0.offset % 2 == 0 ? $0.element : "" }.joined()
    }

    private static func targets(_ line: String) -> [String] {
        line.components(separatedBy: "](").dropFirst().compactMap { rest in
            rest.firstIndex(of: ")").map { String(rest[..<$0]) }
        }
    }

    /// The broken relative links of the document at `path` in `repository`.
    package static func problems(of path: String, in repository: URL) throws -> [String] {
        let file = repository.appendingPathComponent(path)
        let document = try MarkdownLinks(String(contentsOf: file, encoding: .utf8))
        return try document.links.compactMap { link in
            if link.target.contains(":") { return nil }
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? file : file.deletingLastPathComponent().appendingPathComponent(parts[0]).standardizedFileURL
            guard FileManager.default.fileExists(atPath: target.path) else { return "\(path):\(link.line): no such file: \(link.target)" }
            guard parts.count == 2, target.pathExtension == "md" else { return nil }
            let headings = try MarkdownLinks(String(contentsOf: target, encoding: .utf8)).anchors
            return headings.contains(parts[1]) ? nil : "\(path):\(link.line): no such section: \(link.target)"
        }
    }
}
