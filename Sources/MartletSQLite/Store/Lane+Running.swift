internal import MartletCache

extension Lane {
    /// Runs `work` and returns its value. A cancelled task throws `.cancelled` immediately.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws(CacheStoreError) -> Value) async throws(CacheStoreError) -> Value {
        try await run(cancelled: .cancelled, work)
    }
}
