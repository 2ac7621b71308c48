internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

/// The state shared by a store, its writers and the readers of its bodies: the lanes, the open file, and caches.
final class StoreCore: Sendable {
    struct State {
        var file: OpenFile?
        var lastEpoch = 0
        var isClosed = false
        /// When the identity of the file was last checked.
        var lastLook: ContinuousClock.Instant?
        /// The uses that are not written yet: the time of each, by the number of the response.
        var uses: [Int64: Int64] = [:]
        var recent: RecentLookups
        var lastUse: Int64 = 0
        /// The number of readers of each body in chunks.
        var held: [Int64: Int] = [:]
        /// The unfinished bodies of this process.
        var written: Set<Int64> = []
        /// The timers of the next sweep and the next renewal of leases.
        var sweepTimer: (any ScheduledTimer)?
        var leaseTimer: (any ScheduledTimer)?
        /// Whether the timers are set. A timer may fire before it is stored above.
        var awaitsSweep = false
        var awaitsRenewal = false
        var lastSweep: ContinuousClock.Instant?
        var failures = FailureReports()

        /// Whether the file's identity was checked in the last second.
        func wasSeen(_ now: ContinuousClock.Instant) -> Bool { lastLook.map { now - $0 < .seconds(1) } ?? false }
    }

    let settings: StoreSettings
    let listeners = Locked(NoticeListeners())
    let file: Result<StoreFile, CacheStoreError>
    let state: Locked<State>
    let reading = Lane("martlet.sqlite.reading")
    let writing = Lane("martlet.sqlite.writing")

    init(_ url: URL, _ settings: StoreSettings) {
        var settings = settings
        settings.report = { [report = settings.report, listeners] event in
            report(event)
            // A failure to open is not a notice, because each call throws it.
            if case .openingFailed = event { return }
            for listener in listeners.withLock({ $0.all }) { listener(event.description) }
        }
        self.settings = settings
        state = Locked(State(recent: RecentLookups(limit: settings.limits.maxRecentKeys)))
        do throws(CacheStoreError) { file = .success(try StoreFile(url)) } catch { file = .failure(error) }
    }

    // MARK: The file

    /// Throws in a forked child, which must not touch the locks, because another thread may have held them during the fork.
    func checkProcess() throws(CacheStoreError) {
        guard getpid() == settings.process else {
            throw CacheStoreError(
                .unavailable, "this store was made before the process was forked: make a new store in the child")
        }
    }

    /// Returns the open file. Opens it if it is not open, or if another file is at its path. Runs only on the writing lane.
    func opened() throws(CacheStoreError) -> OpenFile {
        let (file, epoch, isClosed) = state.withLock { ($0.file, $0.lastEpoch + 1, $0.isClosed) }
        if isClosed { throw CacheStoreError(.unavailable, "the store has been closed") }
        let now = settings.time.instant
        let place = try reportingFailure { () throws(CacheStoreError) in try self.file.get() }
        if let file {
            if place.identity == file.identity {
                state.withLock { $0.lastLook = now }
                return file
            }
            shut(file)
        }
        let opened = try reportingFailure { () throws(CacheStoreError) in try place.opened(settings, epoch: epoch) }
        state.withLock { state in
            state.file = opened
            state.lastEpoch = epoch
            state.lastLook = now
            state.failures.succeeded()
        }
        sweepSoon()
        return opened
    }

    /// Reports a failure to open the file, unless it equals the last one reported.
    private func reportingFailure<Value>(_ open: () throws(CacheStoreError) -> Value) throws(CacheStoreError) -> Value {
        do throws(CacheStoreError) { return try open() } catch {
            let failure = CacheStoreError(error.kind, error.detail, underlying: error.underlying, isOfOpening: true)
            if state.withLock({ $0.failures.isNews(failure) }) {
                settings.report(.openingFailed(failure.kind, detail: failure.detail))
            }
            throw failure
        }
    }

