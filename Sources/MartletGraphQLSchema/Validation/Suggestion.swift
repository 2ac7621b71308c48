/// The hints of violations.
enum Suggestion {
    /// Returns a hint with the names like an unknown one, or nil if no name is like it.
    static func hint(for name: String, among names: [String], prefix: String = "") -> String? {
        var seen: Set<String> = []
        var hints = NameHints(names.filter { seen.insert($0).inserted })
        return text(hints.similar(to: name).map { prefix + $0 })
    }

    /// Returns a hint with the first names.
    static func text(_ names: [String]) -> String? {
        let shown = names.prefix(3).map { "\"\($0)\"" }
        guard let last = shown.last else { return nil }
        let before = shown.dropLast().joined(separator: ", ")
        return "did you mean \(before.isEmpty ? last : "\(before) or \(last)")?"
    }
}
