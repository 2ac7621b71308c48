import MartletGraphQL

/// Documents of GraphQL.
enum GraphQLChecks {
    /// A zero byte parts the document from its fragments.
    static func graphQLDocument(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        let document = GraphQLDocument(parts[0], fragments: parts.dropFirst().map { GraphQLFragment($0) })
        promise(document.text.utf8.starts(with: parts[0].utf8), "a document whose text is another")
        switch document.parsed {
        case .failure(let error): check(error, of: document)
        case .success(let parsed): check(parsed, of: document)
        }
    }

    private static func check(_ error: GraphQLSyntaxError, of document: GraphQLDocument) {
        // "\r\n" is one line end and one Character, but two scalars.
        let lines = document.text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
        promise((1...lines.count).contains(error.line), "a line that is not there: \(error)")
        let columns = lines.indices.contains(error.line - 1) ? lines[error.line - 1].unicodeScalars.count + 1 : 0
        promise((1...max(1, columns)).contains(error.column), "a column that is not there: \(error)")
        promise(!error.message.isEmpty, "an error without a word")
        promise(document.withTypenames().text == document.text, "a document with an error that is changed")
    }

    private static func check(_ parsed: ExecutableDocument, of document: GraphQLDocument) {
        let bytes = Array(document.text.utf8)
        for set in parsed.operations.map(\.selectionSet) + parsed.fragments.map(\.selectionSet) {
            promise(bytes[set.openBrace.offset] == UInt8(ascii: "{"), "a selection set that begins elsewhere")
            set.forEachSelection { selection in
                guard let below = selection.selectionSet else { return }
                promise(bytes[below.openBrace.offset] == UInt8(ascii: "{"), "a selection set that begins elsewhere")
            }
        }
        let typed = document.withTypenames()
        guard case .success(let again) = typed.parsed else {
            promise(false, "a document that can't be parsed with its type names")
            return
        }
        promise(again.operations.map(\.name) == parsed.operations.map(\.name), "operations that are lost with type names")
        promise(again.fragments.map(\.name) == parsed.fragments.map(\.name), "fragments that are lost with type names")
        promise(typed.withTypenames().text == typed.text, "type names that are added twice")
        promise(typed.usesIncrementalDelivery == document.usesIncrementalDelivery, "directives that are lost with type names")
    }
}
