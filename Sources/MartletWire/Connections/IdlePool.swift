internal import MartletEngine
internal import MartletHTTP

/// The connections of one engine that carry no exchange. A value without I/O: its owner closes what it returns.
struct IdlePool {
    private let limit: Int
    private let maxIdleTime: Duration
    private let maxAge: Duration?
    private var connections: [String: [WireConnection]] = [:]
    private(set) var count = 0
    /// When the next connection may have been idle for too long.
    private(set) var nextDue: ContinuousClock.Instant?

    /// - Parameter limit: The maximum number of connections.
    init(limit: Int, maxIdleTime: Duration, maxAge: Duration?) {
        self.limit = limit
        self.maxIdleTime = max(maxIdleTime, .seconds(1))
        self.maxAge = maxAge
    }

    /// Adds a connection whose exchange has ended. Returns the connection to close.
    mutating func put(_ connection: WireConnection, at now: ContinuousClock.Instant) -> WireConnection? {
        if let maxAge, now - connection.opened > maxAge { return connection }
        connection.idleSince = now
        connections[connection.origin, default: []].append(connection)
        count += 1
        if nextDue == nil { nextDue = now + maxIdleTime }
        return count > limit ? takeOldest() : nil
    }

    /// Removes and returns the connection that was used last and that a request may use, and the connections to close.
    mutating func take(
        _ origin: String, at now: ContinuousClock.Instant, where mayUse: (WireConnection) -> Bool
    ) -> (WireConnection?, surplus: [WireConnection]) {
        guard let index = connections.index(forKey: origin) else { return (nil, []) }
        var surplus: [WireConnection] = []
        for place in connections.values[index].indices.reversed() {
            let connection = connections.values[index][place]
            let isTooOld = now - connection.idleSince > maxIdleTime || maxAge.map { now - connection.opened > $0 } ?? false
            guard isTooOld || mayUse(connection) else { continue }
            connections.values[index].remove(at: place)
            count -= 1
            if !isTooOld { return (connection, surplus) }
            surplus.append(connection)
        }
        if connections.values[index].isEmpty { connections.remove(at: index) }
        return (nil, surplus)
    }

    /// Removes a connection that was closed.
    mutating func remove(_ connection: WireConnection) {
        guard let place = connections[connection.origin]?.firstIndex(where: { $0 === connection }) else { return }
        connections[connection.origin]?.remove(at: place)
        count -= 1
        if connections[connection.origin]?.isEmpty == true { connections[connection.origin] = nil }
    }

    /// Removes and returns the connections that have been idle for too long.
    mutating func takeExpired(at now: ContinuousClock.Instant) -> [WireConnection] {
        guard let due = nextDue, due <= now else { return [] }
        var expired: [WireConnection] = []
        var oldest: ContinuousClock.Instant?
        for (origin, idle) in connections {
            let kept = idle.filter { now - $0.idleSince < maxIdleTime }
            expired += idle.filter { now - $0.idleSince >= maxIdleTime }
            connections[origin] = kept.isEmpty ? nil : kept
            if let first = kept.first?.idleSince { oldest = min(oldest ?? first, first) }
        }
        count -= expired.count
        nextDue = oldest.map { $0 + maxIdleTime }
        return expired
    }

    /// Removes and returns all connections.
    mutating func takeAll() -> [WireConnection] {
        defer { (connections, count, nextDue) = ([:], 0, nil) }
        return connections.values.flatMap(\.self)
    }

    /// Removes and returns the connection that has been idle for longest.
    mutating func takeOldest() -> WireConnection? {
        let oldest = connections.values.compactMap(\.first).min { $0.idleSince < $1.idleSince }
        if let oldest { remove(oldest) }
        return oldest
    }
}
