/// Where two JSON values differ.
enum JSONDifference {
    /// How many differences are told: a report is read by people.
    static let limit = 20

    /// The places that differ, as JSON pointers (RFC 6901); unless `isWhole`, members that only `found` has are let pass.
    static func between(expected: ComparedJSON, found: ComparedJSON, isWhole: Bool) -> [RequestDifference] {
        var differences: [RequestDifference] = []
        compare(expected, found, isWhole, at: [], into: &differences)
        return differences
    }

    private static func compare(
        _ expected: ComparedJSON?, _ found: ComparedJSON?, _ isWhole: Bool, at place: [String], into differences: inout [RequestDifference]
    ) {
        guard differences.count < limit else { return }
        switch (expected, found) {
        case (.object(let expected), .object(let found)):
            let names = isWhole ? Set(expected.keys).union(found.keys) : Set(expected.keys)
            for name in names.sorted() {
                compare(expected[name], found[name], isWhole, at: place + [name], into: &differences)
            }
        case (.array(let expected), .array(let found)):
            for index in 0..<max(expected.count, found.count) {
                let pair = (expected.dropFirst(index).first, found.dropFirst(index).first)
                compare(pair.0, pair.1, isWhole, at: place + ["\(index)"], into: &differences)
            }
        default:
            guard expected != found else { return }
            let isSecret = place.contains { Redaction.isSecret($0) }
            let pointer = place.map { "/" + $0.escapedForPointer }.joined()
            let shown = { (value: ComparedJSON?) in value.map { isSecret ? Redaction.mask : $0.line } ?? "nothing" }
            differences.append(
                RequestDifference(part: "body \(Redaction.line(pointer))".trimmed, expected: shown(expected), found: shown(found)))
        }
    }
}

extension String {
    fileprivate var escapedForPointer: String {
        reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }

    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
