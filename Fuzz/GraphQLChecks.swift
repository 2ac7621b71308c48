@testable import MartletGraphQL

/// Checks the parser of GraphQL documents.
enum GraphQLChecks {
    /// Zero bytes separate the document and its fragments.
    static func graphQLDocument(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        let document = GraphQLDocument(parts[0], fragments: parts.dropFirst().map { GraphQLFragment($0) })
        promise(document.text.utf8.starts(with: parts[0].utf8), "the text of a document changed")
        switch document.parsed {
        case .failure(let error): check(error, of: document)
        case .success(let parsed): check(parsed, of: document)
        }
    }

    private static func check(_ error: GraphQLSyntaxError, of document: GraphQLDocument) {
        // "\r\n" is one line end and one Character, but two scalars.
        let lines = document.text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
        promise((1...lines.count).contains(error.line), "an error at a line outside the document: \(error)")
        let columns = lines.indices.contains(error.line - 1) ? lines[error.line - 1].unicodeScalars.count + 1 : 0
        promise((1...max(1, columns)).contains(error.column), "an error at a column outside its line: \(error)")
        promise(!error.message.isEmpty, "an error without a message")
        promise(document.withTypenames().text == document.text, "withTypenames changed an invalid document")
    }

    private static func check(_ parsed: ExecutableDocument, of document: GraphQLDocument) {
        let bytes = Array(document.text.utf8)
        for set in parsed.operations.map(\.selectionSet) + parsed.fragments.map(\.selectionSet) {
            promise(bytes[set.openBrace.offset] == UInt8(ascii: "{"), "the offset of a selection set is not its brace")
            set.forEachSelection { selection in
                guard let below = selection.selectionSet else { return }
                promise(bytes[below.openBrace.offset] == UInt8(ascii: "{"), "the offset of a selection set is not its brace")
            }
        }
        let typed = document.withTypenames()
        guard case .success(let again) = typed.parsed else {
            promise(false, "a document does not parse after withTypenames")
            return
        }
        promise(again.operations.map(\.name) == parsed.operations.map(\.name), "withTypenames changed the operations")
        promise(again.fragments.map(\.name) == parsed.fragments.map(\.name), "withTypenames changed the fragments")
        promise(typed.withTypenames().text == typed.text, "withTypenames added __typename twice")
        promise(typed.usesIncrementalDelivery == document.usesIncrementalDelivery, "withTypenames lost directives")
    }
}
