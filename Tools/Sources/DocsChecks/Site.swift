import Foundation

/// The findings about a built site.
package struct SiteReport {
    package var pages = 0
    package var links = 0
    package var problems: [String] = []
    /// The links to other sites, which are not opened.
    package var external: Set<String> = []
}

/// A documentation site, transformed for static hosting.
package struct Site {
    let folder: URL
    private let pages: [String: Page]

    package init(_ folder: URL) throws {
        self.folder = folder
        let data = folder.appendingPathComponent("data")
        var pages: [String: Page] = [:]
        let files = FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "json" else { continue }
            let path = String(file.path.dropFirst(data.path.count).dropLast(5))
            pages[path] = try Page(Data(contentsOf: file))
        }
        self.pages = pages
    }

    package func check() -> SiteReport {
        var report = SiteReport()
        report.pages = pages.count
        if pages[Self.landingPage] == nil { report.problems.append("the site has no landing page") }
        for (path, page) in pages.sorted(by: { $0.key < $1.key }) {
            if !exists("\(path)/index.html") { report.problems.append("\(path): no HTML page") }
            for link in page.links.sorted() {
                report.links += 1
                if let problem = problem(of: link, on: path, external: &report.external) { report.problems.append("\(path): \(problem)") }
            }
            for file in page.files where !exists(file) { report.problems.append("\(path): the file \(file) is missing") }
            for name in page.unresolved { report.problems.append("\(path): unresolved reference: \(name)") }
            report.problems += uncurated(page, at: path)
            if path != Self.landingPage {
                report.problems += page.groupedModules.map { "\(path): a topic group names the module \($0), which empties its navigator" }
            }
        }
        return report
    }

    private func problem(of link: String, on path: String, external: inout Set<String>) -> String? {
        if link.hasPrefix("/") || link.hasPrefix("#") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? path : String(parts[0])
            guard let page = pages[target] else { return "broken link to \(link)" }
            if parts.count == 2, !page.anchors.contains(String(parts[1])) { return "no such section: \(link)" }
            return nil
        }
        guard let scheme = URL(string: link)?.scheme else { return "the relative link \(link) does not work on the site" }
        if ["https", "http", "mailto"].contains(scheme) {
            external.insert(link)
            return nil
        }
        return "unknown link \(link)"
    }

    /// The symbols in automatic groups of a page that needs topic groups: of a module, of a type with some groups, or of a large type.
    private func uncurated(_ page: Page, at path: String) -> [String] {
        let isModule = path.split(separator: "/").count == 2
        guard isModule || page.hasGroups || page.automatic.count > Self.maxUngrouped else { return [] }
        return page.automatic.map { "\(path): in no topic group: \($0.split(separator: "/").last ?? "")" }
    }

    private static let landingPage = "/documentation"

    /// The largest number of members that a type can have without topic groups.
    static let maxUngrouped = 14

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + path) }
}
