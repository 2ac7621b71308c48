/// Adds `__typename` to the selection sets of a document that lack it.
enum TypenameInsertion {
    private static let field = "__typename"

    /// Returns the UTF-8 offsets after the opening braces of those selection sets, in the order of the text.
    static func offsets(in document: ExecutableDocument) -> [Int] {
        let indices = Dictionary(document.fragments.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        func spreads(of set: SelectionSet) -> [Int] { rootLevel(of: set).spreads.compactMap { indices[$0] } }
        let graph = FragmentGraph(document.fragments.map { fragment in spreads(of: fragment.selectionSet).map { ($0, fragment.place) } })
        let atRoot = Set(graph.reachable(from: document.operations.flatMap { spreads(of: $0.selectionSet) }))

        var exempt = document.operations.map(\.selectionSet), all = exempt
        for (index, fragment) in document.fragments.enumerated() {
            all.append(fragment.selectionSet)
            if atRoot.contains(index) { exempt.append(fragment.selectionSet) }
        }
        let exemptOffsets = Set(exempt.flatMap { rootLevel(of: $0).sets.map(\.openBrace.offset) })
        var found: [Int] = []
        func look(at set: SelectionSet) {
            if !exemptOffsets.contains(set.openBrace.offset), !hasTypename(set) { found.append(set.openBrace.offset + 1) }
        }
        for set in all {
            look(at: set)
            set.forEachSelection { selection in selection.selectionSet.map(look) }
        }
        return found.sorted()
    }

    /// Returns a set and the inline fragments on its level, and the names of the fragments spread there.
    private static func rootLevel(of set: SelectionSet) -> (sets: [SelectionSet], spreads: [String]) {
        var sets: [SelectionSet] = [], spreads: [String] = [], waiting = [set]
        while let next = waiting.popLast() {
            sets.append(next)
            for selection in next.selections {
                switch selection {
                case .field: break
                case .spread(let spread): spreads.append(spread.name)
                case .inline(let fragment): waiting.append(fragment.selectionSet)
                }
            }
        }
        return (sets, spreads)
    }

    /// Whether each response contains the type name. A directive could leave it out.
    private static func hasTypename(_ set: SelectionSet) -> Bool {
        set.selections.contains { selection in
            guard case .field(let selected) = selection, selected.responseKey == field else { return false }
            return selected.directives.isEmpty || selected.name != field
        }
    }

    static func text(_ text: String, inserting offsets: [Int]) -> String {
        let bytes = Array(text.utf8), spaces: Set<UInt8> = Set(" \t\r\n".utf8)
        var result: [UInt8] = [], done = 0
        for offset in offsets {
            result += bytes[done..<offset]
            result += Array(" \(field)".utf8)
            if offset < bytes.count, !spaces.contains(bytes[offset]) { result.append(UInt8(ascii: " ")) }
            done = offset
        }
        result += bytes[done...]
        return String(decoding: result, as: UTF8.self)
    }
}
