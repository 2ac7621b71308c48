/// The amount of detail that is logged about each request.
public enum LogDetail: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Method, origin, name of the endpoint, status, time and the kind of failure. Paths and queries, which may contain personal data, are
    /// not logged.
    ///
    /// The name of a request is the template of its path, `users/{}`, without the interpolated values. A path made with `Path(raw:)` is its
    /// own template: name such a request yourself.
    case outline
    /// The URL, the explanation of a failure, and each attempt if there were several.
    case basic
    /// The header fields as well.
    case headers
    /// The start of the bodies as well.
    case bodies

    /// Compares by the amount of detail.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Returns the detail that a build logs: in a release build at most `maxInRelease`.
    func permitted(upTo maxInRelease: LogDetail, isDebugBuild: Bool) -> LogDetail { isDebugBuild ? self : min(self, maxInRelease) }
}
