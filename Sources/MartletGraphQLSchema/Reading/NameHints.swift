/// Finds names like a misspelled one, for hints in messages.
package struct NameHints {
    private let candidates: [String]
    /// How many more hints are computed. Each compares the name with every candidate, and hostile input may have many unknown names.
    private var remaining: Int

    /// - Parameters:
    ///   - candidates: The names that exist. Those like a name are given in this order if they are equally like it.
    ///   - limit: The maximum number of hints. Default: 100.
    package init(_ candidates: some Sequence<String>, limit: Int = 100) {
        self.candidates = Array(candidates)
        remaining = limit
    }

    /// Returns a question with the names like one of many, or nil if none is like it.
    static func question(for name: String, among names: [String], prefix: String = "") -> String? {
        var seen: Set<String> = []
        var hints = NameHints(names.filter { seen.insert($0).inserted })
        return question(hints.similar(to: name).map { prefix + $0 })
    }

    /// Returns `did you mean "name"?` with the first three names, or nil without names.
    static func question(_ names: [String]) -> String? {
        let shown = names.prefix(3).map { "\"\($0)\"" }
        guard let last = shown.last else { return nil }
        let before = shown.dropLast().joined(separator: ", ")
        return "did you mean \(before.isEmpty ? last : "\(before) or \(last)")?"
    }

    /// Returns ` (did you mean "name"?)`, or an empty string if no candidate is like the name.
    package mutating func text(for name: String, prefix: String = "") -> String {
        Self.question(similar(to: name).map { prefix + $0 }).map { " (\($0))" } ?? ""
    }

    /// Returns the candidates like a name, the most similar first.
    package mutating func similar(to name: String) -> [String] {
        // Longer names are not compared: the time is the product of both lengths.
        let maxLength = 100, bytes = Array(name.utf8)
        guard remaining > 0, !bytes.isEmpty, bytes.count <= maxLength else { return [] }
        remaining -= 1
        // A name of one character is like no other.
        let limit = min(bytes.count * 2 / 5 + 1, bytes.count - 1)
        var found: [(name: String, distance: Int)] = []
        for candidate in candidates where candidate != name {
            let other = Array(candidate.utf8)
            guard abs(other.count - bytes.count) <= limit, other.count <= maxLength else { continue }
            let distance = Self.distance(bytes, other)
            if distance <= limit { found.append((candidate, distance)) }
        }
        // A stable sort: `enumerated` keeps the order of candidates that are equally like the name.
        return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.map(\.element.name)
    }

    /// The number of characters to insert, delete, replace or swap with the next one. Names that differ only in case have the distance 0.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        let left = one.map(lowercased), right = other.map(lowercased)
        if left == right { return 0 }
        var before: [Int] = [], last = Array(0...right.count), row = last
        for i in 1...left.count {
            row[0] = i
            for j in stride(from: 1, through: right.count, by: 1) {
                let cost = left[i - 1] == right[j - 1] ? 0 : 1
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] { row[j] = min(row[j], before[j - 2] + 1) }
            }
            (before, last, row) = (last, row, last)
        }
        return last[right.count]
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte }
}
