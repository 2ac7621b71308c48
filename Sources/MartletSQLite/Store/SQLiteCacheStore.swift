public import MartletCache
public import MartletEssentials

/// Keeps a cache's responses in a file, which outlives the process and may be shared by several.
///
/// ### Choose
/// A `MemoryCacheStore` is faster and forgets when the program ends. This one is for answers that should be there when it starts again, for
/// working offline, and for bodies that are too large to be held in memory.
///
/// ### Use
/// ```swift
/// let store = SQLiteCacheStore(at: .cachesDirectory.appending(path: "http.sqlite"), capacity: 100_000_000)
/// let client = HTTPClient(baseURL: url, interceptors: [CacheInterceptor(store: store)])
/// ```
///
/// ### What it promises
/// Besides the duties of a `CacheStore`:
/// - SQLite 3.24 or later is looked up when the store is first used. Without it everything throws `.unavailable`, which names the package to
///   install. Nothing but the toolchain is needed to build.
/// - The file is opened at the first use, and made with its folder where it is not there; ``open()`` does so before. Only the user who made
///   it may read it. A symbolic link or a file of another user fails with `.unavailable`.
/// - What is stored is kept under ``init(at:capacity:limits:time:report:)``'s capacity. What was not used for longest goes first.
/// - Of bodies that are being written there is half the capacity at most, or one of the greatest length: what would be more is not kept.
///   The unfinished body of a writer that has gone, or whose process has ended, is removed when room is needed, and each minute while the
///   store is used.
/// - A small body comes with its head. A larger one is written and read in chunks, and never held in memory.
/// - A process that is killed leaves no half response that can be found, and no file that can't be opened. After the machine itself
///   stops, the last responses may be missing.
/// - Several stores, of one process or more, may have the same file. A body whose response goes while it is read is given whole where that is
///   possible, and ends with an error otherwise: never short and never mixed.
/// - Bytes that the disk did not keep are noticed: each chunk and each head has a checksum. A file that is corrupt, when it is opened or
///   later, one of a newer version, and one of something else are renamed and begun anew, and `report` is told.
/// - No task's thread waits for the disk, and no reader for a writer: only what was looked up a moment ago, and is therefore in memory, is
///   looked up again on the caller's thread. A task that is cancelled gets `.cancelled` at once.
/// - Letting go of the store closes the file after what is in flight, and does not wait for it.
/// - In a forked child the parent's stores throw `.unavailable`.
///
/// The directory must be on a disk of this machine: locks of network file systems are not to be relied on.
public final class SQLiteCacheStore: CacheStore {
    let core: StoreCore

    /// A store in a file, which is opened at its first use.
    ///
    /// - Parameters:
    ///   - file: a file URL. Beside it are files whose names begin with its name: keep them together.
    ///   - capacity: how many bytes are kept, with what the tables take for them. Default: 250 MB (250,000,000). The file can become a
    ///     little larger, and is cut back when much of it is free.
    ///   - limits: the other limits.
    ///   - time: where time comes from. Default: the machine's clocks.
    ///   - report: called for events of the file, including a failure to open it. It should not block. Default: does nothing.
    public init(
        at file: URL, capacity: Int64 = 250_000_000, limits: Limits = Limits(), time: any TimeSource = .system,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        core = StoreCore(file, StoreSettings(capacity: max(0, capacity), limits: limits, time: time, report: report))
    }

    init(core: StoreCore) { self.core = core }

    // MARK: CacheStore

    /// All responses that are stored whole for a key.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { try await core.entries(for: key) }

    /// Begins to store a response. A body of unknown length is refused when it has become too large.
    public func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        try core.checkProcess()
        let length = length ?? 0
        guard length <= core.settings.maxBodyBytes, NewEntry.size(response, response.encoded, length) <= core.settings.capacity else {
            return nil
        }
        return SQLiteCacheWriter(core, response)
    }

    /// Replaces the head of the stored response that has the same id and key.
    public func update(_ response: StoredResponse) async throws(CacheStoreError) {
        try await core.change { [core] (change) throws(CacheStoreError) in
            guard try change.connection.update(response, now: change.now) else { return }
            try core.makeRoom(for: 0, change)
        }
    }

    /// Removes the response that has this one's id and key, if it is there.
    public func remove(_ response: StoredResponse) async throws(CacheStoreError) {
        let key = response.key
        try await core.drop("uri = ? AND scope = ? AND id = ?", [.text(key.uri), .text(key.scope), .text(response.id)])
    }

    /// Removes all responses for a target URI, in whatever scope.
    public func removeAll(for uri: String) async throws(CacheStoreError) { try await core.drop("uri = ?", [.text(uri)]) }

    /// Removes everything. Bodies that somebody may be reading are taken off the disk a while later.
    public func removeAll() async throws(CacheStoreError) { try await core.dropAll() }

    /// Reports what happens to the file, such as one that was set aside. A failure to open it is thrown by each call instead.
    public func reportNotices(to report: @escaping @Sendable (_ notice: String) -> Void) -> NoticeRegistration {
        let listeners = core.listeners
        let number = listeners.withLock { $0.add(report) }
        return NoticeRegistration { _ = listeners.withLock { $0.remove(number) } }
    }

    // MARK: Besides

    /// Opens the file now, and throws when that is not possible: for a program that wants to know when it starts.
    public func open() async throws(CacheStoreError) { try await core.open() }

    /// How many responses can be found.
    public var count: Int {
        get async throws(CacheStoreError) { Int(clamping: try await core.totals().count) }
    }

    /// How many bytes these have, with what the tables take for them.
    public var byteCount: Int64 {
        get async throws(CacheStoreError) { try await core.totals().bytes }
    }

    /// Closes the file after what is in flight, so that it can be moved or removed. From then on everything throws `.unavailable`.
    ///
    /// There is no need to: letting go of the store closes it as well.
    public func close() async { await core.close() }
}
