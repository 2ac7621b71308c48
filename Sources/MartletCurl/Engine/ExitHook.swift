internal import CMartletCurl
internal import MartletHTTP
internal import MartletSystem

/// Keeps a process that exits with transfers under way from crashing.
///
/// When a process exits, OpenSSL frees what its connections stand on while the engine's thread may still be using them. So that
/// thread is stopped first: the hook is registered after libcurl has been initialised, and what was registered last runs first.
enum ExitHook {
    private static let inboxes = Locked<[EngineInbox]>([])

    private static let counting: Void = ccurl_count_forks()

    /// Starts counting forks, by which an ``OwnerProcess`` recognises a forked child.
    static func countForks() { _ = counting }

    private static let registration: Void = {
        _ = counting
        ccurl_at_exit { ExitHook.parkAll() }
    }()

    /// Sees to it that the hook is there. libcurl must have been initialised before.
    static func install() { _ = registration }

    static func watch(_ inbox: EngineInbox) {
        inboxes.withLock { $0.append(inbox) }
        ccurl_note_engine()
    }

    static func forget(_ inbox: EngineInbox) { inboxes.withLock { $0.removeAll { $0 === inbox } } }

    private static func parkAll() {
        // A forked child has no engine threads but those that it started. Without one it does not even touch the lock, which another
        // thread may have held when it was forked.
        guard ccurl_has_engine() else { return }
        let engines = inboxes.withLock { $0 }.filter(\.isOfThisProcess)
        for inbox in engines { inbox.post(.park) }
        // Bounded, so that an engine that hangs can't keep the process from ending.
        for _ in 0..<20_000 where !engines.allSatisfy(\.isParked) { usleep(100) }
    }
}
