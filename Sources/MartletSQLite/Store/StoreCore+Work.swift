internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

// Reading and changing, each on its own lane.

extension StoreCore {
    /// Runs a change on the writing lane. If the file turns out to be corrupt, runs it once more on the new file.
    func write<Value: Sendable>(
        retries: Bool = true, _ work: @escaping @Sendable (OpenFile) throws(CacheStoreError) -> Value
    ) async throws(CacheStoreError) -> Value {
        try checkProcess()
        return try await writing.run(cancelled: .cancelled) { () throws(CacheStoreError) in
            let file = try self.opened()
            do throws(CacheStoreError) { return try work(file) } catch {
                guard error.kind == .corrupt else { throw error }
                try self.abandon(epoch: file.epoch, error)
                guard retries else { throw error }
            }
            return try work(try self.opened())
        }
    }

    /// Runs a read on the reading lane.
    func read<Value: Sendable>(
        retries: Bool = true, _ work: @escaping @Sendable (OpenFile) throws(CacheStoreError) -> Value
    ) async throws(CacheStoreError) -> Value {
        try checkProcess()
        var isLast = !retries
        while true {
            let file: OpenFile
            if let open = state.withLock({ $0.file }) {
                file = open
            } else {
                file = try await writing.run(cancelled: .cancelled) { () throws(CacheStoreError) in try self.opened() }
            }
            do throws(CacheStoreError) {
                let value = try await reading.run(cancelled: .cancelled) { () throws(CacheStoreError) -> Value? in
                    self.isInPlace(file) ? try work(file) : nil
                }
                if let value { return value }
                _ = try await writing.run(cancelled: .cancelled) { () throws(CacheStoreError) in try self.opened() }
            } catch {
                // The file was closed meanwhile because another file is open.
                let isGone = state.withLock { $0.file?.epoch != file.epoch }
                guard error.kind == .corrupt || isGone && error.kind == .failed else { throw error }
                if error.kind == .corrupt {
                    try await writing.run(cancelled: .cancelled) { () throws(CacheStoreError) in try self.abandon(epoch: file.epoch, error)
                    }
                }
                if isLast { throw error }
                isLast = true
            }
        }
    }

    /// Looks up a key on the caller's thread if it was looked up recently and no other read is running. Returns nil otherwise, and on any
    /// error.
    func readHere<Value>(for key: CacheKey, _ work: (OpenFile) throws(CacheStoreError) -> Value) -> Value? {
        guard getpid() == settings.process, !Task.isCancelled else { return nil }
        let now = settings.time.instant
        let file = state.withLock { state -> OpenFile? in
            guard state.wasSeen(now), state.recent.contains(key, now: now) else { return nil }
            state.recent.note(key, now: now)
            return state.file
        }
        guard let file else { return nil }
        return try? reading.runHere { () throws(CacheStoreError) in
            try file.reads.withoutWaiting { () throws(CacheStoreError) in try work(file) }
        }
    }

    /// Whether an open file is still the one at its path, checked at most once a second.
    private func isInPlace(_ file: OpenFile) -> Bool {
        let now = settings.time.instant
        if state.withLock({ $0.wasSeen(now) }) { return true }
        guard (try? self.file.get().identity) == file.identity else { return false }
        state.withLock { $0.lastLook = now }
        return true
    }

    /// Runs a changing transaction, which also writes the collected uses.
    func change<Value: Sendable>(
        retries: Bool = true, epoch: Int? = nil, _ work: @escaping @Sendable (Change) throws(CacheStoreError) -> Value
    ) async throws(CacheStoreError) -> Value {
        let value = try await write(retries: retries) { (file) throws(CacheStoreError) in
            if let epoch, epoch != file.epoch { throw StoreCore.replaced }
            return try self.transaction(file, work)
        }
        sweepIfLongAgo()
        return value
    }

    static var replaced: CacheStoreError { CacheStoreError(.failed, "the file with this body was replaced by another file") }

    /// Runs a transaction. Runs only on the writing lane.
    func transaction<Value>(_ file: OpenFile, _ work: (Change) throws(CacheStoreError) -> Value) throws(CacheStoreError) -> Value {
        let uses = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses
        }
        let change = Change(file: file, now: settings.milliseconds)
        do throws(CacheStoreError) {
            return try file.writes.transaction { () throws(CacheStoreError) in
                try file.writes.touch(uses)
                return try work(change)
            }
        } catch {
            change.undo()
            // The uses are written with the next transaction.
            state.withLock { if $0.file?.epoch == file.epoch { $0.uses.merge(uses) { max($0, $1) } } }
            throw error
        }
    }
}

/// A running transaction.
struct Change: Sendable {
    let file: OpenFile
    /// The wall clock, in milliseconds.
    let now: Int64
    private let undoing = Locked<[@Sendable () -> Void]>([])

    init(file: OpenFile, now: Int64) {
        self.file = file
        self.now = now
    }

    var connection: SQLiteConnection { file.writes }

    /// Registers a step to run if the transaction fails, including at its commit.
    func ifUndone(_ body: @escaping @Sendable () -> Void) { undoing.withLock { $0.append(body) } }

    /// Runs the registered steps after a failure, the last one first.
    func undo() {
        let steps = undoing.withLock { steps in
            defer { steps = [] }
            return steps
        }
        for step in steps.reversed() { step() }
    }
}
