internal import CMartletCurl
internal import MartletHTTP
internal import MartletSystem

/// The process that created an object. A forked child has a copy of the object, but not the engine's thread.
struct OwnerProcess: Sendable {
    private let forks = ccurl_forks()

    /// Whether the calling process created the object, rather than being forked from the process that did.
    var isCurrent: Bool { ccurl_forks() == forks }

    /// Throws `.engineUnavailable` in a forked child. `what` begins the error's sentence, for example "this transport was made".
    func check(_ what: String) throws(HTTPError) {
        if !isCurrent { throw OwnerProcess.isForked(what) }
    }

    fileprivate static func isForked(_ what: String) -> HTTPError {
        .engineUnavailable(
            Explanation("\(what) before the process was forked: make a new transport in the child and send requests with it"))
    }
}

/// The process that used an object first. A child forked later has a copy of the object, whose locks may be held forever.
final class FirstUser: Sendable {
    // Proof: only `ccurl_claim` touches the number, atomically.
    nonisolated(unsafe) private let number = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    init() { number.initialize(to: 0) }

    deinit { number.deallocate() }

    /// Records the calling process if none is recorded. Throws `.engineUnavailable` in a child of the recorded process. Takes no lock.
    func check(_ what: String) throws(HTTPError) {
        ExitHook.countForks()
        if !ccurl_claim(number) { throw OwnerProcess.isForked(what) }
    }
}

/// Prevents a crash of a process that exits during transfers.
///
/// When a process exits, OpenSSL frees its global data, which the engine's thread may still be using. The hook stops that thread first: it
/// is registered after libcurl is initialised, and the hook that was registered last runs first.
enum ExitHook {
    private static let inboxes = Locked<[EngineInbox]>([])

    private static let counting: Void = ccurl_count_forks()

    /// Starts counting forks, by which an ``OwnerProcess`` recognises a forked child.
    static func countForks() { _ = counting }

    private static let registration: Void = {
        _ = counting
        ccurl_at_exit { ExitHook.parkAll() }
    }()

    /// Registers the hook once. libcurl must already be initialised.
    static func install() { _ = registration }

    static func watch(_ inbox: EngineInbox) {
        inboxes.withLock { $0.append(inbox) }
        ccurl_note_engine()
    }

    static func forget(_ inbox: EngineInbox) { inboxes.withLock { $0.removeAll { $0 === inbox } } }

    private static func parkAll() {
        // A forked child has only the engine threads that it started. Without one it does not touch the lock, which another thread may have
        // held during the fork.
        guard ccurl_has_engine() else { return }
        let engines = inboxes.withLock { $0 }.filter(\.isOfThisProcess)
        // A task that runs on an engine's thread, outside of libcurl, ends the process.
        if let own = EngineLoop.current?.inbox, own.isOfThisProcess { own.parked() }
        for inbox in engines { inbox.post(.park) }
        // Limited to about two seconds, so that an engine that hangs cannot keep the process from exiting.
        for _ in 0..<20_000 where !engines.allSatisfy(\.isParked) { usleep(100) }
    }
}
