public import MartletCache
public import MartletEssentials

/// A cache store in an SQLite file, which outlives the process and which several processes may share.
///
/// Use it for responses that must be available after a restart or offline, and for bodies that are too large for memory. A
/// `MemoryCacheStore` is faster, but ends with the program.
///
/// ```swift
/// let store = SQLiteCacheStore(at: folder.appendingPathComponent("http.sqlite"), capacity: 100_000_000)
/// let client = HTTPClient(baseURL: url, interceptors: [CacheInterceptor(store: store)])
/// ```
///
/// ### The file
/// - The first use loads SQLite 3.24 or later. If it is missing, every operation throws `.unavailable`, which names the package to install.
///   Building needs only the Swift toolchain.
/// - The first use, or ``open()``, opens the file, and creates it with its folder if it is missing. Only the user who created it may read
///   it. A symbolic link or another user's file fails with `.unavailable`.
/// - The directory must be on a local disk, because locks of network file systems are unreliable.
/// - Several stores, in one process or several, may use the same file.
/// - A corrupt file, a newer version's file and another program's database are renamed and replaced by a new file, and `report` is called.
///   Each head and each chunk has a checksum that detects corruption.
/// - A killed process leaves no incomplete response that can be found, and no file that cannot be opened. After a crash of the machine, the
///   last responses may be missing.
///
/// ### Limits
/// - The stored responses stay below the capacity. The least recently used responses are removed first.
/// - Unfinished bodies may have at most half of the capacity, or the maximum length of one body if that is more. A body beyond that is not
///   stored. The unfinished body of a writer that no longer exists is removed when space is needed, and once a minute while the store is
///   used.
///
/// ### Bodies
/// - A small body is loaded with its head. A larger one is written and read in chunks and is never completely in memory.
/// - If a response is removed while its body is read, the reader gets the complete body where possible, or an error. It never gets a
///   truncated or mixed body.
///
/// ### Tasks and processes
/// - The disk never blocks a thread of the task pool, and readers never wait for writers. Only keys looked up recently, whose pages are in
///   memory, are looked up on the caller's thread. A cancelled task throws `.cancelled` immediately.
/// - When the last reference is released, the store closes the file after its running operations. Releasing does not wait.
/// - In a forked child the parent's stores throw `.unavailable`.
public final class SQLiteCacheStore: CacheStore {
    let core: StoreCore

    /// Creates a store in a file, which is opened or created at the first use.
    ///
    /// - Parameters:
    ///   - file: A file URL. Files beside it whose names begin with its name belong to it: keep them together.
    ///   - capacity: The maximum number of bytes of stored responses, including an estimate for the tables. Default: 250 MB (250,000,000).
    ///     The file can become slightly larger, and is truncated when much of it is free.
    ///   - limits: The other limits.
    ///   - time: The time source. Default: the machine's clocks.
    ///   - report: Called for events of the file, including a failure to open it. It should not block. Default: does nothing.
    public init(
        at file: URL, capacity: Int64 = 250_000_000, limits: Limits = Limits(), time: any TimeSource = .system,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        core = StoreCore(file, StoreSettings(capacity: max(0, capacity), limits: limits, time: time, report: report))
    }

    init(core: StoreCore) { self.core = core }

    // MARK: CacheStore

    /// Returns all complete responses that are stored for a key, with their bodies.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { try await core.entries(for: key) }

