/// Parses definitions. `DocumentParser+Selections` and `DocumentParser+Values` parse their contents.
package struct DocumentParser {
    private var lexer: Lexer
    private let limits: SyntaxLimits
    private var tokens = 0
    private var depth = 0
    package private(set) var token: Token

    /// - Parameter offset: The offset of the text's first byte in positions. Default: 0.
    package init(_ text: String, limits: SyntaxLimits, offset: Int = 0) throws(GraphQLSyntaxError) {
        lexer = Lexer(text, offset: offset)
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
        let typePlace = token.place
        let typeCondition = try takeName("a type's name")
        let directives = try directives(isConstant: false)
        return FragmentDefinition(
            name: name, typeCondition: typeCondition, directives: directives, selectionSet: try selectionSet(), place: place,
            typePlace: typePlace)
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
            let typePlace = token.place
            let type = try typeReference()
            var defaultValue: ValueLiteral?
            if token.isPunctuator("=") {
                try advance()
                defaultValue = try value(isConstant: true)
            }
            let directives = try directives(isConstant: true)
            variables.append(
                VariableDefinition(
                    name: name, type: type, defaultValue: defaultValue, directives: directives, place: place, typePlace: typePlace))
        } while !token.isPunctuator(")")
        try advance()
        return variables
    }

    package mutating func typeReference() throws(GraphQLSyntaxError) -> TypeReference {
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

    /// Parses a required selection set (GraphQL, September 2025, §2.4).
    ///
    /// Open sets are kept in an array: two hundred recursive calls would exceed the stack of a small thread.
    mutating func selectionSet() throws(GraphQLSyntaxError) -> SelectionSet {
        var open = [try openSelectionSet { _ in nil }]
        while true {
            let last = open.count - 1
            guard token.isPunctuator("}"), !open[last].selections.isEmpty else {
                switch try selection(isFirst: open[last].selections.isEmpty) {
                case .whole(let selection): open[last].selections.append(selection)
                case .begun(let finish): open.append(try openSelectionSet(finish))
                }
                continue
            }
            try leave("}")
            let closed = open.removeLast()
            let set = SelectionSet(selections: closed.selections, openBrace: closed.place)
            guard let selection = closed.finish(set) else { return set }
            open[last - 1].selections.append(selection)
        }
    }

    private struct OpenSelectionSet {
        let place: SourcePlace
        /// Makes the selection that the set belongs to. Returns nil for the outermost set.
        let finish: (SelectionSet) -> Selection?
        var selections: [Selection] = []
    }

    private enum SelectionStart {
        case whole(Selection)
        /// Makes the selection when its selection set, which follows, has been parsed.
        case begun((SelectionSet) -> Selection)
    }

    private mutating func openSelectionSet(
        _ finish: @escaping (SelectionSet) -> Selection?
    ) throws(GraphQLSyntaxError) -> OpenSelectionSet {
        let place = token.place
        guard token.isPunctuator("{") else { throw unexpected("\"{\"") }
        try enter()
        return OpenSelectionSet(place: place, finish: finish)
    }

    private mutating func selection(isFirst: Bool) throws(GraphQLSyntaxError) -> SelectionStart {
        if token.isPunctuator("...") { return try fragmentSelection() }
        let place = token.place
        let first = try takeName(isFirst ? "a field or \"...\"" : "a field, \"...\" or \"}\"")
        var second: String?
        if token.isPunctuator(":") {
            try advance()
            second = try takeName("a field's name")
        }
        let name = second ?? first, alias = second == nil ? nil : first
        let arguments = try arguments(isConstant: false)
        let directives = try directives(isConstant: false)
        let finish = { (set: SelectionSet?) in
            Selection.field(
                FieldSelection(alias: alias, name: name, arguments: arguments, directives: directives, selectionSet: set, place: place))
        }
        return token.isPunctuator("{") ? .begun(finish) : .whole(finish(nil))
    }

    private mutating func fragmentSelection() throws(GraphQLSyntaxError) -> SelectionStart {
        let place = token.place
        try advance()
        if token.kind == .name, token.text != "on" {
            let name = try takeName("a fragment's name")
            return .whole(.spread(FragmentSpread(name: name, directives: try directives(isConstant: false), place: place)))
        }
        var type: String?, typePlace = place
        if token.isName("on") {
            try advance()
            typePlace = token.place
            type = try takeName("a type's name")
        } else if !token.isPunctuator("@"), !token.isPunctuator("{") {
            throw unexpected("a fragment's name, \"on\", a directive or \"{\"")
        }
        let directives = try directives(isConstant: false)
        return .begun { [type, typePlace] set in
            .inline(
                InlineFragment(typeCondition: type, directives: directives, selectionSet: set, place: place, typePlace: typePlace))
        }
    }

    /// Parses zero or more directives (GraphQL, September 2025, §2.12).
    package mutating func directives(isConstant: Bool) throws(GraphQLSyntaxError) -> [Directive] {
        var directives: [Directive] = []
        while token.isPunctuator("@") {
            let place = token.place
            try advance()
            let name = try takeName("a directive's name")
            directives.append(Directive(name: name, arguments: try arguments(isConstant: isConstant), place: place))
        }
        return directives
    }

    /// Parses optional arguments (GraphQL, September 2025, §2.6).
    package mutating func arguments(isConstant: Bool) throws(GraphQLSyntaxError) -> [Argument] {
        guard token.isPunctuator("(") else { return [] }
        try enter()
        var arguments: [Argument] = []
        repeat {
            let expected = arguments.isEmpty ? "an argument's name" : "an argument's name or \")\""
            let place = token.place
            let name = try takeName(expected)
            try take(":")
            arguments.append(Argument(name: name, value: try value(isConstant: isConstant), place: place))
        } while !token.isPunctuator(")")
        try leave(")")
        return arguments
    }

    /// Parses a required value (GraphQL, September 2025, §2.9).
    package mutating func value(isConstant: Bool) throws(GraphQLSyntaxError) -> ValueLiteral {
        var open: [OpenValue] = []
        while true {
            if token.isPunctuator("[") || token.isPunctuator("{") {
                open.append(OpenValue(isList: token.text == "["))
                try enter()
            } else {
                let value = try scalar(isConstant: isConstant)
                if open.isEmpty { return value }
                open[open.count - 1].add(value)
            }
            while let last = open.last, token.isPunctuator(last.closing) {
                try leave(last.closing)
                open.removeLast()
                if open.isEmpty { return last.value }
                open[open.count - 1].add(last.value)
            }
            if let last = open.last, !last.isList {
                open[open.count - 1].place = token.place
                open[open.count - 1].name = try takeName("a field's name or \"}\"")
                try take(":")
            }
        }
    }

    /// A list or object whose end has not been reached.
    private struct OpenValue {
        let isList: Bool
        /// The name of the member parsed next, and its position.
        var name = "", place = SourcePlace.start
        var members: [Argument] = []

        init(isList: Bool) { self.isList = isList }

        var closing: String { isList ? "]" : "}" }

        var value: ValueLiteral { isList ? .list(members.map(\.value)) : .object(members) }

        mutating func add(_ value: ValueLiteral) { members.append(Argument(name: name, value: value, place: place)) }
    }

    private mutating func scalar(isConstant: Bool) throws(GraphQLSyntaxError) -> ValueLiteral {
        if token.isPunctuator("$"), !isConstant { return try variable() }
        let value: ValueLiteral
        switch token.kind {
        case .integer: value = .integer(token.text)
        case .float: value = .float(token.text)
        case .string: value = .string(token.text)
        case .name: value = Self.named(token.text)
        case .punctuator, .stray, .end: throw unexpected(isConstant ? "a value without variables" : "a value")
        }
        try advance()
        return value
    }

    private static func named(_ name: String) -> ValueLiteral {
        switch name {
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "null": .null
        default: .enumeration(name)
        }
    }

    private mutating func variable() throws(GraphQLSyntaxError) -> ValueLiteral {
        let place = token.place
        try advance()
        return .variable(try takeName("a variable's name"), place)
    }
}

