/// A document's text joined with its fragments, parsed and validated.
struct DocumentComposition {
    let text: String
    let parsed: Result<ExecutableDocument, GraphQLSyntaxError>

    init(_ own: String, _ parts: [FragmentPart]) {
        text = ([own] + parts.map(\.text)).joined(separator: Self.separator)
        parsed = Self.parse(text, own, parts)
    }

    // Separate lines keep a comment at the end of one part from extending into the next.
    private static let separator = "\n\n"

    private static func parse(_ text: String, _ own: String, _ parts: [FragmentPart]) -> Result<ExecutableDocument, GraphQLSyntaxError> {
        do throws(GraphQLSyntaxError) {
            var line = 1 + lineEnds(in: own + separator)
            for part in parts {
                // Errors in a fragment come first, because errors in the document may result from them.
                if let problem = part.problem {
                    throw GraphQLSyntaxError(message: problem.message, line: problem.line + line - 1, column: problem.column)
                }
                line += lineEnds(in: part.text + separator)
            }
            // The document is parsed alone first. Otherwise the parser would look for a missing brace in the fragments.
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
    /// Whether `@defer` or `@stream` occurs anywhere.
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
