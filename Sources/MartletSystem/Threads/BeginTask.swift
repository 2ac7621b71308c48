/// Starts a task on the caller's thread where the system supports it, and on another thread elsewhere.
///
/// The task runs on the caller's thread until it first waits or ends, and then the caller continues. A task that never waits thus costs no
/// change of threads. Afterwards it runs where the caller's task prefers to run, as a child task would, if the system can tell.
///
/// - Parameter isShared: Whether the task serves others too. It then does not run where the caller prefers to, except until it first waits.
package func beginTask(isShared: Bool = false, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    #if canImport(Darwin)
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return Task { await body() } }
    guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else { return Task.immediate { await body() } }
    #endif
    return Task.immediate(executorPreference: isShared ? nil : preferredExecutor()) { await body() }
}

/// Returns the executor that the current task prefers, or nil.
@available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
private func preferredExecutor() -> (any TaskExecutor)? { withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() } }

extension Task where Success == Void, Failure == Never {
    /// Raises the priority of a running task for a caller with a higher one that waits for it.
    package func raisePriority(to priority: TaskPriority) {
        #if canImport(Darwin)
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            // The runtime raises the priority of a task whose value is awaited.
            _ = Task.detached(priority: priority) { await self.value }
            return
        }
        #endif
        escalatePriority(to: priority)
    }
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
