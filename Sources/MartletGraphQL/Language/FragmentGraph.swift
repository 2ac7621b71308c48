/// The graph of fragments and their spreads, by index. It uses no recursion, because chains may be as long as the document has fragments.
package struct FragmentGraph: Sendable {
    package typealias Arrow = (target: Int, place: SourcePlace)

    private let arrows: [[Arrow]]

    package init(_ arrows: [[Arrow]]) { self.arrows = arrows }

    /// Returns paths from a fragment back to itself, with both ends, and the position of the spread that closes each of them.
    ///
    /// There is one for each spread that a depth-first search finds to lead back, so that without them no cycle is left.
    package func cycles(atMost limit: Int) -> [(path: [Int], place: SourcePlace)] {
        enum Visit { case none, open, done }
        var visits = [Visit](repeating: .none, count: arrows.count), found: [(path: [Int], place: SourcePlace)] = []
        for root in arrows.indices where visits[root] == .none {
            var path: [(node: Int, next: Int)] = [(root, 0)]
            visits[root] = .open
            while let (node, next) = path.last, found.count < limit {
                guard next < arrows[node].count else {
                    visits[node] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let arrow = arrows[node][next]
                switch visits[arrow.target] {
                case .done: continue
                case .none:
                    visits[arrow.target] = .open
                    path.append((arrow.target, 0))
                case .open:
                    found.append((path.map(\.node).drop { $0 != arrow.target } + [arrow.target], arrow.place))
                }
            }
        }
        return found
    }

    /// Returns the fragments that satisfy `isWanted`, and all fragments that spread one of them directly or indirectly.
    package func reaching(_ isWanted: (Int) -> Bool) -> Set<Int> {
        var sources = [[Int]](repeating: [], count: arrows.count)
        for (source, targets) in arrows.enumerated() { for arrow in targets { sources[arrow.target].append(source) } }
        var waiting = arrows.indices.filter(isWanted), found = Set(waiting)
        while let node = waiting.popLast() { waiting += sources[node].filter { found.insert($0).inserted } }
        return found
    }

    /// Returns `roots` and the fragments reachable from them, each once, passing only through `allowed`.
    package func reachable(from roots: [Int], within allowed: Set<Int>? = nil) -> [Int] {
        var seen: Set<Int> = [], found: [Int] = [], waiting = Array(roots.reversed())
        while let node = waiting.popLast() {
            guard allowed?.contains(node) ?? true, seen.insert(node).inserted else { continue }
            found.append(node)
            waiting += arrows[node].reversed().map(\.target)
        }
        return found
    }
}
