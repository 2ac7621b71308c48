internal import MartletGraphQL

extension GraphQLSchema {
    /// Creates a schema from a document of the schema definition language.
    ///
    /// The built-in scalars and directives need no definition. Without `schema`, the root types are those with the names `Query`,
    /// `Mutation` and `Subscription`.
    ///
    /// - Throws: Every mistake of the schema, with line and column. Of syntax errors, only the first one is found.
    public init(sdl: String) throws(GraphQLSchemaError) { try self.init(sources: [(nil, sdl)]) }

    /// Creates a schema from several files, in any order.
    ///
    /// - Throws: Every mistake of the schema, with file, line and column. Of a file's syntax errors, only the first one is found.
    public init(sdl files: [(name: String, text: String)]) throws(GraphQLSchemaError) {
        try self.init(sources: files.map { ($0.name, $0.text) })
    }

    /// Whether a text has definitions of the schema definition language, and no syntax errors.
    package static func isSDL(_ text: String) -> Bool {
        guard let found = try? SDLParser.parse(text) else { return false }
        let hasTypes = !found.types.isEmpty || !found.extensions.isEmpty || !found.directives.isEmpty
        return hasTypes || !found.schemas.isEmpty || !found.roots.isEmpty || !found.uses.isEmpty
    }

    private init(sources: [(name: String?, text: String)]) throws(GraphQLSchemaError) {
        var definitions = SchemaDefinitions(), offset = 0, starts: [Int] = []
        for source in sources {
            starts.append(offset)
            do throws(GraphQLSyntaxError) {
                definitions.append(try SDLParser.parse(source.text, offset: offset))
            } catch {
                let place = SourcePlace(offset: offset, line: error.line, column: error.column)
                definitions.report(error.message, at: place)
            }
            // One more, so that the end of a file is not the start of the next one.
            offset += source.text.utf8.count + 1
        }
        // With a part of the definitions, most names would be unknown.
        let isComplete = definitions.mistakes.isEmpty
        if isComplete { SchemaRules.check(&definitions) }
        guard definitions.mistakes.isEmpty else {
            let ordered = definitions.mistakes.enumerated().sorted { one, other in
                (one.element.place?.offset ?? .max, one.offset) < (other.element.place?.offset ?? .max, other.offset)
            }
            throw GraphQLSchemaError(
                mistakes: ordered.map { _, mistake in
                    guard let place = mistake.place else { return GraphQLSchemaError.Mistake(mistake.message) }
                    let index = (starts.firstIndex { $0 > place.offset } ?? starts.count) - 1
                    return GraphQLSchemaError.Mistake(mistake.message, file: sources[index].name, line: place.line, column: place.column)
                })
        }
        self.init(definitions)
    }

    /// - Parameter definitions: Definitions without mistakes.
    init(_ definitions: SchemaDefinitions) {
        self.init(
            types: definitions.types, directives: definitions.directives,
            roots: Dictionary(definitions.roots.map { ($0.kind, $0.type) }, uniquingKeysWith: { first, _ in first }),
            description: definitions.description, hasIncrementalDelivery: !definitions.listsAllDirectives)
    }
}
