/// How much is logged about each request.
public enum LogDetail: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Method, origin, the endpoint's name, status, time and the kind of failure, and neither paths nor queries, which may contain personal data.
    ///
    /// The name of a request is the template of its path, `users/{}`, in which interpolated values are left out. A path made with
    /// `Path(raw:)` is its own template: give such a request a name.
    case outline
    /// The URL, the explanation of a failure, and each attempt if there were several.
    case basic
    /// The header fields as well.
    case headers
    /// The start of the bodies as well.
    case bodies

    /// Compares by how much is logged.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Returns the detail that a build logs: in a release build at most `maxInRelease`.
    func permitted(upTo maxInRelease: LogDetail, isDebugBuild: Bool) -> LogDetail { isDebugBuild ? self : min(self, maxInRelease) }
}
