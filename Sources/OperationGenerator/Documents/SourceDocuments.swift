internal import EndpointGenerator
internal import MartletGraphQL
internal import MartletGraphQLSchema

/// The definitions of all documents, which may spread each other's fragments.
struct SourceDocuments {
    /// The documents in one text, so that an offset is a position in one of them.
    let joined: ExecutableDocument
    let fragments: [String: FragmentDefinition]
    private let files: [(name: String, start: Int, lines: Int)]

    init(_ documents: [OperationDocument], _ schema: GraphQLSchema) throws(OperationGeneratorError) {
        var problems: [OperationGeneratorError.Problem] = [], text = "", lines = 0
        var files: [(name: String, start: Int, lines: Int)] = []
        for document in documents {
            do throws(GraphQLSyntaxError) {
                _ = try ExecutableDocument.parse(document.text)
            } catch {
                problems.append(.init(error.message, file: document.name, line: error.line, column: error.column))
            }
            files.append((document.name, text.utf8.count, lines))
            let part = document.text + "\n"
            text += part
            lines += Self.lineEnds(in: part)
        }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
        guard !documents.isEmpty else { throw OperationGeneratorError(problems: [.init("there are no documents")]) }
        do throws(GraphQLSyntaxError) {
            joined = try ExecutableDocument.parse(text, limits: SyntaxLimits(tokens: .max))
        } catch {
            throw OperationGeneratorError(problems: [.init(error.message, file: documents[0].name, line: error.line, column: error.column)])
        }
        self.files = files
        fragments = Dictionary(joined.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        problems = Self.depthProblems(joined, files) + Self.validate(joined, schema, files)
        for operation in joined.operations where operation.name == nil {
            problems.append(Self.problem("an operation needs a name, from which the name of its type is made", operation.place, files))
        }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
    }

    /// Returns the name of the document that contains a position.
    func file(at place: SourcePlace) -> String { Self.file(at: place, files).name }

    /// Returns a problem at a position.
    func problem(_ message: String, _ place: SourcePlace) -> OperationGeneratorError.Problem { Self.problem(message, place, files) }

    private static func problem(
        _ message: String, _ place: SourcePlace, _ files: [(name: String, start: Int, lines: Int)]
    ) -> OperationGeneratorError.Problem {
        let file = file(at: place, files)
        return .init(message, file: file.name, line: place.line - file.lines, column: place.column)
    }

    private static func file(
        at place: SourcePlace, _ files: [(name: String, start: Int, lines: Int)]
    ) -> (name: String, start: Int, lines: Int) { files.last { $0.start <= place.offset } ?? files[0] }

    private static func validate(
        _ document: ExecutableDocument, _ schema: GraphQLSchema, _ files: [(name: String, start: Int, lines: Int)]
    ) -> [OperationGeneratorError.Problem] { [] }

    /// The maximum nesting of selections, which the nesting of types follows.
    private static let maxDepth = 64

    private static func depthProblems(
        _ document: ExecutableDocument, _ files: [(name: String, start: Int, lines: Int)]
    ) -> [OperationGeneratorError.Problem] {
        let sets = document.operations.map(\.selectionSet) + document.fragments.map(\.selectionSet)
        return sets.compactMap { root in
            var waiting = [(set: root, depth: 1)]
            while let (set, depth) = waiting.popLast() {
                guard depth <= maxDepth else {
                    return problem("expected at most \(maxDepth) levels of selections, found more: use fragments", set.openBrace, files)
                }
                waiting += set.selections.compactMap(\.selectionSet).map { ($0, depth + 1) }
            }
            return nil
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
