internal import CMartletCurl
internal import MartletCore

/// The process that made an object. A forked child has a copy of the object, but not the engine's thread behind it.
struct OwnerProcess: Sendable {
    private let forks = ccurl_forks()

    /// Whether the calling process made the object, and was not forked from the one that did.
    var isCurrent: Bool { ccurl_forks() == forks }

    /// Throws `.engineUnavailable` in a forked child. `what` is the subject of the sentence: "this transport was made".
    func check(_ what: String) throws(HTTPError) {
        guard !isCurrent else { return }
        throw .engineUnavailable(
            Explanation("\(what) before the process was forked: make a transport of your own in the child and send requests with it"))
    }
}
