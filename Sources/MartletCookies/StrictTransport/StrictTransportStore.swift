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
    /// - Throws: A ``StrictTransportStoreError`` if the hosts can't be loaded or saved. If they can't be saved, the store keeps the changes
    ///   in memory.
    func withHosts<Value: Sendable>(
        _ body: @Sendable (inout StrictTransportHosts) -> Value
    ) async throws(StrictTransportStoreError) -> Value
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
