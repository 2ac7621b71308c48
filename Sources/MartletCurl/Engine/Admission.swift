/// Who may use a connection now, and who waits, so that an origin that hangs holds up nobody but its own callers.
///
/// There may be so many connections to one origin, and so many in all. Those who wait for one origin go in the order in which they
/// came; origins that wait because of the total take turns. libcurl has limits of its own, but one line for all origins.
final class Admission<Item> {
    /// How many requests one connection of HTTP/2 carries at a time, as libcurl sees to it.
    static var streamsPerConnection: Int { 100 }

    /// Where one that waits stands.
    struct Ticket: Hashable {
        fileprivate let origin: String
        fileprivate let number: UInt64
    }

    private final class Line {
        var running = 0
        var isMultiplexed = false
        /// Whether the origin is among those that wait for a turn.
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
    private var turns = LinkedQueue<String>()

    /// Limits of 0 or less are none.
    init(perOrigin: Int, total: Int) {
        self.perOrigin = perOrigin > 0 ? perOrigin : .max
        self.total = total > 0 ? total : .max
    }

    /// Lets a new one in, or has it wait: then its ticket is given.
    func enter(_ origin: String, _ item: Item) -> Ticket? {
        let line = lines[origin] ?? Line()
        lines[origin] = line
        // Those that wait for a turn come before it, unless it takes no connection from them.
        if line.waiting.isEmpty, hasRoom(in: line), turns.isEmpty || !needsConnection(line) {
            change(line) { $0.running += 1 }
            return nil
        }
        let ticket = Ticket(origin: origin, number: line.waiting.append(item))
        giveTurn(line, origin)
        return ticket
    }

    /// One that waited does so no more.
    func abandon(_ ticket: Ticket) {
        guard let line = lines[ticket.origin] else { return }
        line.waiting.remove(ticket.number)
        forgetIfIdle(line, ticket.origin)
    }

    /// One that ran has ended. Whoever may run instead is given by `next()`.
    func leave(_ origin: String) {
        guard let line = lines[origin] else { return }
        change(line) { $0.running -= 1 }
        giveTurn(line, origin)
        forgetIfIdle(line, origin)
    }

    /// The origin has been seen to carry many requests on one connection, or one on each.
    func learn(_ origin: String, isMultiplexed: Bool) {
        guard let line = lines[origin], line.isMultiplexed != isMultiplexed else { return }
        change(line) { $0.isMultiplexed = isMultiplexed }
        giveTurn(line, origin)
    }

    /// The next that may run now.
    func next() -> Item? {
        while let origin = turns.first {
            guard let line = lines[origin], isBelowItsLimit(line), !line.waiting.isEmpty else {
                endTurn(origin)
                continue
            }
            // The total is reached: the turn is kept.
            guard hasRoom(in: line) else { return nextWithoutConnection() }
            let item = line.waiting.removeFirst()
            change(line) { $0.running += 1 }
            endTurn(origin)
            giveTurn(line, origin)
            return item
        }
        return nil
    }

    /// One that waits behind the first and can do with a connection that is there.
    private func nextWithoutConnection() -> Item? {
        let line = lines.values.first { $0.isMultiplexed && !$0.waiting.isEmpty && !needsConnection($0) && hasRoom(in: $0) }
        guard let line else { return nil }
        let item = line.waiting.removeFirst()
        change(line) { $0.running += 1 }
        return item
    }

    private func change(_ line: Line, _ body: (Line) -> Void) {
        connections -= line.connections
        body(line)
        connections += line.connections
    }

    /// Puts an origin with someone waiting, who needs no more than a turn, among those that take turns.
    private func giveTurn(_ line: Line, _ origin: String) {
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

    /// Lets go of a line that tells nothing any more; what was learnt is kept of a thousand origins.
    private func forgetIfIdle(_ line: Line, _ origin: String) {
        guard line.running == 0, line.waiting.isEmpty, !line.isInTurns else { return }
        if !line.isMultiplexed || lines.count > 1000 { lines[origin] = nil }
    }

    private func isBelowItsLimit(_ line: Line) -> Bool {
        line.isMultiplexed ? line.running / Self.streamsPerConnection < perOrigin : line.running < perOrigin
    }

    private func hasRoom(in line: Line) -> Bool {
        isBelowItsLimit(line) && (!needsConnection(line) || connections < total)
    }

    private func needsConnection(_ line: Line) -> Bool { !line.isMultiplexed || line.running % Self.streamsPerConnection == 0 }
}

/// A line in which one who leaves from the middle costs no more than the first.
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

extension String {
    /// Scheme, host and port of a URL without user or password, in lower case, as they stand there.
    var originPart: String {
        var slashes = 0
        let end = utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        return self[..<(end ?? endIndex)].lowercased()
    }
}
