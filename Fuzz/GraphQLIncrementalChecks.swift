import Foundation

@testable import Martlet
@testable import MartletGraphQL

/// Checks responses with `@defer` and `@stream`: payloads of any kind in any order.
enum GraphQLIncrementalChecks {
    private static let limits = IncrementalLimits(tree: JSONLimits(maxDepth: 16, maxValues: 2000), pending: 8, errors: 8)

    /// Merges the lines, each as one payload.
    static func merging(_ bytes: [UInt8]) {
        var merger = IncrementalMerger(limits: limits), seen = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let tree = reading(Data(line)) else { continue }
            let before = merger
            do {
                let hasChanged = try merger.merge(tree)
                promise(hasChanged || before.data == merger.data, "the data changed, but merge returned false")
            } catch {
                // After an error the merger is unusable, but it must not trap.
                _ = try? merger.merge(tree)
                return
            }
            seen += tree.valueCount
            promise(merger.pendingCount <= limits.pending && merger.errors.count <= limits.errors, "a limit was exceeded")
            promise(before.errors == Array(merger.errors.prefix(before.errors.count)), "errors were lost")
            promise((merger.data?.valueCount ?? 0) <= seen, "the merged data have more values than the payloads")
            // Merged data parse again with a depth limit that allows the levels of a path plus those of a payload.
            guard let data = merger.data else { continue }
            let again = try? JSONValue(payload: data.json, limits: JSONLimits(maxDepth: 33, maxValues: 4_000_000))
            promise(again == data, "written merged data parse as another value")
        }
    }

    /// Parses a payload and checks that the general JSON parser reads the same value.
    private static func reading(_ json: Data) -> JSONValue? {
        guard let tree = try? JSONValue(payload: json, limits: limits.tree) else { return nil }
        promise((try? JSONValue(payload: tree.json, limits: limits.tree)) == tree, "a written payload parses as another value")
        if let other = try? JSONValue(parsing: json) { promise(tree == other, "a payload parses differently from other JSON") }
        return tree
    }
}