    /// Closes a file. Runs only on the writing lane.
    private func shut(_ file: OpenFile) {
        state.withLock { state in
            state.file = nil
            // These numbers belong to the closed file.
            (state.uses, state.held, state.written) = ([:], [:], [])
            state.recent.removeAll()
        }
        reading.wait { file.reads.close() }
        file.writes.close()
    }

    /// Sets aside a file that turned out to be corrupt. Runs only on the writing lane.
    func abandon(epoch: Int, _ error: CacheStoreError) throws(CacheStoreError) {
        guard let open = state.withLock({ $0.file }), open.epoch == epoch else { return }
        shut(open)
        try file.get().setAside(corrupt: open.identity, error.detail, settings)
    }

    // MARK: Ends

    func open() async throws(CacheStoreError) { try await write { (_) throws(CacheStoreError) in } }

    func close() async {
        guard getpid() == settings.process else { return }
        // In a separate task, because a cancellation must not prevent closing.
        await Task { try? await self.writing.run(cancelled: .cancelled) { () throws(CacheStoreError) in self.shutForGood() } }.value
    }

    private func shutForGood() {
        let open = state.withLock { state -> OpenFile? in
            state.isClosed = true
            return state.file
        }
        guard let open else { return }
        _ = try? transaction(open) { (_) throws(CacheStoreError) in }
        shut(open)
    }

    /// No operation is running, because each holds a reference.
    deinit {
        // A thread that holds the lock has a reference. In a forked child, where such a lock is never released, this deinit does not run.
        let (file, uses, timers) = state.withLock { ($0.file, $0.uses, [$0.sweepTimer, $0.leaseTimer]) }
        guard getpid() == settings.process else {
            file?.forget()
            return
        }
        for timer in timers { timer?.cancel() }
        guard let file else { return }
        writing.post {
            if !uses.isEmpty { _ = try? file.writes.transaction { () throws(CacheStoreError) in try file.writes.touch(uses) } }
            file.reads.close()
            file.writes.close()
        }
    }
}

/// The settings of a store.
struct StoreSettings: Sendable {
    let capacity: Int64
    let limits: SQLiteCacheStore.Limits
    let time: any TimeSource
    var report: @Sendable (SQLiteCacheStore.Event) -> Void
    /// The process that created the store.
    let process = getpid()
    /// The maximum number of pages of the file, for tests of a full disk.
    var maxPages: Int?

    /// The wall clock in milliseconds.
    var milliseconds: Int64 { Int64(time.now.timeIntervalSince1970 * 1000) }

    /// The maximum length of a stored body.
    var maxBodyBytes: Int64 { max(0, min(limits.maxBodyBytes ?? capacity / 2, capacity, Int64(chunkBytes) * (Schema.maxChunks - 1))) }

    /// The limit on the bytes of all unfinished bodies: the maximum length of one body, or half of the capacity if that is more.
    var maxUnfinished: Int64 { max(maxBodyBytes, capacity / 2) }

    /// The length of a chunk, which is also the memory that a writer needs.
    var chunkBytes: Int { min(max(limits.chunkBytes, 4096), 64 << 20) }

    /// The maximum length of a body that is stored with its head.
    var inlineBytes: Int { min(max(limits.inlineBytes, 0), 16 << 20) }
}

/// The closures that receive the events of a store's file, in addition to the store's own.
struct NoticeListeners {
    private var listeners: [Int: @Sendable (String) -> Void] = [:]
    private var lastNumber = 0

    /// All registered closures.
    var all: [@Sendable (String) -> Void] { Array(listeners.values) }

    /// Registers a closure and returns its number.
    mutating func add(_ listener: @escaping @Sendable (String) -> Void) -> Int {
        lastNumber += 1
        listeners[lastNumber] = listener
        return lastNumber
    }

    /// Removes a closure and returns it, because releasing it under a lock could call back.
    mutating func remove(_ number: Int) -> (@Sendable (String) -> Void)? { listeners.removeValue(forKey: number) }
}
