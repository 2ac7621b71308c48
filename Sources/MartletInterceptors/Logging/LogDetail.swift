/// The amount of detail that is logged about each request.
public enum LogDetail: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Logs method, origin, name of the endpoint, status, time and the kind of failure, without the path. Paths and queries, which may
    /// contain personal data, are not logged.
    ///
    /// The name of a request is the template of its path, `users/{}`, without the interpolated values. A path made with `Path(raw:)` is its
    /// own template: name such a request yourself.
    case outline
    /// Also logs the URL, the explanation of a failure, and each attempt if there were several.
    case basic
    /// Also logs the header fields, with credentials hidden.
    case headers
    /// Also logs the start of the bodies, with known secrets hidden.
    case bodies

    /// Returns whether the left value logs less detail.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Returns the detail that a build logs: in a release build at most `maxInRelease`.
    func permitted(upTo maxInRelease: LogDetail, isDebugBuild: Bool) -> LogDetail { isDebugBuild ? self : min(self, maxInRelease) }
}
