/// A document's text put together with that of its fragments, parsed and checked.
struct DocumentComposition {
    let text: String
    let parsed: Result<ExecutableDocument, GraphQLSyntaxError>

    init(_ own: String, _ parts: [FragmentPart]) {
        text = ([own] + parts.map(\.text)).joined(separator: Self.separator)
        parsed = Self.parse(text, own, parts)
    }

    // On lines of their own, so that a comment at the end of one does not go on in the next.
    private static let separator = "\n\n"

    private static func parse(_ text: String, _ own: String, _ parts: [FragmentPart]) -> Result<ExecutableDocument, GraphQLSyntaxError> {
        do throws(GraphQLSyntaxError) {
            var line = 1 + lineEnds(in: own + separator)
            for part in parts {
                // Before what is wrong with the document, which may follow from it.
                if let problem = part.problem {
                    throw GraphQLSyntaxError(message: problem.message, line: problem.line + line - 1, column: problem.column)
                }
                line += lineEnds(in: part.text + separator)
            }
            // Alone first, or a brace that is missing in it would be looked for in the fragments.
            if !parts.isEmpty { _ = try ExecutableDocument.parse(own) }
            let document = try ExecutableDocument.parse(text)
            try DocumentRules.check(document)
            return .success(document)
        } catch {
            return .failure(error)
        }
    }

    private static func lineEnds(in text: String) -> Int {
        var count = 0, before: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && before != UInt8(ascii: "\r") { count += 1 }
            before = byte
        }
        return count
    }
}

extension ExecutableDocument {
    /// Whether `@defer` or `@stream` is written somewhere.
    var usesIncrementalDelivery: Bool {
        let sets = operations.map(\.selectionSet) + fragments.map(\.selectionSet)
        var found = false
        for set in sets {
            set.forEachSelection { selection in
                found = found || selection.directives.contains { $0.name == "defer" || $0.name == "stream" }
            }
        }
        return found
    }
}
