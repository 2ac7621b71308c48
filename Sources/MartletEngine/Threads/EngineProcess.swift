internal import CMartletEngine
package import MartletHTTP

/// The process that created an object. A forked child has a copy of the object, but not the engine's thread.
package struct OwnerProcess: Sendable {
    private let forks: UInt32

    package init() {
        ForkCount.begin()
        forks = cengine_forks()
    }

    /// Whether the calling process created the object, rather than being forked from the process that did.
    package var isCurrent: Bool { cengine_forks() == forks }

    /// Throws `.engineUnavailable` in a forked child. `what` begins the error's sentence, for example "this transport was made".
    package func check(_ what: String) throws(HTTPError) {
        if !isCurrent { throw OwnerProcess.isForked(what) }
    }

    fileprivate static func isForked(_ what: String) -> HTTPError {
        .engineUnavailable(
            Explanation("\(what) before the process was forked: make a new transport in the child and send requests with it"))
    }
}

/// The process that used an object first. A child forked later has a copy of the object, whose locks may be held forever.
package final class FirstUser: Sendable {
    // Proof: only `cengine_claim` touches the number, atomically.
    nonisolated(unsafe) private let number = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    package init() { number.initialize(to: 0) }

    deinit { number.deallocate() }

    /// Records the calling process if none is recorded. Throws `.engineUnavailable` in a child of the recorded process. Takes no lock.
    package func check(_ what: String) throws(HTTPError) {
        ForkCount.begin()
        if !cengine_claim(number) { throw OwnerProcess.isForked(what) }
    }
}

/// The count of forks, by which an ``OwnerProcess`` recognises a forked child.
private enum ForkCount {
    private static let counting: Void = cengine_count_forks()

    /// Starts counting. Called before the first object that a child must recognise is made.
    static func begin() { _ = counting }
}
