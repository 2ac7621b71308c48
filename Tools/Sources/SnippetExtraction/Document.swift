/// A file with code blocks: a Markdown document, or the doc comments of a Swift source file.
package struct Document {
    /// The path from the root of the repository.
    package let path: String
    /// Groups of blocks. The blocks of a group share one scope: a Markdown document is one group, and so is each doc comment.
    package let groups: [[CodeBlock]]

    /// Reads a document. A path that ends in `.swift` is read as source code with doc comments, any other as Markdown.
    package init(path: String, text: String) throws(DocumentError) {
        self.path = path
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
            (number: $0.offset + 1, text: String($0.element))
        }
        var groups: [[CodeBlock]] = []
        if path.hasSuffix(".swift") {
            for comment in Document.comments(lines) { groups.append(try Markdown(comment).blocks()) }
        } else {
            groups = [try Markdown(lines).blocks()]
        }
        self.groups = groups.filter { !$0.isEmpty }
    }

    /// The module that the document belongs to: the folder below `Sources`, or nil.
    package var module: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    private static func comments(_ lines: [(number: Int, text: String)]) -> [[(number: Int, text: String)]] {
        var comments: [[(number: Int, text: String)]] = []
        var isInComment = false
        for line in lines {
            let text = line.text.drop { $0 == " " }
            guard text.hasPrefix("///") else {
                isInComment = false
                continue
            }
            let content = text.dropFirst(3)
            let entry = (number: line.number, text: String(content.first == " " ? content.dropFirst() : content))
            if isInComment { comments[comments.count - 1].append(entry) } else { comments.append([entry]) }
            isInComment = true
        }
        return comments
    }
}
