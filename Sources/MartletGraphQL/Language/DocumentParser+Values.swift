extension DocumentParser {
    /// Parses zero or more directives (GraphQL, September 2025, §2.12).
    mutating func directives(isConstant: Bool) throws(GraphQLSyntaxError) -> [Directive] {
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
    mutating func arguments(isConstant: Bool) throws(GraphQLSyntaxError) -> [Argument] {
        guard token.isPunctuator("(") else { return [] }
        try enter()
        var arguments: [Argument] = []
        repeat {
            let expected = arguments.isEmpty ? "an argument's name" : "an argument's name or \")\""
            let name = try takeName(expected)
            try take(":")
            arguments.append(Argument(name: name, value: try value(isConstant: isConstant)))
        } while !token.isPunctuator(")")
        try leave(")")
        return arguments
    }

    /// Parses a required value (GraphQL, September 2025, §2.9).
    mutating func value(isConstant: Bool) throws(GraphQLSyntaxError) -> ValueLiteral {
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
                open[open.count - 1].name = try takeName("a field's name or \"}\"")
                try take(":")
            }
        }
    }

    /// A list or object whose end has not been reached.
    private struct OpenValue {
        let isList: Bool
        /// The name of the member parsed next.
        var name = ""
        var members: [Argument] = []

        init(isList: Bool) { self.isList = isList }

        var closing: String { isList ? "]" : "}" }

        var value: ValueLiteral { isList ? .list(members.map(\.value)) : .object(members) }

        mutating func add(_ value: ValueLiteral) { members.append(Argument(name: name, value: value)) }
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
