import Foundation

/// Code at the top level of a block, in the order of the document.
package struct Piece: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The name of an imported module.
        case importing(String)
        /// A declaration for the file's scope, and the name of the type that it declares, or nil for an extension, a function or a
        /// conditional block.
        case declaration(String?)
        case statement
    }

    package var kind: Kind
    package var lines: [String]
    /// The line of the document that the first line is on.
    package var firstLine: Int
}

/// Splits the code of a block into imports, declarations and statements.
package struct Splitting {
    private static let types = ["struct", "class", "enum", "actor", "protocol"]
    private static let modifiers = [
        "public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated", "open", "distributed",
    ]

    /// Returns the pieces of the code.
    package static func pieces(of lines: [String], firstLine: Int) -> [Piece] {
        var pieces: [Piece] = []
        var pending: [String] = []
        var index = 0
        while index < lines.count {
            let trimmed = lines[index].trimmingCharacters(in: .whitespaces)
            // A comment or attribute alone on its line belongs to what follows it.
            if trimmed.isEmpty || trimmed.hasPrefix("//") || isAttribute(trimmed) {
                pending.append(lines[index])
                index += 1
                continue
            }
            let start = index - pending.count
            let kind = trimmed.hasPrefix("#if") ? conditionalKind(lines[index...]) : kind(of: trimmed)
            let end = trimmed.hasPrefix("#if") ? endOfConditional(lines, index) : end(of: kind, lines, index)
            pieces.append(Piece(kind: kind, lines: pending + lines[index..<end], firstLine: firstLine + start))
            pending = []
            index = end
        }
        return pieces
    }

    private static func isAttribute(_ line: String) -> Bool {
        guard line.hasPrefix("@") else { return false }
        return words(of: line).isEmpty
    }

    /// The words of a line without its attributes.
    private static func words(of line: String) -> [Substring] {
        var rest = line[...]
        while rest.first == "@" {
            rest = rest.drop { !$0.isWhitespace && $0 != "(" }
            if rest.first == "(" {
                var depth = 0
                var end = rest.startIndex
                for position in rest.indices {
                    if rest[position] == "(" { depth += 1 }
                    if rest[position] == ")" { depth -= 1 }
                    if depth == 0 {
                        end = rest.index(after: position)
                        break
                    }
                }
                rest = rest[end...]
            }
            rest = rest.drop { $0.isWhitespace }
        }
        return rest.split { $0.isWhitespace || $0 == "{" || $0 == ":" || $0 == "<" }
    }

    private static func kind(of line: String) -> Piece.Kind {
        var words = words(of: line)[...]
        while let word = words.first, modifiers.contains(String(word.prefix { $0 != "(" })) { words.removeFirst() }
        guard let keyword = words.first.map(String.init) else { return .statement }
        let name = words.dropFirst().first.map(String.init)
        if keyword == "import", let name { return .importing(name) }
        if types.contains(keyword) { return .declaration(name) }
        if keyword == "typealias" { return .declaration(name) }
        if keyword == "extension" || keyword == "func" { return .declaration(nil) }
        return .statement
    }

    private static func conditionalKind(_ lines: ArraySlice<String>) -> Piece.Kind {
        for line in lines.dropFirst() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.isEmpty || trimmed.hasPrefix("//") || trimmed.hasPrefix("#") || isAttribute(trimmed) { continue }
            if case .statement = kind(of: trimmed) { return .statement }
            return .declaration(nil)
        }
        return .statement
    }

    private static func endOfConditional(_ lines: [String], _ start: Int) -> Int {
        var open = 0
        for index in start..<lines.count {
            let trimmed = lines[index].trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("#if") { open += 1 }
            if trimmed.hasPrefix("#endif") { open -= 1 }
            if open == 0 { return index + 1 }
        }
        return lines.count
    }

    private static func end(of kind: Piece.Kind, _ lines: [String], _ start: Int) -> Int {
        if case .importing = kind { return start + 1 }
        var depth = Depth()
        let needsBody: Bool
        if case .declaration = kind, !lines[start].contains("typealias ") { needsBody = true } else { needsBody = false }
        for index in start..<lines.count {
            depth.read(lines[index])
            if depth.isTopLevel && (!needsBody || depth.hasOpenedBrace) { return index + 1 }
        }
        return lines.count
    }
}
