internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

// Automatic cleaning: unfinished bodies of dead writers, dead bodies after the grace period, and free space.
extension StoreCore {
    /// The interval after which the next change starts a sweep.
    private static let pause: Duration = .seconds(60)

    func sweepSoon() { writing.post { [weak self] in self?.sweep() } }

    func sweepIfLongAgo() {
        let now = settings.time.instant
        if state.withLock({ $0.lastSweep.map { now - $0 >= StoreCore.pause } ?? false }) { sweepSoon() }
    }

    /// Does one step, and schedules another after the waiting work. Runs only on the writing lane.
    private func sweep() {
        let now = settings.time.instant
        let (file, held) = state.withLock { state in
            state.lastSweep = now
            return (state.file, Set(state.held.keys))
        }
        guard let file else { return }
        let hasMore: Bool
        do throws(CacheStoreError) { hasMore = try step(file, held) } catch {
            // If another process is busy or an error occurs, the next sweep tries again.
            if error.kind == .corrupt { try? abandon(epoch: file.epoch, error) }
            return
        }
        if hasMore || (try? file.writes.shrink()) == true { return sweepSoon() }
        if (try? file.writes.hasDead()) == true { sweepAfterGrace() }
    }

    /// Marks the bodies of ended writers as dead, and removes part of a dead body after the grace period. Returns whether there may be
    /// more.
    private func step(_ file: OpenFile, _ held: Set<Int64>) throws(CacheStoreError) -> Bool {
        let limits = settings.limits
        return try transaction(file) { (change) throws(CacheStoreError) -> Bool in
            try self.buryLeftovers(change)
            let isOver = change.now.subtractingReportingOverflow(limits.grace.milliseconds).partialValue
            guard let dead = try change.connection.oldestDead(since: isOver, except: held) else { return false }
            try change.connection.purge(dead, chunks: 32)
            return true
        }
    }

    /// Marks the unfinished bodies of ended writers as dead.
    func buryLeftovers(_ change: Change) throws(CacheStoreError) {
        let place = try file.get(), written = state.withLock { $0.written }
        let moment = change.now.subtractingReportingOverflow(settings.limits.lease.milliseconds).partialValue
        try change.connection.buryLeftovers(since: moment, except: written) { body in
            WriterClaim.isAbandoned(at: place.claimPath(of: body, in: change.file.identity))
        }
    }

    /// Makes room for `bytes`: see `SQLiteConnection.makeRoom`.
    func makeRoom(for bytes: Int64, _ change: Change) throws(CacheStoreError) {
        try change.connection.makeRoom(for: bytes, capacity: settings.capacity, held: held, now: change.now) {
            () throws(CacheStoreError) in try self.buryLeftovers(change)
        }
    }

    private func sweepAfterGrace() {
        let moment = settings.time.instant + max(settings.limits.grace, .seconds(1))
        let isAwaited = state.withLock { state in
            defer { state.awaitsSweep = true }
            return state.awaitsSweep
        }
        guard !isAwaited else { return }
        let timer = settings.time.timer(at: moment) { [weak self] in
            self?.state.withLock { $0.awaitsSweep = false }
            self?.sweepSoon()
        }
        state.withLock { $0.sweepTimer = timer }
    }

    // MARK: Leases

    /// Records that a body is being written in this process.
    func began(_ body: Int64) {
        state.withLock { _ = $0.written.insert(body) }
        renewLater()
    }

    /// Records that a body is complete or dead.
    func ended(_ body: Int64) { state.withLock { _ = $0.written.remove(body) } }

    private func renewLater() {
        let moment = settings.time.instant + settings.limits.lease / 4
        let isNeeded = state.withLock { state in
            guard !state.awaitsRenewal, !state.written.isEmpty else { return false }
            state.awaitsRenewal = true
            return true
        }
        guard isNeeded else { return }
        let timer = settings.time.timer(at: moment) { [weak self] in
            guard let self else { return }
            self.state.withLock { $0.awaitsRenewal = false }
            self.writing.post { [weak self] in self?.renew() }
        }
        state.withLock { $0.leaseTimer = timer }
    }

    /// Renews the leases. Runs only on the writing lane.
    private func renew() {
        let (file, written) = state.withLock { ($0.file, $0.written) }
        guard let file, !written.isEmpty else { return }
        _ = try? transaction(file) { (change) throws(CacheStoreError) in
            try change.connection.renewLeases(of: written, now: change.now)
        }
        renewLater()
    }

    /// Discards a body that a writer has begun.
    func discard(_ begun: Locked<UnfinishedBody?>) {
        writing.post { [self] in
            guard let begun = begun.withLock({ $0 }) else { return }
            ended(begun.number)
            guard let file = state.withLock({ $0.file }), file.epoch == begun.epoch else { return }
            _ = try? transaction(file) { (change) throws(CacheStoreError) in try change.connection.discard(begun.number) }
            sweep()
        }
    }
}

/// The unfinished body of a writer, in chunks.
struct UnfinishedBody: Sendable {
    let number: Int64
    let epoch: Int
    /// The lock that shows that the body's writer is alive.
    let claim: WriterClaim
    /// The number of written chunks.
    var chunks: Int64 = 0
}
