#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where two JSON values differ.
enum JSONDifference {
    /// How many differences are told: a report is read by people.
    static let limit = 20

    /// The places that differ, as JSON pointers (RFC 6901); unless `isWhole`, members that only `found` has are let pass.
    static func between(expected: JSONValue, found: JSONValue, isWhole: Bool) -> [RequestDifference] {
        var differences: [RequestDifference] = []
        compare(expected, found, isWhole, at: [], into: &differences)
        return differences
    }

    private static func compare(
        _ expected: JSONValue?, _ found: JSONValue?, _ isWhole: Bool, at place: [String], into differences: inout [RequestDifference]
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
            guard !areEqual(expected, found) else { return }
            let isSecret = place.contains { Redaction.isSecret($0) }
            let pointer = place.map { "/" + $0.escapedForPointer }.joined()
            let shown = { (value: JSONValue?) in value.map { isSecret ? Redaction.mask : JSONText.line($0) } ?? "nothing" }
            differences.append(RequestDifference(part: "body \(pointer)".trimmed, expected: shown(expected), found: shown(found)))
        }
    }

    /// 1 and 1.0 are the same number.
    private static func areEqual(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        if one == other { return true }
        guard let one = one?.doubleValue, let other = other?.doubleValue else { return false }
        return one == other
    }
}

/// JSON values as text for people.
enum JSONText {
    /// In one line, with sorted keys, secrets hidden, cut when it is long.
    static func line(_ value: JSONValue) -> String { Redaction.line(text(value, []), limit: 200) }

    /// On many lines, with sorted keys; nothing is hidden.
    static func pretty(_ value: JSONValue) -> String { text(value, [.prettyPrinted]) }

    private static func text(_ value: JSONValue, _ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        guard let data = try? encoder.encode(value) else { return "a number that JSON has no word for" }
        return String(decoding: data, as: UTF8.self)
    }
}

extension String {
    fileprivate var escapedForPointer: String {
        reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }

    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
