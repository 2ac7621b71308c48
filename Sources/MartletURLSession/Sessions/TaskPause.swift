internal import MartletHTTP
internal import MartletSystem

/// Whether a task is suspended, changed together with the task itself.
///
/// The writer and the reader of a body both call ``settle(_:act:)`` when the wanted state may have changed. That state is read again each
/// time, under the lock that orders the calls, so the last call leaves the task in the right state, and a task is never suspended twice.
final class TaskPause: Sendable {
    private let isSuspended = Locked(false)

    /// Makes `act` suspend or resume the task if its state differs from `isWanted`. Neither closure may call back.
    func settle(_ isWanted: () -> Bool, act: (_ suspend: Bool) -> Void) {
        isSuspended.withLock { isSuspended in
            let isWanted = isWanted()
            guard isWanted != isSuspended else { return }
            isSuspended = isWanted
            act(isWanted)
        }
    }
}
