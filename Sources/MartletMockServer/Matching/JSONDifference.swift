/// A comparison of two JSON values.
package struct JSONDifference {
    /// The maximum number of differences in a report.
    private static let limit = 20

    private let isWhole: Bool
    private let isLiteral: Bool
    private var differences: [RequestDifference] = []

    private init(isWhole: Bool, isLiteral: Bool) {
        self.isWhole = isWhole
        self.isLiteral = isLiteral
    }

    /// Returns the places where two values differ, as JSON pointers (RFC 6901).
    ///
    /// - Parameters:
    ///   - isWhole: Whether members that only `found` has are differences too.
    ///   - isLiteral: Whether `expected` may come from a literal in Swift, whose numbers have only the digits of a `Double`.
    package static func between(expected: JSONValue, found: JSONValue, isWhole: Bool, isLiteral: Bool) -> [RequestDifference] {
        var comparison = JSONDifference(isWhole: isWhole, isLiteral: isLiteral)
        comparison.compare(expected, found, at: [])
        return comparison.differences
    }

    private mutating func compare(_ expected: JSONValue?, _ found: JSONValue?, at place: [String]) {
        guard differences.count < JSONDifference.limit else { return }
        switch (expected, found) {
        case (.object(let expected), .object(let found)):
            let names = isWhole ? Set(expected.keys).union(found.keys) : Set(expected.keys)
            for name in names.sorted() {
                compare(expected[name], found[name], at: place + [name])
            }
        case (.array(let expected), .array(let found)):
            for index in 0..<max(expected.count, found.count) {
                let pair = (expected.dropFirst(index).first, found.dropFirst(index).first)
                compare(pair.0, pair.1, at: place + ["\(index)"])
            }
        default:
            if let expected, let found, expected.equals(found, isLiteral: isLiteral) { return }
            let isSecret = place.contains { Redaction.isSecret($0) }
            let pointer = place.map { "/" + $0.escapedForPointer }.joined()
            let shown = { (value: JSONValue?) in value.map { isSecret ? Redaction.mask : $0.line } ?? "nothing" }
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