    /// Begins to store a response, and returns a writer for its body, or nil if the response is too large. A body of unknown length is
    /// rejected once it becomes too large.
    public func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        try core.checkProcess()
        let length = length ?? 0
        guard length <= core.settings.maxBodyBytes, NewEntry.size(response, response.encoded, length) <= core.settings.capacity else {
            return nil
        }
        return SQLiteCacheWriter(core, response)
    }

    /// Replaces the head of the stored response with the same ID and key, if there is one.
    public func update(_ response: StoredResponse) async throws(CacheStoreError) {
        try await core.change { [core] (change) throws(CacheStoreError) in
            guard try change.connection.update(response, now: change.now) else { return }
            try core.makeRoom(for: 0, change)
        }
    }

    /// Removes the stored response with the same ID and key, if there is one.
    public func remove(_ response: StoredResponse) async throws(CacheStoreError) {
        let key = response.key
        try await core.drop("uri = ? AND scope = ? AND id = ?", [.text(key.uri), .text(key.scope), .text(response.id)])
    }

    /// Removes all responses for a target URI, in every scope.
    public func removeAll(for uri: String) async throws(CacheStoreError) { try await core.drop("uri = ?", [.text(uri)]) }

    /// Removes all responses. Bodies that may still be read are removed from the disk after a grace period.
    public func removeAll() async throws(CacheStoreError) { try await core.dropAll() }

    /// Calls `report` for events of the file, such as one that was set aside. A failure to open the file is thrown by each call instead.
    public func reportNotices(to report: @escaping @Sendable (_ notice: String) -> Void) -> NoticeRegistration {
        let listeners = core.listeners
        let number = listeners.withLock { $0.add(report) }
        return NoticeRegistration { _ = listeners.withLock { $0.remove(number) } }
    }

    // MARK: The file

    /// Opens or creates the file now, or throws if that fails, for a program that wants to check it at its start.
    ///
    /// - Throws: The error for which the file cannot be opened.
    public func open() async throws(CacheStoreError) { try await core.open() }

    /// The number of stored responses.
    public var count: Int {
        get async throws(CacheStoreError) { Int(clamping: try await core.totals().count) }
    }

    /// The number of bytes of the stored responses, including an estimate for the tables.
    public var byteCount: Int64 {
        get async throws(CacheStoreError) { try await core.totals().bytes }
    }

    /// Closes the file after the running operations, so that it can be moved or removed. Afterwards every operation throws `.unavailable`.
    ///
    /// Calling it is optional, because releasing the store closes the file too.
    public func close() async { await core.close() }

    /// The settings of a store besides its capacity: sizes of bodies, time limits, how many recent keys are looked up without a wait, and
    /// how many unusable files are kept.
    public struct Limits: Sendable {
        /// The maximum length of a stored body in bytes, at most the capacity, or nil for half of the capacity. A response with a longer
        /// body is not stored. Default: nil.
        public var maxBodyBytes: Int64?
        /// The maximum length in bytes of a body that is stored and loaded together with its head, up to 16 MiB. Default: 64 KiB (65,536).
        public var inlineBytes = 65_536
        /// The length in bytes of the chunks in which a longer body is written and read, from 4 KiB to 64 MiB. Each such body needs that
        /// much memory. Default: 256 KiB (262,144).
        public var chunkBytes = 262_144
        /// The maximum time that a change waits for changes by other processes, after which it throws `.timeout`. Default: 2 seconds.
        public var busyTimeout: Duration = .seconds(2)
        /// The time for which a removed or replaced body is kept for readers in other processes, unless its space is needed. Readers in
        /// this process have no time limit. Default: 60 seconds.
        public var grace: Duration = .seconds(60)
        /// The time for which an unfinished body is kept if its writer's process is alive but the writer is inactive, for example stopped.
        /// An active writer renews its lease four times in that period. The body of a writer that no longer exists is removed earlier.
        /// Default: 10 minutes.
        public var lease: Duration = .seconds(600)
        /// The maximum number of recently used keys that are looked up on the caller's own thread. Default: 1024; 0 for none.
        ///
        /// The pages of a key that was looked up in the last minute are in memory, and a lookup on the caller's thread is several times
        /// faster.
        public var maxRecentKeys = 1024
        /// The number of unusable files that are kept after they were set aside. The oldest ones above this number are removed, except
        /// databases of other programs. Default: 2.
        public var filesKeptAside = 2

        /// Creates settings with the default values.
        public init() {}
    }

    /// An event that concerns a store's file: it was set aside, or can't be opened.
    ///
    /// A file that was set aside, and the files that belong to it, were renamed to the event's URL, and a new file was created.
    @nonexhaustive public enum Event: Sendable, Hashable, CustomStringConvertible {
        /// The file, which can't be read or whose content is damaged, was set aside.
        case corruptFile(movedTo: URL, detail: String)
        /// The file, created by a newer version of this package, was set aside.
        case newerFile(movedTo: URL, detail: String)
        /// The file, created by a version of this package that is no longer supported, was set aside.
        case olderFile(movedTo: URL, detail: String)
        /// The file, a database of another program, was set aside.
        case foreignFile(movedTo: URL, detail: String)
        /// The file could not be opened, so nothing is stored or found. Reported once, and again when the failure changes.
        case openingFailed(CacheStoreError.Kind, detail: String)

        /// The event as one line of text.
        public var description: String {
            switch self {
            case .corruptFile(let url, let detail), .newerFile(let url, let detail), .olderFile(let url, let detail),
                .foreignFile(let url, let detail):
                "the cache's file was set aside: \(detail); it was renamed to \(url.lastPathComponent)"
            case .openingFailed(let kind, let detail): "the cache's file can't be opened: \(kind): \(detail)"
            }
        }
    }
}
