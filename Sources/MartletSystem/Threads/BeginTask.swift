/// Starts a task that runs on the caller's thread as far as it comes without waiting, where the system can do so, and elsewhere from the start
/// on another: what never waits then costs no change of thread. The caller goes on when the task first waits, or is done.
package func beginTask(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    #if canImport(Darwin)
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return Task { await body() } }
    #endif
    return Task.immediate { await body() }
}

extension Task {
    /// Waits for the outcome. When the waiting task is cancelled, this one is cancelled as well; its outcome is awaited all the same.
    package func resultCancelledByCaller() async -> Result<Success, Failure> {
        await withTaskCancellationHandler {
            await result
        } onCancel: {
            cancel()
        }
    }
}
