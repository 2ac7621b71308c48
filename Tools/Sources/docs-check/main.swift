import DocsChecks
import Foundation

// docs-check symbols GRAPHS OUTPUT MODULE…: sorts the symbol graphs into one folder for each module, and checks that every public symbol
//     is documented. The working folder is the package.
// docs-check landing SITE: writes the landing page of a merged archive.
// docs-check site SITE: checks the links and the topic groups of a site.
// docs-check markdown FILE…: checks the links between documents of the repository.
// docs-check articles FILE…: checks that the articles which documents name in quotes exist.

func fail(_ problems: [String], _ summary: String) -> Never {
    for problem in problems { print(problem) }
    FileHandle.standardError.write(Data("docs-check: \(summary)\n".utf8))
    exit(1)
}

func checkSymbols(_ graphs: URL, _ output: URL, _ modules: [String]) throws {
    let files = try FileManager.default.contentsOfDirectory(at: graphs, includingPropertiesForKeys: nil)
    var count = DocumentationCount()
    for module in modules {
        let folder = output.appendingPathComponent(module)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files where file.lastPathComponent.hasPrefix("\(module).") || file.lastPathComponent.hasPrefix("\(module)@") {
            let data = try Data(contentsOf: file)
            try data.write(to: folder.appendingPathComponent(file.lastPathComponent))
            count.add(try SymbolGraph(data), module: module, sources: "Sources/\(module)/")
        }
        let source = try String(contentsOfFile: "Sources/\(module)/\(module).swift", encoding: .utf8)
        for (owner, names) in Reexports(source: source).names {
            let data = try Data(contentsOf: graphs.appendingPathComponent("\(owner).symbols.json"))
            let graph = try Reexports.graph(data, names: names, module: module)
            try graph.write(to: folder.appendingPathComponent("\(module)-\(owner).symbols.json"))
            count.add(try SymbolGraph(graph), module: owner, sources: "Sources/\(owner)/")
        }
    }
    let total = count.documented + count.problems.count
    if !count.problems.isEmpty { fail(count.problems, "\(count.documented) of \(total) public symbols are documented") }
    print("all \(total) public symbols are documented")
}

func checkSite(_ folder: URL) throws {
    let report = try Site(folder).check()
    if !report.problems.isEmpty { fail(report.problems, "\(report.problems.count) problems on \(report.pages) pages") }
    print("\(report.pages) pages, \(report.links) links, none of them broken")
    for link in report.external.sorted() { print("not opened, because it leads to another site: \(link)") }
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.first {
    case "symbols" where arguments.count > 3:
        try checkSymbols(URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: arguments[2]), Array(arguments[3...]))
    case "landing" where arguments.count == 2:
        let page = URL(fileURLWithPath: arguments[1]).appendingPathComponent("data/documentation.json")
        try LandingPage.martlet.applied(to: Data(contentsOf: page)).write(to: page)
    case "site" where arguments.count == 2:
        try checkSite(URL(fileURLWithPath: arguments[1]))
    case "markdown":
        let repository = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let problems = try arguments.dropFirst().flatMap { try MarkdownLinks.problems(of: $0, in: repository) }
        if !problems.isEmpty { fail(problems, "\(problems.count) broken links") }
        print("no broken link in \(arguments.count - 1) documents")
    case "articles":
        let paths = arguments.dropFirst()
        let documents = try Dictionary(uniqueKeysWithValues: paths.map { ($0, try String(contentsOfFile: $0, encoding: .utf8)) })
        let problems = ArticleNames.problems(in: documents)
        if !problems.isEmpty { fail(problems, "\(problems.count) unknown articles") }
    default:
        fail([], "usage: docs-check symbols GRAPHS OUTPUT MODULE… | landing SITE | site SITE | markdown FILE… | articles FILE…")
    }
} catch {
    fail([], "\(error)")
}
