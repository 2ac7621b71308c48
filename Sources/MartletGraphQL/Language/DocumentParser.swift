/// Parses definitions. `DocumentParser+Selections` and `DocumentParser+Values` parse their contents.
struct DocumentParser {
    private var lexer: Lexer
    private let limits: SyntaxLimits
    private var tokens = 0
    private var depth = 0
    private(set) var token: Token

    init(_ text: String, limits: SyntaxLimits) throws(GraphQLSyntaxError) {
        lexer = Lexer(text)
        self.limits = limits
        token = Token(kind: .end, text: "", place: .start)
        try advance()
    }

    mutating func document() throws(GraphQLSyntaxError) -> ([OperationDefinition], [FragmentDefinition]) {
        var operations: [OperationDefinition] = [], fragments: [FragmentDefinition] = []
        repeat {
            let isDescribed = token.kind == .string
            if isDescribed { try advance() }
            if token.isName("fragment") {
                fragments.append(try fragment())
            } else if token.isPunctuator("{"), !isDescribed {
                let place = token.place
                let selectionSet = try selectionSet()
                operations.append(
                    OperationDefinition(kind: .query, name: nil, variables: [], directives: [], selectionSet: selectionSet, place: place))
            } else if token.kind == .name, let kind = GraphQLOperationKind(rawValue: token.text) {
                operations.append(try operation(kind))
            } else {
                let kinds = "\"query\", \"mutation\", \"subscription\" or \"fragment\""
                throw unexpected(isDescribed ? "\(kinds) after a description" : "an operation or a fragment")
            }
        } while token.kind != .end
        return (operations, fragments)
    }

    private mutating func operation(_ kind: GraphQLOperationKind) throws(GraphQLSyntaxError) -> OperationDefinition {
        let place = token.place
        try advance()
        let name = token.kind == .name ? try takeName("a name") : nil
        let variables = token.isPunctuator("(") ? try variableDefinitions() : []
        let directives = try directives(isConstant: false)
        return OperationDefinition(
            kind: kind, name: name, variables: variables, directives: directives, selectionSet: try selectionSet(), place: place)
    }

    private mutating func fragment() throws(GraphQLSyntaxError) -> FragmentDefinition {
        let place = token.place
        try advance()
        guard !token.isName("on") else { throw unexpected("a fragment's name") }
        let name = try takeName("a fragment's name")
        guard token.isName("on") else { throw unexpected("\"on\" and a type") }
        try advance()
        let typeCondition = try takeName("a type's name")
        let directives = try directives(isConstant: false)
        return FragmentDefinition(
            name: name, typeCondition: typeCondition, directives: directives, selectionSet: try selectionSet(), place: place)
    }

    private mutating func variableDefinitions() throws(GraphQLSyntaxError) -> [VariableDefinition] {
        var variables: [VariableDefinition] = []
        try take("(")
        repeat {
            if token.kind == .string { try advance() }
            let place = token.place
            guard token.isPunctuator("$") else { throw unexpected(variables.isEmpty ? "a variable" : "a variable or \")\"") }
            try advance()
            let name = try takeName("a variable's name")
            try take(":")
            let type = try typeReference()
            var defaultValue: ValueLiteral?
            if token.isPunctuator("=") {
                try advance()
                defaultValue = try value(isConstant: true)
            }
            let directives = try directives(isConstant: true)
            variables.append(
                VariableDefinition(name: name, type: type, defaultValue: defaultValue, directives: directives, place: place))
        } while !token.isPunctuator(")")
        try advance()
        return variables
    }

    private mutating func typeReference() throws(GraphQLSyntaxError) -> TypeReference {
        var lists = 0
        while token.isPunctuator("[") {
            try enter()
            lists += 1
        }
        var type = TypeReference.named(try takeName("a type"))
        while true {
            if token.isPunctuator("!") {
                try advance()
                type = .nonNull(type)
            }
            if lists == 0 { return type }
            try leave("]")
            lists -= 1
            type = .list(type)
        }
    }
}

extension DocumentParser {
    mutating func advance() throws(GraphQLSyntaxError) {
        token = try lexer.next()
        tokens += 1
        if tokens > limits.tokens, token.kind != .end {
            throw GraphQLSyntaxError("expected at most \(limits.tokens) tokens, found more", at: token.place)
        }
    }

    /// Skips a required token.
    mutating func take(_ punctuator: String) throws(GraphQLSyntaxError) {
        guard token.isPunctuator(punctuator) else { throw unexpected("\"\(punctuator)\"") }
        try advance()
    }

    /// Returns the required name at this point. Error messages describe it as `expected`.
    mutating func takeName(_ expected: String) throws(GraphQLSyntaxError) -> String {
        guard token.kind == .name else { throw unexpected(expected) }
        let name = token.text
        try advance()
        return name
    }

    /// Skips an opening bracket. Throws if the nesting exceeds the limit.
    mutating func enter() throws(GraphQLSyntaxError) {
        depth += 1
        guard depth <= limits.nesting else {
            throw GraphQLSyntaxError("expected at most \(limits.nesting) levels of nesting, found more", at: token.place)
        }
        try advance()
    }

    /// Skips the closing bracket of the current level.
    mutating func leave(_ bracket: String) throws(GraphQLSyntaxError) {
        try take(bracket)
        depth -= 1
    }

    func unexpected(_ expected: String) -> GraphQLSyntaxError {
        GraphQLSyntaxError("expected \(expected), found \(token.found)", at: token.place)
    }
}

/// The limits for parsing a document. They protect the stack and the memory from any input.
struct SyntaxLimits: Sendable, Hashable {
    /// The maximum nesting of selection sets, lists and objects.
    let nesting: Int
    /// The maximum number of tokens in the document.
    let tokens: Int

    init(nesting: Int = 200, tokens: Int = 100_000) {
        self.nesting = nesting
        self.tokens = tokens
    }
}
