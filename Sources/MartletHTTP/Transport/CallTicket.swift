internal import MartletSystem

/// Work that a call waits for and that ends with it.
package protocol CancellableWork: AnyObject, Sendable {
    /// Cancels the work. May be called on any thread, several times, and after the work has ended.
    func cancel()
}

/// Work that a closure cancels.
private final class ClosureWork: CancellableWork {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func cancel() { action() }
}

/// A running call in a ``CallGroup``.
///
/// The call ends its ticket when it finishes, and registers how it is cancelled. Each operation takes one uncontended lock.
package final class CallTicket: Sendable {
    /// The call of the current task. A call made within it (a token refresh, a connection of an event stream) is part of it.
    @TaskLocal package static var current: CallTicket?

    private enum State: Sendable {
        case running((any CancellableWork)?)
        case cancelled
        case ended
    }

    private let state = Locked(State.running(nil))
    let registry: CallRegistry
    // Proof: read and written only by the registry, while it holds its lock.
    /// The index among the registry's running calls, or nil if the call is not one of them.
    @exclusivity(unchecked) nonisolated(unsafe) var place: Int?
    /// The group that the call was made in; see ``CallRegistry``.
    private let group: Int
    /// The running call that this one is a part of.
    private let parent: CallTicket?
    /// Whether the call is work that several calls share, and which continues when they are cancelled.
    let isShared: Bool

    init(_ registry: CallRegistry, group: Int, parent: CallTicket?, isShared: Bool) {
        self.registry = registry
        self.group = group
        self.parent = parent
        self.isShared = isShared
    }

    /// Registers work that is shared with others as a part of this call. It may continue after this call ends, and may make requests while
    /// the group drains. Returns nil if the group is draining and this call is not part of a running call.
    package func beginPart() -> CallTicket? { registry.begin(in: group, within: self, isShared: true) }

    /// Whether the call belongs to a group.
    func isIn(_ group: Int) -> Bool { group == CallRegistry.all || self.group == group }

    /// Whether the call is part of another call of the same group.
    func isNested(in group: Int) -> Bool { closestAncestor { $0.isIn(group) } != nil }

    /// Returns the closest ancestor that satisfies a condition.
    private func closestAncestor(where condition: (CallTicket) -> Bool) -> CallTicket? {
        var ancestor = parent
        while let ticket = ancestor {
            if condition(ticket) { return ticket }
            ancestor = ticket.parent
        }
        return nil
    }

    /// Returns the ticket itself, or its closest ancestor, that satisfies a condition.
    func closest(where condition: (CallTicket) -> Bool) -> CallTicket? {
        condition(self) ? self : closestAncestor(where: condition)
    }

    /// Whether the call has ended by itself.
    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Whether the call was cancelled through its group.
    package var isCancelled: Bool { state.withLock { if case .cancelled = $0 { true } else { false } } }

    /// Sets the action that cancels the call, in place of the previous one. Pass nil while the call waits for nothing.
    ///
    /// The action runs at most once, on any thread. It runs immediately if the call is already cancelled.
    package func onCancel(_ action: (@Sendable () -> Void)?) { waits(for: action.map { ClosureWork($0) }) }

    /// Sets the work that is cancelled with the call: like ``onCancel(_:)``, but without a closure, which would have to be allocated.
    package func waits(for work: (any CancellableWork)?) {
        // Released outside the lock: the work may run code in its deinit.
        let (before, isLate) = state.withLock { state -> ((any CancellableWork)?, Bool) in
            switch state {
            case .running(let before):
                state = .running(work)
                return (before, false)
            case .cancelled: return (nil, true)
            case .ended: return (nil, false)
            }
        }
        _ = before
        if isLate { work?.cancel() }
    }

    /// Removes the call from its group. Later calls do nothing.
    package func end() {
        let (before, wasRunning) = state.withLock { state -> ((any CancellableWork)?, Bool) in
            guard case .running(let before) = state else { return (nil, false) }
            state = .ended
            return (before, true)
        }
        _ = before
        if wasRunning { registry.end(self) }
    }

    /// Cancels the call. Its group must have removed it before.
    func cancel() {
        let work = state.withLock { state -> (any CancellableWork)? in
            guard case .running(let work) = state else { return nil }
            state = .cancelled
            return work
        }
        work?.cancel()
    }

    /// Runs an operation in the caller's task. The calls that it makes in the same group, also later ones, are cancelled with this one.
    /// Nothing else is.
    package func runInCaller<Value: Sendable, Failure: Error>(
        _ operation: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await CallTicket.$current.withValue(self) {
            do throws(Failure) { return Result<Value, Failure>.success(try await operation()) } catch { return .failure(error) }
        }.get()
    }

    /// Runs an operation and waits for its end. The operation is cancelled with the call or with the caller's task, whichever comes first.
    package func run<Value: Sendable, Failure: Error>(
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        let outcome = OneShot<Result<Value, Failure>>()
        let body = { @Sendable () async -> Void in
            do throws(Failure) { outcome.set(.success(try await operation())) } catch { outcome.set(.failure(error)) }
        }
        // Within the caller's task: a new task would learn of the caller's cancellation too late.
        if Task.isCancelled {
            await CallTicket.$current.withValue(self) { await body() }
            return await outcome.value()
        }
        let task = CallTicket.$current.withValue(self) { beginTask(body) }
        if let early = outcome.early { return early }
        onCancel { task.cancel() }
        defer { onCancel(nil) }
        return await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            task.cancel()
        }
    }
}
