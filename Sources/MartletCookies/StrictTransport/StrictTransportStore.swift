public import MartletEssentials

/// A place that keeps the hosts that require `https`: in memory, in a file, or elsewhere.
///
/// ```swift
/// let store = MemoryStrictTransportStore()
/// let interceptor = StrictTransportInterceptor(store: store)
/// print(await store.withHosts { $0.names })
/// ```
///
/// Several clients can share a store. A store of your own implements ``withHosts(_:)``: it keeps ``StrictTransportHosts``, which have the
/// rules and are `Codable`.
public protocol StrictTransportStore: Sendable {
    /// Calls `body` with the hosts while no other call changes them, keeps its changes, and returns the result.
    ///
    /// `body` returns soon. A store that saves the hosts does so if their ``StrictTransportHosts/changeCount`` has changed.
    ///
    /// - Throws: A ``StateStoreError`` if the hosts can't be loaded, or can't be saved before the call returns. The store then keeps the
    ///   changes in memory.
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
/// The file is treated like that of a ``FileCookieStore``: it is read at the first use and replaced in one step, and its permissions are
/// 0600. It must belong to the user of the process and must not be a symbolic link. A damaged file is renamed to `https-hosts.json.corrupt`
/// and reported, and the store begins without hosts. A slightly later expiry alone is saved with the next change: see
/// ``StrictTransportHosts/changeCount``.
///
/// Changes are saved together, a second after the first of them, when the last reference to the store is released, and when the process
/// exits normally. A process that crashes or is killed loses at most the changes of the last second.
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
    ///   - saveDelay: The maximum time between a change and the write that saves it. Default: 1 second. Zero saves each change before its
    ///     call returns.
    ///   - time: The clock of the delay, and by which expired hosts are left out. Default: the system's.
    ///   - report: Called for a damaged file, which was renamed, and for a failure to save after the delay, when the store is released or
    ///     when the process exits. Default: does nothing.
    public init(
        _ file: URL, adding hosts: StrictTransportHosts = StrictTransportHosts(), saveDelay: Duration = .seconds(1),
        time: any TimeSource = .system, report: @escaping @Sendable (StateStoreError) -> Void = { _ in }
    ) {
        state = SavedState(hosts, file, delay: saveDelay, time: time, report: report)
    }

    /// Calls `body` with the hosts and returns the result. If they have changed, they are saved after the delay.
    ///
    /// - Throws: `.unavailable` if the file can't be read. After a failure to save, and without a delay, the next change is saved before
    ///   its call returns, and `.unavailable` or `.full` is thrown if that fails. The store keeps the changes.
    public func withHosts<Value: Sendable>(
        _ body: @Sendable (inout StrictTransportHosts) -> Value
    ) async throws(StateStoreError) -> Value {
        try await state.with(body)
    }

    /// Saves the changes that are not in the file yet, and returns when they are.
    ///
    /// - Throws: `.unavailable` if the file can't be written, and `.full`. The store keeps the changes.
    public func save() async throws(StateStoreError) { try await state.save() }
}
