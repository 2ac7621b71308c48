/// A request that an ``Admission`` admits.
package protocol AdmittedWork: AnyObject, Sendable {}

/// Decides which requests may use a connection now, on which engine, and which wait, so that an origin that hangs delays only its own
/// requests.
///
/// The number of connections is limited per origin and in total. Requests to one origin run in the order of their arrival. Origins that
/// wait because of the total take turns. libcurl has the same limits, but a single queue for all origins.
///
/// Requests are not generic: a generic class would look up the metadata of its types at each step in other modules.
///
/// Several engines share one admission. A request waits for none of them in particular: it runs on the first engine that has room.
package final class Admission {
    // Proof: accesses to the properties are not checked for overlaps, because every call makes many. Each is a read, an assignment, or a
    // method of a value that calls nothing outside it.

    /// The number of concurrent requests on one HTTP/2 connection. libcurl enforces it.
    static let streamsPerConnection = 100

    /// The position of a waiting request.
    package struct Ticket: Hashable {
        fileprivate let origin: String
        fileprivate let number: UInt64
    }

    /// The result for a new request.
    package enum Entry {
        /// It may run on this engine.
        case admitted(engine: Int)
        case waiting(Ticket)
    }

    private final class Line {
        /// The engine at which the deal begins.
        let first: Int
        /// The running requests on each engine.
        @exclusivity(unchecked) var running: EngineCounts
        @exclusivity(unchecked) var isMultiplexed = false
        /// Whether the origin is in `turns`.
        @exclusivity(unchecked) var isInTurns = false
        @exclusivity(unchecked) var waiting = LinkedQueue<any AdmittedWork>()

        init(first: Int, engines: Int) {
            self.first = first
            running = EngineCounts(engines: engines)
        }

        func connections(on engine: Int) -> Int {
            let count = running[engine]
            return isMultiplexed ? (count + Admission.streamsPerConnection - 1) / Admission.streamsPerConnection : count
        }
    }

    private let deal: EngineDeal
    /// The connections of each engine.
    @exclusivity(unchecked) private var connections: EngineCounts
    /// The running requests of each engine.
    @exclusivity(unchecked) package private(set) var running: EngineCounts
    @exclusivity(unchecked) private var lines: [String: Line] = [:]
    /// The line that was found last. Most requests go to the origin of the one before, whose text then need not be hashed again.
    @exclusivity(unchecked) private var latest: (origin: String, line: Line)?
    @exclusivity(unchecked) private var turns = LinkedQueue<String>()

    package init(_ deal: EngineDeal) {
        self.deal = deal
        connections = EngineCounts(engines: deal.engines)
        running = EngineCounts(engines: deal.engines)
    }

    /// Admits a request and returns its engine: the preferred one if it has room. Returns nil if the request has to wait.
    package func admit(_ origin: String, preferring preferred: Int? = nil) -> Int? {
        let line = line(of: origin)
        // Origins that wait for a turn come first, unless the new request takes no connection from them.
        guard line.waiting.isEmpty, let engine = engine(for: line, preferring: preferred, mayConnect: turns.isEmpty)
        else {
            forgetIfIdle(line, origin)
            return nil
        }
        change(line, on: engine, by: 1)
        return engine
    }

    /// Admits a request, on the preferred engine if that has room, or queues it and returns its ticket.
    package func enter(_ origin: String, _ item: any AdmittedWork, preferring preferred: Int? = nil) -> Entry {
        if let engine = admit(origin, preferring: preferred) { return .admitted(engine: engine) }
        let line = line(of: origin)
        let ticket = Ticket(origin: origin, number: line.waiting.append(item))
        queueForTurn(line, origin)
        return .waiting(ticket)
    }

    /// Removes a waiting request.
    package func abandon(_ ticket: Ticket) {
        guard let line = lines[ticket.origin] else { return }
        line.waiting.remove(ticket.number)
        forgetIfIdle(line, ticket.origin)
    }

    /// Records the end of a running request. ``next()`` returns the requests that may run in its place.
    package func leave(_ origin: String, on engine: Int) {
        guard let line = existingLine(of: origin) else { return }
        change(line, on: engine, by: -1)
        queueForTurn(line, origin)
        forgetIfIdle(line, origin)
    }

    /// Records whether the origin's connections carry concurrent requests.
    package func learn(_ origin: String, isMultiplexed: Bool) {
        guard let line = existingLine(of: origin), line.isMultiplexed != isMultiplexed else { return }
        for engine in 0..<deal.engines { connections[engine] -= line.connections(on: engine) }
        line.isMultiplexed = isMultiplexed
        for engine in 0..<deal.engines { connections[engine] += line.connections(on: engine) }
        queueForTurn(line, origin)
    }

    /// Whether requests wait that ``next()`` may return.
    package var hasTurns: Bool { !turns.isEmpty }

    /// Removes and returns the next request that may run, and its engine; nil if none may.
    ///
    /// An origin that cannot run, because the total is reached or its engine is full, keeps its turn. A later one may need no new
    /// connection, or have room on another engine.
    package func next() -> (item: any AdmittedWork, engine: Int)? {
        var blocked: [String] = []
        defer { for origin in blocked.reversed() { turns.prepend(origin) } }
        while let origin = turns.first {
            guard let line = lines[origin], isBelowItsLimit(line), !line.waiting.isEmpty else {
                endTurn(origin)
                continue
            }
            guard let engine = engine(for: line, mayConnect: true) else {
                turns.removeFirst()
                blocked.append(origin)
                continue
            }
            let next = start(line, on: engine)
            endTurn(origin)
            queueForTurn(line, origin)
            return next
        }
        return nil
    }

    private func start(_ line: Line, on engine: Int) -> (item: any AdmittedWork, engine: Int)? {
        let item = line.waiting.removeFirst()
        change(line, on: engine, by: 1)
        return item.map { ($0, engine) }
    }

    private func line(of origin: String) -> Line {
        if let line = existingLine(of: origin) { return line }
        let line = Line(first: deal.first(for: origin), engines: deal.engines)
        lines[origin] = line
        latest = (origin, line)
        return line
    }

    private func existingLine(of origin: String) -> Line? {
        if let latest, latest.origin == origin { return latest.line }
        guard let line = lines[origin] else { return nil }
        latest = (origin, line)
        return line
    }

    private func change(_ line: Line, on engine: Int, by difference: Int) {
        let before = line.connections(on: engine)
        line.running[engine] += difference
        running[engine] += difference
        connections[engine] += line.connections(on: engine) - before
    }

    /// Queues an origin for a turn if it has waiting requests and is below its own limit.
    private func queueForTurn(_ line: Line, _ origin: String) {
        guard !line.isInTurns, !line.waiting.isEmpty, isBelowItsLimit(line) else { return }
        line.isInTurns = true
        _ = turns.append(origin)
    }

    private func endTurn(_ origin: String) {
        turns.removeFirst()
        guard let line = lines[origin] else { return }
        line.isInTurns = false
        forgetIfIdle(line, origin)
    }

    /// Removes an idle line. Multiplexing is remembered for up to a thousand origins.
    private func forgetIfIdle(_ line: Line, _ origin: String) {
        guard line.waiting.isEmpty, !line.isInTurns, (0..<deal.engines).allSatisfy({ line.running[$0] == 0 }) else { return }
        guard !line.isMultiplexed || lines.count > 1000 else { return }
        lines[origin] = nil
        if latest?.line === line { latest = nil }
    }

    private func isBelowItsLimit(_ line: Line) -> Bool { deal.contains(from: line.first) { isBelowItsLimit(line, on: $0) } }

    private func isBelowItsLimit(_ line: Line, on engine: Int) -> Bool {
        let count = line.running[engine]
        return (line.isMultiplexed ? count / Self.streamsPerConnection : count) < deal.shares[engine].perOrigin
    }

    /// Returns an engine with room for a request, or nil.
    private func engine(for line: Line, preferring preferred: Int? = nil, mayConnect: Bool) -> Int? {
        let fill = line.isMultiplexed ? Self.streamsPerConnection : EngineDeal.fill
        return deal.engine(from: line.first, preferring: preferred, running: line.running, load: running, fill: fill) { engine in
            guard isBelowItsLimit(line, on: engine) else { return false }
            return !needsConnection(line, on: engine) || mayConnect && connections[engine] < deal.shares[engine].total
        }
    }

    private func needsConnection(_ line: Line, on engine: Int) -> Bool {
        !line.isMultiplexed || line.running[engine] % Self.streamsPerConnection == 0
    }
}

/// A queue from which any item can be removed in constant time.
package struct LinkedQueue<Item> {
    private var items: [UInt64: Item] = [:]
    // In the middle of the numbers, so that items can be added before the first one.
    private var head: UInt64 = 1 << 62
    private var end: UInt64 = 1 << 62

    package var isEmpty: Bool { items.isEmpty }

    package mutating func append(_ item: Item) -> UInt64 {
        items[end] = item
        end += 1
        return end - 1
    }

    /// Adds an item before the first one.
    package mutating func prepend(_ item: Item) {
        head -= 1
        items[head] = item
    }

    package mutating func remove(_ number: UInt64) { items[number] = nil }

    package var first: Item? {
        mutating get {
            guard !items.isEmpty else { return nil }
            while items[head] == nil { head += 1 }
            return items[head]
        }
    }

    @discardableResult
    package mutating func removeFirst() -> Item? {
        guard let item = first else { return nil }
        items[head] = nil
        return item
    }
}
