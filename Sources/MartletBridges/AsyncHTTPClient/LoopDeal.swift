#if AsyncHTTPClient
/// Deals the requests of a transport to event loops.
///
/// Otherwise a request would often run on one loop over a connection of another, and wake both threads for each event. Requests go to the
/// first loop until `fullAt` of them run there, so that they reuse its connections; then to the next, and to the one with the fewest when
/// all are full.
struct LoopDeal: Sendable, Hashable {
    private let fullAt: Int
    private(set) var running: [Int]

    /// - Parameters:
    ///   - loops: The number of event loops that there are.
    ///   - engines: The number of loops that may be used.
    ///   - connections: The limit on connections to one origin, or 0 for none.
    init(loops: Int, engines: Int, connections: Int) {
        let count = max(1, min(loops, engines, connections > 0 ? connections : Int.max))
        running = Array(repeating: 0, count: count)
        fullAt = min(32, LoopDeal.part(of: connections > 0 ? connections : Int.max, of: count))
    }

    /// Returns each loop's part of a limit, at least 1. The parts together do not exceed the limit.
    static func part(of limit: Int, of count: Int) -> Int { max(1, limit / max(1, count)) }

    /// Returns the loop for a request, which runs there until ``end(_:)``.
    mutating func begin() -> Int {
        let place = running.firstIndex { $0 < fullAt } ?? running.indices.min { running[$0] < running[$1] } ?? 0
        running[place] += 1
        return place
    }

    mutating func end(_ place: Int) { running[place] -= 1 }
}
#endif
