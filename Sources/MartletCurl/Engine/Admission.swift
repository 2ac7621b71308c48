/// Decides which requests may use a connection now and which wait, so that an origin that hangs delays only its own requests.
///
/// The number of connections is limited per origin and in total. Requests to one origin run in the order of their arrival. Origins that
/// wait because of the total take turns. libcurl has the same limits, but a single queue for all origins.
final class Admission<Item> {
    /// The number of concurrent requests on one HTTP/2 connection. libcurl enforces it.
    static var streamsPerConnection: Int { 100 }

    /// The position of a waiting request.
    struct Ticket: Hashable {
        fileprivate let origin: String
        fileprivate let number: UInt64
    }

    private final class Line {
        var running = 0
        var isMultiplexed = false
        /// Whether the origin is in `turns`.
        var isInTurns = false
        var waiting = LinkedQueue<Item>()

        var connections: Int {
            isMultiplexed ? (running + Admission.streamsPerConnection - 1) / Admission.streamsPerConnection : running
        }
    }

    private let perOrigin: Int
    private let total: Int
    private var connections = 0
    private var lines: [String: Line] = [:]
    /// The line that was found last. Most requests go to the same origin as the one before, and its text need not be hashed again.
    private var latest: (origin: String, line: Line)?
    private var turns = LinkedQueue<String>()

    /// Creates the limits on connections. A limit of 0 or less means no limit.
    init(perOrigin: Int, total: Int) {
        self.perOrigin = perOrigin > 0 ? perOrigin : .max
        self.total = total > 0 ? total : .max
    }

    /// Admits a request and returns nil, or queues it and returns its ticket.
    func enter(_ origin: String, _ item: Item) -> Ticket? {
        let line = line(of: origin) ?? makeLine(of: origin)
        // Origins that wait for a turn come first, unless the new request takes no connection from them.
        if line.waiting.isEmpty, hasRoom(in: line), turns.isEmpty || !needsConnection(line) {
            change(line) { $0.running += 1 }
            return nil
        }
        let ticket = Ticket(origin: origin, number: line.waiting.append(item))
        giveTurn(line, origin)
        return ticket
    }

    /// Removes a waiting request.
    func abandon(_ ticket: Ticket) {
        guard let line = line(of: ticket.origin) else { return }
        line.waiting.remove(ticket.number)
        forgetIfIdle(line, ticket.origin)
    }

    /// Records the end of a running request. ``next()`` returns the requests that may run in its place.
    func leave(_ origin: String) {
        guard let line = line(of: origin) else { return }
        change(line) { $0.running -= 1 }
        giveTurn(line, origin)
        forgetIfIdle(line, origin)
    }

    /// Records whether the origin's connections carry concurrent requests.
    func learn(_ origin: String, isMultiplexed: Bool) {
        guard let line = line(of: origin), line.isMultiplexed != isMultiplexed else { return }
        change(line) { $0.isMultiplexed = isMultiplexed }
        giveTurn(line, origin)
    }

    /// Removes and returns the next request that may run; nil if none may.
    func next() -> Item? {
        while let origin = turns.first {
            guard let line = line(of: origin), isBelowItsLimit(line), !line.waiting.isEmpty else {
                endTurn(origin)
                continue
            }
            // The total is reached. The origin keeps its turn.
            guard hasRoom(in: line) else { return nextWithoutConnection() }
            let item = line.waiting.removeFirst()
            change(line) { $0.running += 1 }
            endTurn(origin)
            giveTurn(line, origin)
            return item
        }
        return nil
    }

    /// Returns a waiting request that needs no new connection, although others wait before it.
    private func nextWithoutConnection() -> Item? {
        let line = lines.values.first { $0.isMultiplexed && !$0.waiting.isEmpty && !needsConnection($0) && hasRoom(in: $0) }
        guard let line else { return nil }
        let item = line.waiting.removeFirst()
        change(line) { $0.running += 1 }
        return item
    }

    private func line(of origin: String) -> Line? {
        if let latest, latest.origin == origin { return latest.line }
        guard let line = lines[origin] else { return nil }
        latest = (origin, line)
        return line
    }

    private func makeLine(of origin: String) -> Line {
        let line = Line()
        lines[origin] = line
        latest = (origin, line)
        return line
    }

    private func change(_ line: Line, _ body: (Line) -> Void) {
        connections -= line.connections
        body(line)
        connections += line.connections
    }

    /// Queues an origin for a turn if it has waiting requests and is below its own limit.
    private func giveTurn(_ line: Line, _ origin: String) {
        guard !line.isInTurns, !line.waiting.isEmpty, isBelowItsLimit(line) else { return }
        line.isInTurns = true
        _ = turns.append(origin)
    }

    private func endTurn(_ origin: String) {
        turns.removeFirst()
        guard let line = line(of: origin) else { return }
        line.isInTurns = false
        forgetIfIdle(line, origin)
    }

    /// Removes an idle line. Multiplexing is remembered for up to a thousand origins.
    private func forgetIfIdle(_ line: Line, _ origin: String) {
        guard line.running == 0, line.waiting.isEmpty, !line.isInTurns else { return }
        guard !line.isMultiplexed || lines.count > 1000 else { return }
        lines[origin] = nil
        if latest?.line === line { latest = nil }
    }

    private func isBelowItsLimit(_ line: Line) -> Bool {
        line.isMultiplexed ? line.running / Self.streamsPerConnection < perOrigin : line.running < perOrigin
    }

    private func hasRoom(in line: Line) -> Bool {
        isBelowItsLimit(line) && (!needsConnection(line) || connections < total)
    }

    private func needsConnection(_ line: Line) -> Bool { !line.isMultiplexed || line.running % Self.streamsPerConnection == 0 }
}

/// A queue from which any item can be removed in constant time.
struct LinkedQueue<Item> {
    private var items: [UInt64: Item] = [:]
    private var head: UInt64 = 0
    private var end: UInt64 = 0

    var isEmpty: Bool { items.isEmpty }

    mutating func append(_ item: Item) -> UInt64 {
        items[end] = item
        end += 1
        return end - 1
    }

    mutating func remove(_ number: UInt64) { items[number] = nil }

    var first: Item? {
        mutating get {
            guard !items.isEmpty else { return nil }
            while items[head] == nil { head += 1 }
            return items[head]
        }
    }

    @discardableResult
    mutating func removeFirst() -> Item? {
        guard let item = first else { return nil }
        items[head] = nil
        return item
    }
}
