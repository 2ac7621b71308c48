internal import MartletEssentials
internal import MartletSystem

/// How many connections a server has, and how long each may wait for its client.
///
/// Only the time during which it is the client's turn counts: to send the whole next request, or to read what was sent.
package struct ConnectionLimits: Sendable {
    /// The maximum number of connections, at least 1.
    let maxConnections: Int
    /// The maximum time for which a connection waits for its client: from 1 second to a day.
    let idleTimeout: Duration

    package init(maxConnections: Int, idleTimeout: Duration) {
        self.maxConnections = max(1, maxConnections)
        self.idleTimeout = min(max(idleTimeout, .seconds(1)), .seconds(86_400))
    }

    /// What the server does with a further connection.
    enum Admission: Equatable {
        case accept
        /// Accepts it in place of the connection at this index.
        case replace(Int)
        case refuse
    }

    /// Decides on a further connection. Of connections that wait for their clients, it replaces the one that has waited longest.
    ///
    /// - Parameter waits: When each connection began to wait for its client, or nil if the client waits for the server.
    func admission(besides waits: [ContinuousClock.Instant?]) -> Admission {
        guard waits.count >= maxConnections else { return .accept }
        let longest = waits.enumerated().compactMap { index, wait in wait.map { (index: index, start: $0) } }.min { $0.start < $1.start }
        return longest.map { .replace($0.index) } ?? .refuse
    }

    /// Whether a connection that has waited for its client since an instant is closed.
    func isOver(since wait: ContinuousClock.Instant, now: ContinuousClock.Instant) -> Bool { now - wait >= idleTimeout }
}

/// The timer at whose end a server closes connections that have waited too long. It is set anew only when it has fired.
struct IdleClock {
    private let limits: ConnectionLimits
    private let time: any TimeSource
    private let wake: @Sendable () -> Void
    private var due: ContinuousClock.Instant?

    /// - Parameter wake: Called when connections should be checked.
    init(_ limits: ConnectionLimits, time: any TimeSource, wake: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.time = time
        self.wake = wake
    }

    /// Returns the indices of the connections to close, and sets the timer for the others.
    mutating func expired(_ waits: [ContinuousClock.Instant?]) -> [Int] {
        let now = time.instant
        let (over, rest) = waits.indices.reduce(into: ([Int](), [ContinuousClock.Instant]())) { parts, index in
            guard let wait = waits[index] else { return }
            if limits.isOver(since: wait, now: now) { parts.0.append(index) } else { parts.1.append(wait) }
        }
        if let due, due > now { return over }
        due = rest.min().map { $0 + limits.idleTimeout }
        if let due { _ = time.timer(at: due, fire: wake) }
        return over
    }
}
