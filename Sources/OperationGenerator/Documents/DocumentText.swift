internal import EndpointGenerator
internal import MartletGraphQL

/// The text of a definition in short lines, in which each spread of a fragment is an interpolation.
struct DocumentText {
    private enum Piece {
        case text(String)
        case spread(name: String, type: String)
    }

    private var lines: [[Piece]] = [[]]
    private var width = 0
    private var word: [Piece] = []
    /// The offsets of the braces of the selection sets that `__typename` is added to.
    private let typenames: Set<Int>
    private let names: TopLevelNames

    private init(_ typenames: Set<Int>, _ names: TopLevelNames) {
        self.typenames = typenames
        self.names = names
    }

    init(_ operation: OperationDefinition, name: String, typenames: Set<Int>, _ names: TopLevelNames) throws(OperationGeneratorError) {
        self.init(typenames, names)
        add(operation.kind.rawValue)
        end()
        add(name)
        list(operation.variables) { text, variable in
            text.add("$\(variable.name): \(variable.type)")
            if let value = variable.defaultValue {
                text.add(" = ")
                text.add(value)
            }
            text.add(variable.directives)
        }
        add(operation.directives)
        try add(operation.selectionSet)
        end()
    }

    init(_ fragment: FragmentDefinition, typenames: Set<Int>, _ names: TopLevelNames) throws(OperationGeneratorError) {
        self.init(typenames, names)
        for part in ["fragment", fragment.name, "on", fragment.typeCondition] {
            add(part)
            end()
        }
        add(fragment.directives)
        try add(fragment.selectionSet)
        end()
    }

    // MARK: Results

    /// The lines of a literal of Swift.
    var literalLines: [String] {
        lines.map { line in
            line.map { piece in
                switch piece {
                case .text(let text): Self.escaped(text)
                case .spread(_, let type): "\\(\(type).fragment)"
                }
            }.joined()
        }
    }

    /// Returns the text in a literal of Swift. A combining mark after a backslash does not change it for the compiler.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        return String(text.unicodeScalars.replacing("\\".unicodeScalars, with: "\\\\".unicodeScalars))
    }

    /// Returns the document or fragment of the literal, with the fragments that it spreads.
    func interpolation(_ fragments: [String: GraphQLFragment]) throws(OperationGeneratorError) -> GraphQLInterpolation {
        var result = GraphQLInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, line) in lines.enumerated() {
            if index > 0 { result.appendLiteral("\n") }
            for piece in line {
                switch piece {
                case .text(let text): result.appendLiteral(text)
                case .spread(let name, _): result.appendInterpolation(try fragments[name].known("the fragment \"\(name)\""))
                }
            }
        }
        return result
    }

    /// The fragments that the definition spreads, each once.
    var spreads: [String] {
        var seen: Set<String> = []
        return lines.joined().compactMap { piece in if case .spread(let name, _) = piece, seen.insert(name).inserted { name } else { nil } }
    }

    // MARK: Words

    private static let maxWidth = 130

    private mutating func add(_ text: String) { word.append(.text(text)) }

    /// Ends a word. It is written in the current line, if there is room.
    private mutating func end() {
        guard !word.isEmpty else { return }
        let length = word.reduce(0) { length, piece in
            switch piece {
            case .text(let text): length + text.utf8.count
            case .spread(_, let type): length + type.utf8.count + "\\(.fragment)".utf8.count
            }
        }
        if width > 0, width + 1 + length > Self.maxWidth {
            lines.append([])
            width = 0
        }
        if width > 0 { lines[lines.count - 1].append(.text(" ")) }
        lines[lines.count - 1] += word
        width += length + (width > 0 ? 1 : 0)
        word = []
    }

    private mutating func list<Element>(_ elements: [Element], _ write: (inout DocumentText, Element) -> Void) {
        guard !elements.isEmpty else { return }
        add("(")
        for (index, element) in elements.enumerated() {
            if index > 0 {
                add(",")
                end()
            }
            write(&self, element)
        }
        add(")")
    }

    // MARK: Parts

    private mutating func add(_ set: SelectionSet) throws(OperationGeneratorError) {
        end()
        add("{")
        end()
        if typenames.contains(set.openBrace.offset) {
            add("__typename")
            end()
        }
        for selection in set.selections {
            switch selection {
            case .field(let field):
                add((field.alias.map { "\($0): " } ?? "") + field.name)
                add(field.arguments)
                add(field.directives)
                if let below = field.selectionSet { try add(below) }
            case .spread(let spread):
                word.append(.spread(name: spread.name, type: try names.fragment(spread.name)))
                add(spread.directives)
            case .inline(let fragment):
                add("..." + (fragment.typeCondition.map { " on \($0)" } ?? ""))
                add(fragment.directives)
                try add(fragment.selectionSet)
            }
            end()
        }
        add("}")
        end()
    }

    private mutating func add(_ directives: [Directive]) {
        for directive in directives {
            end()
            add("@\(directive.name)")
            add(directive.arguments)
        }
    }

    private mutating func add(_ arguments: [Argument]) {
        list(arguments) { text, argument in
            text.add("\(argument.name): ")
            text.add(argument.value)
        }
    }

    private mutating func add(_ value: ValueLiteral) {
        switch value {
        case .variable(let name, _): add("$\(name)")
        case .integer(let text), .float(let text), .enumeration(let text): add(text)
        case .string(let text): add(Self.quoted(text))
        case .boolean(let value): add(value ? "true" : "false")
        case .null: add("null")
        case .list(let elements):
            add("[")
            for (index, element) in elements.enumerated() {
                if index > 0 {
                    add(",")
                    end()
                }
                add(element)
            }
            add("]")
        case .object(let members):
            add("{")
            for (index, member) in members.enumerated() {
                if index > 0 {
                    add(",")
                    end()
                }
                add("\(member.name): ")
                add(member.value)
            }
            add("}")
        }
    }

    /// Returns a string of GraphQL in one line. Characters that a reader does not see are escaped.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where SourceText.isInvisible(scalar):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: true)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
