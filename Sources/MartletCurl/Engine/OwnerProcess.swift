internal import CMartletCurl
internal import MartletHTTP

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
