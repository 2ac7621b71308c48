/// Starts a task on the caller's thread where the system supports it, and on another thread elsewhere.
///
/// The task runs on the caller's thread until it first waits or ends, and then the caller continues. A task that never waits thus costs no
/// change of threads.
package func beginTask(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    #if canImport(Darwin)
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return Task { await body() } }
    #endif
    return Task.immediate { await body() }
}

extension Task {
    /// Waits for the result. If the waiting task is cancelled, this task is cancelled too, and its result is still awaited.
    package func resultCancelledByCaller() async -> Result<Success, Failure> {
        await withTaskCancellationHandler {
            await result
        } onCancel: {
            cancel()
        }
    }
}
