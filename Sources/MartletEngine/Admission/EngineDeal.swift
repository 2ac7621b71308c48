package import MartletHTTP

/// Chooses the engine for a request, and divides the limits of a transport among its engines. A value without I/O.
///
/// Each origin has a first engine. Its requests go there while fewer than ``fill`` of them run there and the engine has room, so that they
/// reuse its connections, then to the next engine. When all engines have that many, the one with the fewest requests gets the next. The
/// requests of an origin with HTTP/2 go to the next engine only when a connection is full. The requests of a task that an engine's thread
/// runs go to that engine.
package struct EngineDeal: Sendable {
    /// The number of requests to one origin that run on an engine before the next engine gets some.
    package static let fill = 32

    /// An engine's part of the limits on connections. `Int.max` means no limit.
    package struct Share: Hashable, Sendable {
        package var perOrigin: Int
        package var total: Int
        package var idle: Int

        /// The number of concurrent requests up to which no request waits for a connection.
        package var capacity: Int { min(perOrigin, total) }
    }

    /// The parts of the engines, which add up to the limits.
    package let shares: [Share]
    /// The number of engines that the requests to one origin may use. It is lower than the number of engines only if the limit for an
    /// origin is.
    package let span: Int

    /// Divides the limits. A limit of 0 or less means no limit, except for idle connections, of which each engine keeps at least one.
    ///
    /// There are fewer engines than wanted if the limits do not allow a connection, or an idle one, for each.
    package init(engines: Int, perOrigin: Int, total: Int, idle: Int = .max) {
        let count = max(1, min(engines, total > 0 ? total : .max, max(1, idle)))
        func part(_ limit: Int, of engine: Int) -> Int {
            limit > 0 ? limit / count + (engine < limit % count ? 1 : 0) : .max
        }
        span = perOrigin > 0 ? min(count, perOrigin) : count
        shares = (0..<count).map { engine in
            // An origin with a limit lower than the number of engines has one connection on each of the engines that it may use.
            Share(
                perOrigin: max(1, part(perOrigin, of: engine)), total: part(total, of: engine), idle: max(1, part(max(1, idle), of: engine))
            )
        }
    }

    package init(_ configuration: TransportConfiguration) {
        self.init(
            engines: configuration.engines, perOrigin: configuration.maxConnectionsPerOrigin, total: configuration.maxConnections,
            idle: configuration.maxIdleConnections)
    }

    package var engines: Int { shares.count }

    /// The first engine for the requests to an origin. It is the same for the lifetime of a transport, and origins spread over the engines.
    package func first(for origin: String) -> Int {
        guard engines > 1 else { return 0 }
        // FNV-1a, and a step that lets each bit depend on all bytes: origins often differ only in the last one.
        var hash = origin.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        return Int(hash >> 33) % engines
    }

    /// Returns the engine for a request, or nil if none of the origin's engines has room.
    ///
    /// - Parameters:
    ///   - first: The origin's first engine.
    ///   - preferred: The engine that gets the request if the origin may use it and it has room.
    ///   - running: The origin's requests on each engine.
    ///   - load: The requests of all origins on each engine.
    ///   - fill: The number of requests on an engine at which the next one gets some.
    ///   - hasRoom: Whether an engine has room for the request.
    package func engine(
        from first: Int, preferring preferred: Int? = nil, running: EngineCounts, load: EngineCounts, fill: Int = EngineDeal.fill,
        hasRoom: (Int) -> Bool
    ) -> Int? {
        if let preferred, (preferred - first + engines) % engines < span, hasRoom(preferred) { return preferred }
        var best: Int?
        for step in 0..<span {
            let engine = engines == 1 ? 0 : (first + step) % engines
            guard hasRoom(engine) else { continue }
            if engines == 1 || running[engine] < fill { return engine }
            if let other = best, load[other] <= load[engine] { continue }
            best = engine
        }
        return best
    }

    /// Whether a condition holds for at least one of the engines that an origin may use.
    package func contains(from first: Int, where holds: (Int) -> Bool) -> Bool {
        (0..<span).contains { holds(engines == 1 ? 0 : (first + $0) % engines) }
    }
}

/// A number for each engine. It allocates no memory for a single engine.
package struct EngineCounts: Sendable {
    private var first = 0
    private var others: [Int] = []

    package init(engines: Int) {
        if engines > 1 { others = Array(repeating: 0, count: engines - 1) }
    }

    package subscript(engine: Int) -> Int {
        get { engine == 0 ? first : others[engine - 1] }
        set { if engine == 0 { first = newValue } else { others[engine - 1] = newValue } }
    }

    /// The numbers in the order of the engines.
    package var all: [Int] { [first] + others }
}
