internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The commands of other threads for the engine, in order, and the wake-up of its thread.
///
/// The wake-up is signalled only if the engine sleeps and has not been woken yet: one system call for a batch of requests.
final class EngineInbox: Sendable {
    /// A command for the engine.
    enum Command {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        case resumeReceiving(CurlTransfer)
        case resumeSending(CurlTransfer)
        /// A task prefers the engine's thread.
        case run(EngineJob)
        /// The file that a transfer sends has been opened, or could not be opened.
        case opened(CurlTransfer, HTTPError?)
        /// A name lookup has ended with these addresses. The list is empty if the name has none.
        case lookedUp(String, [String])
        /// The user of an upgraded connection has read, written or closed it.
        case upgraded(UInt32, UpgradedLink.Demand)
        /// A request on another engine has ended, and waiting requests may run. Only the first engine gets this.
        case startNext
        /// The last sender is gone: stop when the last transfer has ended.
        case close
        /// The process exits: stop immediately and touch nothing.
        case park
    }

    private enum Mode { case working, asleep, woken }

    private struct State {
        var commands: [Command] = []
        var mode = Mode.working
        var isParked = false
    }

    private let state = Locked(State())
    private let owner = OwnerProcess()
    private let wakeup: Wakeup

    init?() {
        do throws(SystemFailure) { wakeup = try Wakeup() } catch { return nil }
    }

    /// The descriptor that becomes readable when the engine is woken.
    var wakeupDescriptor: Int32 { wakeup.readEnd }

    /// Whether this process started the engine's thread.
    var isOfThisProcess: Bool { owner.isCurrent }

    /// Throws `.engineUnavailable` in a forked child.
    func checkProcess() throws(HTTPError) { try owner.check("this transport was made") }

    /// Posts a command. Does nothing and returns false in a forked child, where the signal would wake the parent's thread, and after the
    /// engine has stopped, when the command would keep this inbox and its descriptor.
    @discardableResult
    func post(_ command: Command) -> Bool {
        guard isOfThisProcess else { return false }
        let (isPosted, mustRing) = state.withLock { state in
            guard !state.isParked else { return (false, false) }
            state.commands.append(command)
            guard state.mode == .asleep else { return (true, false) }
            state.mode = .woken
            return (true, true)
        }
        if mustRing { wakeup.signal() }
        return isPosted
    }

    /// Moves the commands into `spare`, which must be empty.
    func take(into spare: inout [Command]) {
        state.withLock { state in
            swap(&state.commands, &spare)
            state.mode = .working
        }
    }

    /// Clears the wake-up. A signal that arrives later wakes the engine once more.
    func clearWakeup() { wakeup.clear() }

    /// Whether the engine's thread has stopped, because the process exits or after the last transfer.
    var isParked: Bool { state.withLock { $0.isParked } }

    /// Records that the engine's thread has stopped, and drops the commands that it has not seen. The jobs of tasks run elsewhere.
    func parked() {
        let rest = state.withLock { state in
            state.isParked = true
            defer { state.commands = [] }
            return state.commands
        }
        for case .run(let job) in rest { globalConcurrentExecutor.enqueue(job.job) }
    }

    /// Marks the engine as asleep and returns true, unless commands have arrived.
    func mayFallAsleep() -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.mode = .asleep
            return true
        }
    }
}
