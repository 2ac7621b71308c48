internal import MartletSystem

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
    func begin(in group: Int, within parent: CallTicket?) -> CallTicket? {
        state.withLock { state in
            let ticket = CallTicket(
                self, group: group, parent: parent.flatMap { $0.closest { $0.registry === self && $0.place != nil } })
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
