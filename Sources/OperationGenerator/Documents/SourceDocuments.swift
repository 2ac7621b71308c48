internal import EndpointGenerator
internal import MartletGraphQL
internal import MartletGraphQLSchema

/// The definitions of all documents, which may spread each other's fragments.
struct SourceDocuments {
    /// The documents in one text, so that an offset is a position in one of them.
    let joined: ExecutableDocument
    let fragments: [String: FragmentDefinition]
    /// Whether `@defer` or `@stream` has a label. It may be repeated, but not in the document of one operation.
    let hasLabels: Bool
    /// The number of fields, spreads and inline fragments.
    let selectionCount: Int
    private let files: Files

    init(_ documents: [OperationDocument], _ schema: GraphQLSchema) throws(OperationGeneratorError) {
        var problems: [OperationGeneratorError.Problem] = [], text = "", lines = 0, isEmpty = true
        var files = Files()
        for document in documents {
            do throws(GraphQLSyntaxError) {
                // A document may consist of comments.
                if try DocumentParser(document.text, limits: SyntaxLimits()).token.kind != .end {
                    _ = try ExecutableDocument.parse(document.text)
                    isEmpty = false
                }
            } catch {
                problems.append(.init(error.message, file: document.name, line: error.line, column: error.column))
            }
            files.add(document.name, linesBefore: lines)
            let part = document.text + "\n"
            text += part
            lines += Self.lineEnds(in: part)
        }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
        guard !documents.isEmpty else { throw OperationGeneratorError(problems: [.init("there are no documents")]) }
        guard !isEmpty else { throw OperationGeneratorError(problems: [.init("there are no operations or fragments in the documents")]) }
        do throws(GraphQLSyntaxError) {
            joined = try ExecutableDocument.parse(text, limits: SyntaxLimits(tokens: .max))
        } catch {
            throw OperationGeneratorError(problems: [.init(error.message, file: documents[0].name, line: error.line, column: error.column)])
        }
        self.files = files
        fragments = Dictionary(joined.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let roots = joined.operations.map(\.selectionSet) + joined.fragments.map(\.selectionSet)
        hasLabels = roots.contains(where: Self.hasLabel)
        selectionCount = roots.reduce(0) { $0 + Self.count($1) }
        let place = { (place: SourcePlace) in files.place(line: place.line, column: place.column) }
        let violations = DocumentValidator.violations(of: joined, in: schema, limits: Self.limits, describingPlaces: place)
        for violation in violations.prefix(Self.maxViolations) {
            let hint = violation.hint.map { " (\($0))" } ?? ""
            problems.append(files.problem(violation.message + hint, line: violation.line, column: violation.column))
        }
        for operation in joined.operations where operation.name == nil {
            problems.append(problem("an operation needs a name, from which the name of its type is made", operation.place))
        }
        for place in roots.flatMap(Self.typenameAliases) {
            problems.append(problem("the alias \"__typename\" hides the field that tells the types apart: use another", place))
        }
        for set in roots {
            if let place = Self.tooDeep(set) {
                problems.append(problem("expected at most \(Self.maxDepth) levels of selections, found more: use fragments", place))
            }
        }
        if violations.count > Self.maxViolations { problems.append(.init("there are more mistakes, which are not shown")) }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
    }

    /// Returns the name of the document that contains a position.
    func file(at place: SourcePlace) -> String { files.file(at: place.line).name }

    /// Returns a problem at a position.
    func problem(_ message: String, _ place: SourcePlace) -> OperationGeneratorError.Problem {
        files.problem(message, line: place.line, column: place.column)
    }

    /// The names of the documents, and the numbers of the lines before them in the joined text.
    private struct Files {
        private var starts: [(name: String, lines: Int)] = []

        mutating func add(_ name: String, linesBefore: Int) { starts.append((name, linesBefore)) }

        func file(at line: Int) -> (name: String, lines: Int) {
            var low = 0, high = starts.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if starts[middle].lines < line { low = middle } else { high = middle }
            }
            return starts[low]
        }

        func problem(_ message: String, line: Int, column: Int) -> OperationGeneratorError.Problem {
            let file = file(at: line)
            return .init(message, file: file.name, line: line - file.lines, column: column)
        }

        /// Returns the text for a position in a message.
        func place(line: Int, column: Int) -> String {
            let file = file(at: line)
            return "\(file.name):\(line - file.lines):\(column)"
        }
    }

    /// The maximum nesting of selections, which the nesting of types follows.
    private static let maxDepth = 64

    /// The maximum number of violations that are listed.
    private static let maxViolations = 100

    /// The documents of an app are trusted, and many. Labels are checked in each operation.
    private static let limits = ValidationLimits(
        violations: maxViolations + 1, work: 100_000_000, ignored: [.deferStreamDirectiveLabel])

    private static func hasLabel(_ root: SelectionSet) -> Bool {
        var waiting = [root]
        while let set = waiting.popLast() {
            for selection in set.selections {
                for directive in selection.directives where ["defer", "stream"].contains(directive.name) {
                    if directive.arguments.contains(where: { $0.name == "label" }) { return true }
                }
            }
            waiting += set.selections.compactMap(\.selectionSet)
        }
        return false
    }

    /// Returns the positions of other fields that have the key `__typename`.
    private static func typenameAliases(_ root: SelectionSet) -> [SourcePlace] {
        var waiting = [root], places: [SourcePlace] = []
        while let set = waiting.popLast() {
            for case .field(let field) in set.selections where field.alias == "__typename" && field.name != "__typename" {
                places.append(field.place)
            }
            waiting += set.selections.compactMap(\.selectionSet)
        }
        return places
    }

    private static func count(_ root: SelectionSet) -> Int {
        var waiting = [root], count = 0
        while let set = waiting.popLast() {
            count += set.selections.count
            waiting += set.selections.compactMap(\.selectionSet)
        }
        return count
    }

    /// Returns the position of the first selection set that is too deep.
    private static func tooDeep(_ root: SelectionSet) -> SourcePlace? {
        var waiting = [(set: root, depth: 1)]
        while let (set, depth) = waiting.popLast() {
            if depth > maxDepth { return set.openBrace }
            waiting += set.selections.compactMap(\.selectionSet).map { ($0, depth + 1) }
        }
        return nil
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
