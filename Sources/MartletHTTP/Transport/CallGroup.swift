internal import MartletSystem

/// The running calls of a transport or of one client, on which `cancelAll()` and `drain(within:)` act.
///
/// A transport stores a group and returns it as ``Transport/calls``. Each client over that transport makes its calls in a member of that
/// group. The transport's methods therefore act on the calls of all its clients, and a client's methods on its own calls and those of its
/// copies.
///
/// Each of these is one call: a `send`, `response` or `upload`; one page; a stream until its body has been read to the end or dropped; a
/// download with its resumptions; a resumable upload; and an event stream or GraphQL subscription with its reconnections. Requests that a
/// running call makes (such as a token refresh) are part of that call.
public final class CallGroup: Sendable {
    private let registry: CallRegistry
    private let number: Int

    /// Creates an empty group, which your own transport stores and returns as its ``Transport/calls``.
    public init() {
        registry = CallRegistry()
        number = CallRegistry.all
    }

    private init(memberOf group: CallGroup) {
        registry = group.registry
        number = registry.makeGroup()
    }

    deinit {
        if number != CallRegistry.all { registry.forget(number) }
    }

    /// Creates a group whose calls also belong to this group.
    package func makeMember() -> CallGroup { CallGroup(memberOf: self) }

    /// Registers a new call, as part of `parent`. Returns nil if the group is draining and the call is not part of a running call.
    package func begin(within parent: CallTicket? = CallTicket.current) -> CallTicket? { registry.begin(in: number, within: parent) }

    /// Whether a call was cancelled, with its parts. Work that several calls share is not.
    package func hasCancelled(_ ticket: CallTicket) -> Bool { !ticket.isShared && registry.hasCancelled(ticket) }

    /// The number of calls that are running now.
    public var runningCount: Int { registry.count(in: number) }

    /// Whether a drain has begun, so that new calls throw `HTTPError.draining`.
    public var isDraining: Bool { registry.isDraining(number) }

    /// Cancels the running calls: each throws `HTTPError.cancelled`, also while it waits for a retry, a reconnection or an interceptor.
    ///
    /// It returns immediately. The tasks that made the calls are not cancelled, and new calls work. Use it when a user signs out or a view
    /// disappears. A stream whose head has arrived throws when its body is read next. A sequence of pages is affected only while it loads a
    /// page.
    ///
    /// Work that several calls share continues: a token refresh, because a new refresh token would otherwise be lost, and a cache's
    /// background fetch. A refresh whose own client uses the same transport is cancelled with the transport's calls.
    public func cancelAll() { registry.cancelAll(in: number) }

    /// Refuses new calls, waits for the running calls, and cancels the ones that are still running after `limit`.
    ///
    /// New calls throw `HTTPError.draining` immediately. Requests that a running call needs are still sent: retries, redirects,
    /// resumptions, reconnections and token refreshes. A drained group never accepts calls again: create a new client or a new transport.
    ///
    /// Use it when a server receives SIGTERM:
    ///
    /// ```swift
    /// signal(SIGTERM, SIG_IGN)
    /// let terminate = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
    /// terminate.setEventHandler {
    ///     Task {
    ///         let summary = await transport.drain(within: .seconds(20))
    ///         print("finished: \(summary.finished), cancelled: \(summary.cancelled)")
    ///         exit(0)
    ///     }
    /// }
    /// terminate.resume()
    /// ```
    ///
    /// Repeated drains of one group each use their own limit; the first limit that passes cancels the remaining calls. All of them return
    /// the same summary, which counts from the start of the first drain. Cancelling the task that drains cancels the running calls
    /// immediately.
    ///
    /// - Parameters:
    ///   - limit: How long the running calls may take. With zero or less they are cancelled immediately.
    ///   - time: The clock for the limit. Default: the system's.
    /// - Returns: The numbers of calls that finished and that were cancelled.
    @concurrent public func drain(within limit: Duration, time: any TimeSource = .system) async -> DrainSummary {
        await registry.drain(number, within: limit, time: time)
    }
}

/// The numbers of calls that finished and that were cancelled during a drain. See ``CallGroup/drain(within:time:)``.
public struct DrainSummary: Sendable, Hashable {
    /// The number of calls that ended by themselves, with a value or an error.
    public var finished: Int
    /// The number of calls that were cancelled: at the limit, with the task that drains, or by ``CallGroup/cancelAll()``.
    public var cancelled: Int

    /// Creates a summary with the given counts. Default: no calls.
    public init(finished: Int = 0, cancelled: Int = 0) {
        self.finished = finished
        self.cancelled = cancelled
    }
}

/// The running calls of a group and of its members, behind one lock.
final class CallRegistry: Sendable {
    /// The number of the group that contains all calls of a registry.
    static let all = 0

