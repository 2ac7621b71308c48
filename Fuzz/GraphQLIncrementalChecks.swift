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
            let again = try? JSONValue(payload: data.json, limits: JSONLimits(maxDepth: 33, maxValues: 4_000_000))
            promise(again == data, "what was merged is not read as it was written")
        }
    }

    /// A tree, which equals what the bytes are as a value that need not be a payload.
    private static func reading(_ json: Data) -> JSONValue? {
        guard let tree = try? JSONValue(payload: json, limits: limits.tree) else { return nil }
        promise((try? JSONValue(payload: tree.json, limits: limits.tree)) == tree, "a tree is not read as it was written")
        if let other = try? JSONValue(parsing: json) { promise(tree == other, "a payload is read as other JSON") }
        return tree
    }
}
