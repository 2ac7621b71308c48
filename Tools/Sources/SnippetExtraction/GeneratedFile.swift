import Foundation

/// A Swift file with the code of one group of blocks.
package struct GeneratedFile: Equatable, Sendable {
    /// The name, which contains the document's path.
    package let name: String
    package let text: String
}

extension Document {
    /// Returns files with the code of the document, each to be compiled as a module.
    ///
    /// Each group of blocks has a file. A block that declares a type again begins another one.
    ///
    /// - Parameter modules: The modules that the code in doc comments can use without an import.
    package func files(importing modules: [String] = []) -> [GeneratedFile] {
        var files: [GeneratedFile] = []
        let base = path.replacing("/", with: "-").replacing(".", with: "-").replacing(" ", with: "-")
        for group in groups {
            var blocks: [[Piece]] = []
            var names: Set<String> = []
            for block in group {
                let pieces =
                    Splitting.pieces(of: block.setup, firstLine: block.setupLine)
                    + Splitting.pieces(of: block.lines, firstLine: block.firstLine)
                let declared = pieces.compactMap(\.declaredName)
                if !names.isDisjoint(with: declared) {
                    files.append(GeneratedFile(name: "\(base)-\(files.count + 1).swift", text: text(of: blocks, modules)))
                    (blocks, names) = ([], [])
                }
                names.formUnion(declared)
                blocks.append(pieces)
            }
            files.append(GeneratedFile(name: "\(base)-\(files.count + 1).swift", text: text(of: blocks, modules)))
        }
        return files
    }

    /// Imports and declarations, and then a function in which the statements of each block are nested in those of the block before.
    private func text(of blocks: [[Piece]], _ modules: [String]) -> String {
        var imports: [String] = []
        var declarations: [String] = []
        var statements: [String] = []
        for block in blocks {
            statements.append("do {")
            for piece in block {
                switch piece.kind {
                case .importing: imports += piece.lines
                case .declaration:
                    declarations.append(location(piece))
                    declarations += piece.lines.map(\.compilable)
                case .statement:
                    statements.append(location(piece))
                    statements += piece.lines.map(\.compilable)
                }
            }
        }
        let defaults = ["Foundation", "Martlet"] + [module].compactMap { $0 }
        let code = blocks.flatMap { $0.flatMap(\.lines) }.joined(separator: "\n")
        let usesTesting = code.contains("#expect") || code.contains("@Test") || code.contains("#require")
        imports += (defaults + (usesTesting ? ["Testing"] : []) + ["SnippetSupport"]).map { "import \($0)" }
        if path.hasSuffix(".swift") {
            imports += (["FoundationNetworking"] + modules).map { "#if canImport(\($0))\nimport \($0)\n#endif" }
        }
        let end = String(repeating: "}\n", count: blocks.count)
        return """
            \(imports.joined(separator: "\n"))
            \(declarations.joined(separator: "\n"))
            func snippets() async throws {
            \(statements.joined(separator: "\n"))
            \(blocks.joined().contains { !$0.isImport } ? "#sourceLocation()" : "")
            \(end)}

            """
    }

    private func location(_ piece: Piece) -> String { "#sourceLocation(file: \"\(path)\", line: \(piece.firstLine))" }
}

extension Piece {
    fileprivate var isImport: Bool {
        if case .importing = kind { true } else { false }
    }

    fileprivate var declaredName: String? {
        if case .declaration(let name) = kind { name } else { nil }
    }
}

extension String {
    /// The line without `@main`, of which a module can have only one, and with a call in place of `…`, which stands for code that a doc
    /// comment leaves out.
    fileprivate var compilable: String {
        let parts = replacing("@main", with: "").components(separatedBy: "//")
        return ([parts[0].replacing("…", with: "placeholder()")] + parts.dropFirst()).joined(separator: "//")
    }
}
