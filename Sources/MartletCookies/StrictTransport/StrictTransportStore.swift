public import MartletEssentials

/// A place that keeps the hosts that require `https`: in memory, in a file, or elsewhere.
///
/// ```swift
/// let store = MemoryStrictTransportStore()
/// let interceptor = StrictTransportInterceptor(store: store)
/// print(await store.withHosts { $0.names })
/// ```
///
/// Several clients can share a store. A store of your own implements ``withHosts(_:)``: it keeps ``StrictTransportHosts``, which have the rules
/// and are `Codable`.
public protocol StrictTransportStore: Sendable {
    /// Calls `body` with the hosts while no other call changes them, keeps its changes, and returns the result.
    ///
    /// `body` returns soon. A store that saves the hosts does so if their ``StrictTransportHosts/changeCount`` has changed.
    ///
    /// - Throws: A ``StateStoreError`` if the hosts can't be loaded or saved. If they can't be saved, the store keeps the changes
    ///   in memory.
    func withHosts<Value: Sendable>(
        _ body: @Sendable (inout StrictTransportHosts) -> Value
    ) async throws(StateStoreError) -> Value
}

/// A store that keeps the hosts that require `https` until the process ends.
public actor MemoryStrictTransportStore: StrictTransportStore {
    private var hosts: StrictTransportHosts

    /// Creates a store.
    ///
    /// - Parameter hosts: The hosts at first, such as those of an earlier launch. Default: none.
    public init(_ hosts: StrictTransportHosts = StrictTransportHosts()) { self.hosts = hosts }

    /// Calls `body` with the hosts and returns the result. It never throws.
    public func withHosts<Value: Sendable>(_ body: @Sendable (inout StrictTransportHosts) -> Value) -> Value { body(&hosts) }
}

/// A store that keeps the hosts that require `https` in a file, which only its owner can read.
///
/// ```swift
/// let file = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".config/birds/https-hosts.json")
/// let interceptor = StrictTransportInterceptor(store: FileStrictTransportStore(file))
/// ```
///
/// The file is treated like that of a ``FileCookieStore``: it is read at the first use and replaced in one step after each change, and its
/// permissions are 0600. It must belong to the user of the process and must not be a symbolic link. A damaged file is renamed to
/// `https-hosts.json.corrupt` and reported, and the store begins without hosts. A slightly later expiry alone is saved with the next change:
/// see ``StrictTransportHosts/changeCount``.
///
/// Use one store for a file. Of two stores, also in two processes, the last one to save replaces the other's changes.
public struct FileStrictTransportStore: StrictTransportStore {
    private let state: SavedState<StrictTransportHosts>

    /// Creates a store over a file, which need not exist. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - file: The file. Missing folders are created with the permissions 0700.
    ///   - hosts: The hosts besides those of the file, such as those of your own servers, and the maximum number of all. An entry of the
    ///     file replaces one with the same name. Default: none, and at most 1,000.
    ///   - time: The clock by which expired hosts are left out. Default: the system's.
    ///   - report: Called for a damaged file, which was renamed. Default: does nothing.
    public init(
        _ file: URL, adding hosts: StrictTransportHosts = StrictTransportHosts(), time: any TimeSource = .system,
        report: @escaping @Sendable (StateStoreError) -> Void = { _ in }
    ) {
        state = SavedState(hosts, file, time: time, report: report)
    }

    /// Calls `body` with the hosts, saves them if they have changed, and returns the result.
    ///
    /// - Throws: `.unavailable` if the file can't be read or written, and `.full`. After a failure to save, the store keeps the changes in
    ///   memory. They are saved with the next one.
    public func withHosts<Value: Sendable>(
        _ body: @Sendable (inout StrictTransportHosts) -> Value
    ) async throws(StateStoreError) -> Value {
        try await state.with(body)
    }
}
