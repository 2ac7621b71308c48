/// Which fragment spreads which, by their numbers. Nothing here calls itself: chains may be as long as a document has fragments.
struct FragmentGraph {
    typealias Arrow = (target: Int, place: SourcePlace)

    private let arrows: [[Arrow]]

    init(_ arrows: [[Arrow]]) { self.arrows = arrows }

    /// A way from a fragment back to itself, with both ends, and the spread that closes it.
    func firstCycle() -> (path: [Int], place: SourcePlace)? {
        enum Visit { case none, open, done }
        var visits = [Visit](repeating: .none, count: arrows.count)
        for root in arrows.indices where visits[root] == .none {
            var path: [(node: Int, next: Int)] = [(root, 0)]
            visits[root] = .open
            while let (node, next) = path.last {
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
                    return (path.map(\.node).drop { $0 != arrow.target } + [arrow.target], arrow.place)
                }
            }
        }
        return nil
    }

    /// The fragments of which `isWanted` is true, and those that spread one of these, however far away.
    func reaching(_ isWanted: (Int) -> Bool) -> Set<Int> {
        var sources = [[Int]](repeating: [], count: arrows.count)
        for (source, targets) in arrows.enumerated() { for arrow in targets { sources[arrow.target].append(source) } }
        var waiting = arrows.indices.filter(isWanted), found = Set(waiting)
        while let node = waiting.popLast() { waiting += sources[node].filter { found.insert($0).inserted } }
        return found
    }

    /// Each fragment that `roots` lead to, themselves among them, once, going through `allowed` only.
    func reachable(from roots: [Int], within allowed: Set<Int>? = nil) -> [Int] {
        var seen: Set<Int> = [], found: [Int] = [], waiting = Array(roots.reversed())
        while let node = waiting.popLast() {
            guard allowed?.contains(node) ?? true, seen.insert(node).inserted else { continue }
            found.append(node)
            waiting += arrows[node].reversed().map(\.target)
        }
        return found
    }
}
