public import MartletEssentials

/// The error of an inspector that was not started.
@nonexhaustive public enum InspectorError: Error, Sendable, Hashable {
    /// The app is a release build, and ``Inspector/Options/startsInReleaseBuilds`` is false.
    case releaseBuild
    /// The server of the page could not be started.
    case notStarted(String)
    /// The recording can't be read.
    case unreadable(String)
}

extension InspectorError: LocalizedError, CustomStringConvertible {
    /// The same text as `description`, because its readers are developers.
    public var errorDescription: String? { description }

    /// What is wrong, for developers.
    public var description: String {
        switch self {
        case .releaseBuild: "the inspector starts in debug builds only, unless its options allow release builds"
        case .notStarted(let text): "the inspector could not be started: \(text)"
        case .unreadable(let text): text
        }
    }
}
