import Foundation
import Martlet
import MartletGraphQL

/// Answers with `@defer` and `@stream`: payloads of any kind, in any order.
enum GraphQLIncrementalChecks {
    private static let limits = IncrementalLimits(tree: JSONLimits(maxDepth: 16, maxValues: 2000), pending: 8, errors: 8)

    /// Each line is a payload.
    static func merging(_ bytes: [UInt8]) {
        var merger = IncrementalMerger(limits: limits), seen = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let tree = reading(Data(line)) else { continue }
            let before = merger
            do {
                let hasChanged = try merger.merge(tree)
                promise(hasChanged || before.data == merger.data, "the data have changed, and it was not told")
            } catch {
                // After an error it is of no use, and must not trap either.
                _ = try? merger.merge(tree)
                return
            }
            seen += tree.valueCount
            promise(merger.pendingCount <= limits.pending && merger.errors.count <= limits.errors, "a limit was passed")
            promise(before.errors == Array(merger.errors.prefix(before.errors.count)), "errors were lost")
            promise((merger.data?.valueCount ?? 0) <= seen, "there are more data than came")
            // Merged data are read as they were written, if as many levels are allowed as a path and a payload have together.
            guard let data = merger.data else { continue }
            let again = try? ResponseTree(parsing: data.json, limits: JSONLimits(maxDepth: 33, maxValues: 4_000_000))
            promise(again == data, "what was merged is not read as it was written")
        }
    }

    /// A tree, which is what another reader of JSON makes of the bytes too.
    private static func reading(_ json: Data) -> ResponseTree? {
        guard let tree = try? ResponseTree(parsing: json, limits: limits.tree) else { return nil }
        promise((try? ResponseTree(parsing: tree.json, limits: limits.tree)) == tree, "a tree is not read as it was written")
        // Numbers beyond its types, and names that it takes for one, are its own affair.
        if let other = try? JSONValue(parsing: json) { promise(isSame(tree, other), "two readers of JSON differ") }
        return tree
    }

    private static func isSame(_ tree: ResponseTree, _ other: JSONValue) -> Bool {
        switch (tree, other) {
        case (.null, .null), (.number, .integer), (.number, .number): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.list(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        // Names that are equivalent in Unicode are one name here and several there.
        case (.object(let left), .object(let right)): Set(left.keys) == Set(right.keys)
        default: false
        }
    }
}
