import Foundation

/// A block of Swift code in a document.
package struct CodeBlock: Equatable, Sendable {
    /// The lines of code, without the fence.
    package var lines: [String]
    /// The line of the document that the first line of code is on, counted from 1.
    package var firstLine: Int
    /// The code of the hidden comment before the block, and its first line.
    package var setup: [String] = []
    package var setupLine = 0

    package init(lines: [String], firstLine: Int) {
        self.lines = lines
        self.firstLine = firstLine
    }
}

/// Markdown text in which blocks of Swift code are fenced with three backticks.
///
/// A block is left out if the line before it is `<!-- not compiled: REASON -->`. A comment that begins with `<!-- snippet:` and ends before
/// a block contains hidden code, which belongs in front of it.
package struct Markdown {
    private let lines: [(number: Int, text: String)]

    /// Creates a document from its lines with their numbers.
    package init(_ lines: [(number: Int, text: String)]) { self.lines = lines }

    /// Returns the blocks to compile.
    ///
    /// - Throws: ``DocumentError`` for a block without an end, a hidden comment without an end, an exclusion without a reason or without a
    ///   block, or a block of Swift with another name of the language.
    package func blocks() throws(DocumentError) -> [CodeBlock] {
        var found: [CodeBlock] = []
        var setup: [(Int, String)]?
        var exclusion: Int?
        var index = lines.startIndex
        while index < lines.endIndex {
            let (number, text) = lines[index]
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            index += 1
            if trimmed.hasPrefix("<!-- snippet:") {
                setup = try rest(from: &index, until: "-->", number).map { ($0.number, $0.text) }
            } else if trimmed.hasPrefix("<!-- not compiled:") {
                let reason = trimmed.dropFirst("<!-- not compiled:".count).dropLast("-->".count).trimmingCharacters(in: .whitespaces)
                guard trimmed.hasSuffix("-->"), !reason.isEmpty else {
                    throw DocumentError(line: number, text: "the exclusion needs a reason")
                }
                exclusion = number
            } else if trimmed.hasPrefix("```") {
                guard trimmed == "```swift" || !trimmed.lowercased().hasPrefix("```swift") else {
                    throw DocumentError(line: number, text: "only “```swift” is compiled, not “\(trimmed)”")
                }
                let body = try rest(from: &index, until: "```", number)
                let indent = text.prefix { $0 == " " }
                if trimmed == "```swift", exclusion == nil {
                    var block = CodeBlock(lines: body.map { String($0.text.trimmingPrefix(indent)) }, firstLine: number + 1)
                    block.setup = (setup ?? []).map(\.1)
                    block.setupLine = setup?.first?.0 ?? 0
                    found.append(block)
                }
                setup = nil
                exclusion = nil
            } else if !trimmed.isEmpty, exclusion != nil {
                throw DocumentError(line: number, text: "the exclusion must be directly before a block")
            }
        }
        if let exclusion { throw DocumentError(line: exclusion, text: "the exclusion has no block") }
        return found
    }

    private func rest(from index: inout Int, until end: String, _ start: Int) throws(DocumentError) -> [(number: Int, text: String)] {
        var body: [(number: Int, text: String)] = []
        while index < lines.endIndex {
            let line = lines[index]
            index += 1
            if line.text.trimmingCharacters(in: .whitespaces) == end { return body }
            body.append(line)
        }
        throw DocumentError(line: start, text: "the end “\(end)” is missing")
    }
}

/// A mistake in the form of a document.
package struct DocumentError: Error, Equatable {
    package let line: Int
    package let text: String
}