extension DocumentParser {
    package mutating func advance() throws(GraphQLSyntaxError) {
        token = try lexer.next()
        tokens += 1
        if tokens > limits.tokens, token.kind != .end {
            throw GraphQLSyntaxError("expected at most \(limits.tokens) tokens, found more", at: token.place)
        }
    }

    /// Skips a required token.
    package mutating func take(_ punctuator: String) throws(GraphQLSyntaxError) {
        guard token.isPunctuator(punctuator) else { throw unexpected("\"\(punctuator)\"") }
        try advance()
    }

    /// Returns the required name at this point. Error messages describe it as `expected`.
    package mutating func takeName(_ expected: String) throws(GraphQLSyntaxError) -> String {
        guard token.kind == .name else { throw unexpected(expected) }
        let name = token.text
        try advance()
        return name
    }

    /// Skips an opening bracket. Throws if the nesting exceeds the limit.
    package mutating func enter() throws(GraphQLSyntaxError) {
        depth += 1
        guard depth <= limits.nesting else {
            throw GraphQLSyntaxError("expected at most \(limits.nesting) levels of nesting, found more", at: token.place)
        }
        try advance()
    }

    /// Skips the closing bracket of the current level.
    package mutating func leave(_ bracket: String) throws(GraphQLSyntaxError) {
        try take(bracket)
        depth -= 1
    }

    package func unexpected(_ expected: String) -> GraphQLSyntaxError {
        GraphQLSyntaxError("expected \(expected), found \(token.found)", at: token.place)
    }
}

/// The limits for parsing a document. They protect the stack and the memory from any input.
package struct SyntaxLimits: Sendable, Hashable {
    /// The maximum nesting of selection sets, lists and objects.
    package let nesting: Int
    /// The maximum number of tokens in the document.
    package let tokens: Int

    package init(nesting: Int = 200, tokens: Int = 100_000) {
        self.nesting = nesting
        self.tokens = tokens
    }
}
