import Foundation
import Testing

@testable import DocsChecks

@Suite(.timeLimit(.minutes(1))) struct DocsChecksTests {
    private func count(_ comment: String, access: String = "public", uri: String = "file:///p/Sources/M/A.swift") throws
        -> DocumentationCount
    {
        let graph = """
            {"symbols":[{"identifier":{"precise":"s:1"},"kind":{"identifier":"swift.struct"},"pathComponents":["A","b"],"accessLevel":"\(access)",
            \(comment) "location":{"uri":"\(uri)","position":{"line":4,"character":0}}}]}
            """
        var count = DocumentationCount()
        count.add(try SymbolGraph(Data(graph.utf8)), module: "M", sources: "Sources/M/")
        return count
    }

    private func comment(_ text: String, module: String = "M") -> String {
        #""docComment":{"module":"\#(module)","lines":[{"text":"\#(text)"}]},"#
    }

    @Test("A documented symbol counts; one without text, with an inherited text or with an empty phrase is a problem")
    func documentation() throws {
        #expect(try count(comment("The name.")).documented == 1)
        #expect(try count("").problems == ["Sources/M/A.swift:5: A.b has no documentation"])
        #expect(try count(comment("The name.", module: "Swift")).problems.count == 1)
        #expect(try count(comment("The same.")).problems == ["Sources/M/A.swift:5: the documentation of A.b says nothing: The same."])
    }

    @Test("Internal symbols and symbols of other modules do not count")
    func otherSymbols() throws {
        #expect(try count("", access: "internal") == DocumentationCount())
        #expect(try count("", uri: "file:///p/Sources/N/A.swift") == DocumentationCount())
    }

    @Test("Re-exported declarations are found, and their part of the graph belongs to the product")
    func reexports() throws {
        let source =
            "@_exported public import MartletJSON\n\n@_exported public import struct System.Clock\n@_exported public import protocol System.Time\n"
        #expect(Reexports(source: source).names == ["System": ["Clock", "Time"]])
        let graph = """
            {"module":{"name":"System"},"relationships":[{"source":"2","target":"1","kind":"memberOf"},{"source":"3","target":"9","kind":"memberOf"}],
            "symbols":[{"identifier":{"precise":"1"},"pathComponents":["Clock"]},{"identifier":{"precise":"2"},"pathComponents":["Clock","now"]},
            {"identifier":{"precise":"3"},"pathComponents":["Lock"]}]}
            """
        let part = try Reexports.graph(Data(graph.utf8), names: ["Clock"], module: "M")
        let root = try #require(try JSONSerialization.jsonObject(with: part) as? [String: Any])
        #expect((root["symbols"] as? [Any])?.count == 2)
        #expect((root["relationships"] as? [Any])?.count == 1)
        #expect((root["module"] as? [String: String]) == ["name": "M"])
    }

    @Test("A site's broken links, missing sections, unresolved references and uncurated symbols are found")
    func site() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String, _ path: String) throws {
            for (path, text) in [("data\(path).json", text), ("\(path)/index.html", "")] {
                let file = folder.appendingPathComponent(path)
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: file, atomically: false, encoding: .utf8)
            }
        }
        try write(#"{"references":{}}"#, "/documentation")
        try write(#"{"sections":[{"anchor":"Overview"}]}"#, "/documentation/m/a")
        try write(
            #"""
            {"topicSections":[{"identifiers":["doc://M/documentation/M/A"],"generated":true,"title":"Structures"},
            {"identifiers":["doc://N/documentation/N"],"title":"Modules"}],
            "references":{"a":{"type":"topic","url":"/documentation/m/a#Overview"},"b":{"type":"topic","url":"/documentation/m/a#Else"},
            "c":{"type":"link","url":"../README.md"},"d":{"type":"link","url":"https://a.example"},"e":{"type":"topic","url":"/documentation/m/b"}},
            "sections":[{"type":"reference","identifier":"doc:None"}]}
            """#, "/documentation/m")
        let report = try Site(folder).check()
        #expect(
            report.problems.sorted() == [
                "/documentation/m: a topic group names the module doc://N/documentation/N, which empties its navigator",
                "/documentation/m: broken link to /documentation/m/b",
                "/documentation/m: in no topic group: A",
                "/documentation/m: no such section: /documentation/m/a#Else",
                "/documentation/m: the relative link ../README.md does not work on the site",
                "/documentation/m: unresolved reference: doc:None",
            ])
        #expect(report.external == ["https://a.example"])
        #expect(report.pages == 3)
    }

    @Test("Links in Markdown are found outside code, and headings become anchors")
    func markdown() {
        let document = MarkdownLinks("# The `Path` of a call!\n[a](b.md#c) and `[no](x)`\n```\n[no](y)\n```\n[`code`](d/e)")
        #expect(document.links == [.init(line: 2, target: "b.md#c"), .init(line: 6, target: "d/e")])
        #expect(document.anchors == ["the-path-of-a-call"])
    }

    @Test("A quoted name of an article must be its title, also over two lines")
    func articles() {
        let page = "# ``M``\n\nSet \"x\". The articles \"Signing users\nin\" and \"Retries\" explain it.\n```\nan article \"code\"\n```\n"
        let documents = ["a.md": "# Signing users in\n", "b.md": "# Retrying\n", "c.md": page]
        #expect(ArticleNames.problems(in: documents) == ["c.md: no article has the title “Retries”"])
    }

    @Test("The landing page must list exactly the modules of the site")
    func landingPage() throws {
        let page = #"{"references":{"doc://A/documentation/A":{}},"topicSections":[]}"#
        let landing = LandingPage(abstract: "a", overview: "b", groups: [.init(title: "For all", modules: [("A", "everything")])])
        let root = try JSONSerialization.jsonObject(with: landing.applied(to: Data(page.utf8))) as? [String: Any]
        #expect((root?["topicSections"] as? [[String: Any]])?.first?["title"] as? String == "For all")
        var wrong = landing
        wrong.groups[0] = .init(title: "For all", modules: [("B", "everything")])
        #expect(throws: LandingPageError.self) { try wrong.applied(to: Data(page.utf8)) }
    }
}
