internal import CMartletEngine
internal import MartletEngine
internal import MartletSystem

/// Prevents a crash of a process that exits during transfers.
///
/// When a process exits, OpenSSL frees its global data, which the engine's thread may still be using. The hook stops that thread first: it
/// is registered after libcurl is initialised, and the hook that was registered last runs first.
enum ExitHook {
    private static let inboxes = Locked<[EngineInbox]>([])

    private static let registration: Void = {
        cengine_at_exit { ExitHook.parkAll() }
    }()

    /// Registers the hook once. libcurl must already be initialised.
    static func install() { _ = registration }

    static func watch(_ inbox: EngineInbox) {
        inboxes.withLock { $0.append(inbox) }
        cengine_note_engine()
    }

    static func forget(_ inbox: EngineInbox) { inboxes.withLock { $0.removeAll { $0 === inbox } } }

    private static func parkAll() {
        // A forked child has only the engine threads that it started. Without one it does not touch the lock, which another thread may have
        // held during the fork.
        guard cengine_has_engine() else { return }
        let engines = inboxes.withLock { $0 }.filter(\.isOfThisProcess)
        // A task that runs on an engine's thread, outside of libcurl, ends the process.
        if let own = EngineLoop.current?.inbox, own.isOfThisProcess { own.parked() }
        for inbox in engines { inbox.post(.park) }
        // Limited to about two seconds, so that an engine that hangs cannot keep the process from exiting.
        for _ in 0..<20_000 where !engines.allSatisfy(\.isParked) { usleep(100) }
    }
}
