internal import MartletHTTP
internal import MartletSystem

/// Whether a task is suspended, changed together with the task itself.
///
/// The writer and the reader of a body both call ``settle(_:act:)`` whenever what is wanted may have changed. What is wanted is asked anew
/// each time, under the lock that orders the acts: whoever comes last leaves the task as it is to be, and nobody suspends twice.
final class TaskPause: Sendable {
    private let isSuspended = Locked(false)

    /// Has `act` suspend or resume the task, when it is not as `isWanted` says. Neither may call back.
    func settle(_ isWanted: () -> Bool, act: (_ suspend: Bool) -> Void) {
        isSuspended.withLock { isSuspended in
            let isWanted = isWanted()
            guard isWanted != isSuspended else { return }
            isSuspended = isWanted
            act(isWanted)
        }
    }
}
