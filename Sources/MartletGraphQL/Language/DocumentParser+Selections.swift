extension DocumentParser {
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
        var type: String?
        if token.isName("on") {
            try advance()
            type = try takeName("a type's name")
        } else if !token.isPunctuator("@"), !token.isPunctuator("{") {
            throw unexpected("a fragment's name, \"on\", a directive or \"{\"")
        }
        let typeCondition = type, directives = try directives(isConstant: false)
        return .begun { set in
            .inline(InlineFragment(typeCondition: typeCondition, directives: directives, selectionSet: set, place: place))
        }
    }
}
