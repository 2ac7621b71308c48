import Foundation

/// The part of a symbol graph file that the checks read.
package struct SymbolGraph: Decodable {
    package struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Kind: Decodable { let identifier: String }
        struct Comment: Decodable {
            struct Line: Decodable { let text: String }
            let module: String?
            let lines: [Line]
        }
        struct Location: Decodable {
            struct Position: Decodable { let line: Int }
            let uri: String
            let position: Position
        }

        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let accessLevel: String
        let docComment: Comment?
        let location: Location?
    }

    package let symbols: [Symbol]

    package init(_ data: Data) throws { self = try JSONDecoder().decode(SymbolGraph.self, from: data) }
}

/// The number of documented public symbols, and the problems of the others.
package struct DocumentationCount: Equatable {
    package var documented = 0
    package var problems: [String] = []

    package init() {}

    /// Counts the symbols that are declared in `sources`. Members that come from other modules have no place there.
    package mutating func add(_ graph: SymbolGraph, module: String, sources: String) {
        for symbol in graph.symbols where symbol.accessLevel == "public" || symbol.accessLevel == "open" {
            guard let location = symbol.location, let range = location.uri.range(of: sources) else { continue }
            // An extension block is not a declaration of its own.
            if symbol.kind.identifier == "swift.extension" { continue }
            let name = symbol.pathComponents.joined(separator: ".")
            let place = "\(location.uri[range.lowerBound...]):\(location.position.line + 1)"
            let text = symbol.docComment.map { $0.module == module ? $0.lines.map(\.text) : [] } ?? []
            let summary = text.first?.trimmingCharacters(in: .whitespaces) ?? ""
            if summary.isEmpty {
                problems.append("\(place): \(name) has no documentation")
            } else if Self.saysNothing(summary) {
                problems.append("\(place): the documentation of \(name) says nothing: \(summary)")
            } else {
                documented += 1
            }
        }
    }

    /// Whether a first line only refers to another text, such as "The same."
    static func saysNothing(_ summary: String) -> Bool {
        let text = summary.lowercased().trimmingCharacters(in: .punctuationCharacters)
        return ["the same", "same", "same as above", "see above", "todo", "the same as above"].contains(text)
    }
}
