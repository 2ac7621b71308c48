internal import MartletJSON

/// Swift source that is written line by line.
package struct SourceText {
    package private(set) var text = ""
    private var level = 0

    package init() {}

    /// Writes a line at the current indentation. An empty line has no spaces.
    package mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: "    ", count: level) + line }
        text += "\n"
    }

    /// Writes lines that are indented as they are relative to the current indentation.
    package mutating func lines(_ lines: Substring) {
        for line in lines.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            self.line(String(Substring(line)))
        }
    }

    /// Writes a line that ends with an open brace, the content one level deeper, and the closing brace.
    package mutating func block(_ start: String, end: String = "}", _ content: (inout SourceText) -> Void) {
        line(start)
        indented(content)
        line(end)
    }

    /// Writes a line that ends with an open brace. What follows is one level deeper, until `close`.
    package mutating func open(_ start: String) {
        line(start)
        level += 1
    }

    /// Writes a closing brace.
    package mutating func close() {
        level -= 1
        line("}")
    }

    /// Writes lines one level deeper.
    package mutating func indented(_ content: (inout SourceText) -> Void) {
        level += 1
        content(&self)
        level -= 1
    }

    /// The number of spaces before the next line.
    package var indentation: Int { level * 4 }

    /// Writes a call whose only argument is a call: in one line, or one argument to a line if it would be too long.
    package mutating func nestedList(_ start: String, _ call: String, _ items: [String], indentation: Int = 0) {
        level += indentation
        defer { level -= indentation }
        let whole = start + call + items.joined(separator: ", ") + "))"
        if whole.count + level * 4 <= SourceText.width || items.isEmpty { return line(whole) }
        line(start)
        level += 1
        list(call, items, "))")
        level -= 1
    }

    /// Writes a call or declaration with its arguments: in one line, or one argument to a line if it would be too long.
    package mutating func list(_ start: String, _ items: [String], _ end: String) {
        let whole = start + items.joined(separator: ", ") + end
        if whole.count + level * 4 <= SourceText.width || items.isEmpty { return line(whole) }
        line(start)
        level += 1
        for (index, item) in items.enumerated() { line(item + (index < items.count - 1 ? "," : "")) }
        level -= 1
        line(end)
    }

    /// Writes a list in lines as long as possible.
    package mutating func fill(_ start: String, _ items: [String], end: String = "") {
        var lines: [String] = [], current = start
        for (index, item) in items.enumerated() {
            let text = item + (index < items.count - 1 ? "," : end)
            if current.count + text.count + 5 + indentation > 140, current != start {
                lines.append(current)
                current = text
            } else {
                current += (current == start ? "" : " ") + text
            }
        }
        lines.append(current)
        line(lines[0])
        let rest = lines.dropFirst()
        if start.isEmpty { for line in rest { self.line(line) } } else { indented { for line in rest { $0.line(line) } } }
    }

    /// Returns the expression that reads a member in `init(json:)`.
    ///
    /// - Parameter isReadable: Whether the type of the value is `JSONReadable`.
    package static func reading(_ name: String, isReadable: Bool, isOptional: Bool) -> String {
        isReadable ? "json[\(quoted(name))]" : "json.\(isOptional ? "decodeIfPresent" : "decode")(\(quoted(name)))"
    }

    /// Writes an extension that makes a type `JSONReadable`, with the expression for each argument of its initializer.
    package mutating func reading(of type: String, comment: String?, access: String, _ arguments: [(label: String, value: String)]) {
        // An argument with `try?` throws nothing.
        let initializer = arguments.allSatisfy { $0.value.hasPrefix("try? ") } ? "self.init(" : "try self.init("
        let items = arguments.map { "\(Identifier.label($0.label)): \($0.value)" }
        block("\(type): JSONReadable {") { text in
            if let comment { text.line("/// \(comment)") }
            let start = "\(access)init(json: inout JSONReader) throws {", line = "\(initializer)\(items.joined(separator: ", ")))"
            if start.count + line.count + text.indentation <= 137 { return text.line("\(start) \(line) }") }
            text.block(start) { text in
                if line.count + text.indentation <= 140 { return text.line(line) }
                text.line(initializer)
                text.indented { $0.fill("", items, end: ")") }
            }
        }
    }

    /// Writes imports, sorted by name.
    package mutating func imports(_ modules: Set<String>, access: String = "") {
        for module in modules.sorted() { line("\(access)import \(module)") }
        line()
    }

    /// The longest line that is not broken.
    package static let width = 100

    /// Returns a string literal.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where isInvisible(scalar): quoted += "\\u{\(String(scalar.value, radix: 16))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns an integer literal with underscores between groups of three digits, if it has at least seven.
    package static func grouped(_ number: String) -> String {
        let sign = number.hasPrefix("-") ? "-" : "", digits = number.dropFirst(sign.count)
        guard digits.count >= 7 else { return number }
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped += "_" }
            grouped.append(digit)
        }
        return sign + grouped
    }

    /// Returns text without characters that would end a comment line or that a reader does not see.
    package static func comment(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isInvisible($0) || $0 == "`" ? "?" : $0 }))
    }

    /// Returns text as a comment of at most 100 characters.
    package static func shortComment(_ text: String) -> String {
        text.unicodeScalars.count <= 100 ? comment(text) : comment(String(text.unicodeScalars.prefix(100))) + "…"
    }

    /// Whether a reader does not see a character, or sees others because of it.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        // Fillers that have no width. Variation selectors are parts of emoji.
        default: scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }

    /// Returns the start and end of a raw string literal that holds JSON unchanged: `#"""`.
    package static func rawQuotes(for json: String) -> (start: String, end: String) {
        var hashes = "#"
        // A backslash and the hashes would begin an escape or interpolation. The compiler compares scalars, not characters, so that a
        // combining mark after a hash changes nothing.
        let scalars = json.unicodeScalars
        while scalars.contains(("\\" + hashes).unicodeScalars) || scalars.contains(("\"\"\"" + hashes).unicodeScalars) { hashes += "#" }
        return (hashes + "\"\"\"", "\"\"\"" + hashes)
    }
}