    /// The state of a drain.
    private struct Drain {
        /// The number of running calls of the group, including calls that are part of other calls.
        var remaining: Int
        var summary = DrainSummary()
        var waiters: [OneShot<Void>] = []

        /// Counts the end of a call. Returns the waiters if it was the last call.
        mutating func end(_ ticket: CallTicket, in group: Int, isCancelled: Bool) -> [OneShot<Void>] {
            remaining -= 1
            if !ticket.isNested(in: group) {
                if isCancelled { summary.cancelled += 1 } else { summary.finished += 1 }
            }
            return remaining == 0 ? exchange(&waiters, with: []) : []
        }
    }

    private struct State {
        /// The running calls, each at its ``CallTicket/place``.
        var running: [CallTicket] = []
        var drains: [Int: Drain] = [:]
        var lastGroup = CallRegistry.all

        mutating func add(_ ticket: CallTicket) {
            ticket.place = running.count
            running.append(ticket)
        }

        /// Removes a call if it is running. Returns the waiters of the drains that end with it.
        mutating func remove(_ ticket: CallTicket, isCancelled: Bool) -> [OneShot<Void>] {
            guard let place = ticket.place else { return [] }
            ticket.place = nil
            let last = running.removeLast()
            if last !== ticket {
                last.place = place
                running[place] = last
            }
            guard !drains.isEmpty else { return [] }
            return drains.keys.filter { ticket.isIn($0) }.flatMap { group in
                drains[group]?.end(ticket, in: group, isCancelled: isCancelled) ?? []
            }
        }
    }

    private let state = Locked(State())

    /// Returns the number of a new group.
    func makeGroup() -> Int {
        state.withLock { state in
            state.lastGroup += 1
            return state.lastGroup
        }
    }

    /// Removes a group that makes no more calls.
    func forget(_ group: Int) { state.withLock { $0.drains[group] = nil } }

    /// Returns a ticket for a new call, as part of `parent` if that is still running. Returns nil if the group is draining and the call is
    /// not part of one of its calls.
    func begin(in group: Int, within parent: CallTicket?, isShared: Bool = false) -> CallTicket? {
        state.withLock { state in
            let ticket = CallTicket(
                self, group: group, parent: parent.flatMap { $0.closest { $0.registry === self && $0.place != nil } }, isShared: isShared)
            if !state.drains.isEmpty {
                let closed = state.drains.keys.filter { ticket.isIn($0) }
                guard closed.allSatisfy({ ticket.isNested(in: $0) }) else { return nil }
                for group in closed { state.drains[group]?.remaining += 1 }
            }
            state.add(ticket)
            return ticket
        }
    }

    /// Records that a call has ended by itself.
    func end(_ ticket: CallTicket) {
        let waiters = state.withLock { $0.remove(ticket, isCancelled: false) }
        for waiter in waiters { waiter.set(()) }
    }

    /// Whether a call of this registry has been cancelled, or is being cancelled by another thread.
    func hasCancelled(_ ticket: CallTicket) -> Bool {
        guard ticket.registry === self, state.withLock({ _ in ticket.place == nil }) else { return false }
        return !ticket.hasEnded
    }

    /// Cancels the running calls of a group.
    func cancelAll(in group: Int) {
        let (tickets, waiters) = state.withLock { state in
            let tickets = state.running.filter { $0.isIn(group) }
            return (tickets, tickets.flatMap { state.remove($0, isCancelled: true) })
        }
        for ticket in tickets { ticket.cancel() }
        for waiter in waiters { waiter.set(()) }
    }

    /// Refuses new calls of a group permanently and waits for the running calls. Calls that are still running after `limit` are cancelled.
    func drain(_ group: Int, within limit: Duration, time: any TimeSource) async -> DrainSummary {
        let settled = OneShot<Void>()
        let isSettled = state.withLock { state in
            var drain = state.drains[group] ?? Drain(remaining: state.running.count { $0.isIn(group) })
            defer { state.drains[group] = drain }
            if drain.remaining > 0 { drain.waiters.append(settled) }
            return drain.remaining == 0
        }
        if !isSettled { await wait(for: settled, group, limit, time) }
        return state.withLock { $0.drains[group]?.summary ?? DrainSummary() }
    }

    private func wait(for settled: OneShot<Void>, _ group: Int, _ limit: Duration, _ time: any TimeSource) async {
        guard limit > .zero else { return cancelAll(in: group) }
        let timer = time.timer(at: time.instant + limit) { self.cancelAll(in: group) }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await settled.value()
        } onCancel: {
            cancelAll(in: group)
        }
    }

    /// Returns the number of running calls of a group.
    func count(in group: Int) -> Int {
        state.withLock { $0.running.count { $0.isIn(group) && !$0.isNested(in: group) } }
    }

    /// Whether a group refuses new calls.
    func isDraining(_ group: Int) -> Bool { state.withLock { $0.drains[group] != nil || $0.drains[CallRegistry.all] != nil } }
}
