/// Whether a ``Cassette`` replays or records.
///
/// Nothing is recorded by default or because of the machine that runs the test. Only ``record(_:)`` always records; the other recording
/// modes require a missing file or an environment variable.
public enum CassetteMode: Sendable {
    /// Replays the file, and never records; a missing file is an error.
    case replay
    /// Always records through the given transport, and replaces an existing file.
    case record(any Transport)
    /// Replays the file if it exists, and otherwise records it through the given transport, for the first run of a new test.
    ///
    /// If the environment variable `CI` is set (and not empty, `0` or `false`), a missing file is an error. Most continuous integration
    /// services set it.
    case replayOrRecord(any Transport)
    /// Replays the file, or records it through the given transport if an environment variable says so. With `1` or `all` it records a new
    /// file, and with `missing` it is like ``replayOrRecord(_:)``.
    ///
    ///     MARTLET_RECORD=1 swift test --filter UserTests
    case environment(any Transport, variable: String = "MARTLET_RECORD")

    /// Returns the transport to record through, or nil to replay.
    func recorded(isThere: Bool, environment: [String: String], file: String) throws(CassetteError) -> (any Transport)? {
        switch self {
        case .replay: return nil
        case .record(let transport): return transport
        case .replayOrRecord(let transport):
            if isThere { return nil }
            guard ["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "") else {
                throw .recordingRefused(
                    "there is no recording at \(file), and none is made because CI is set: record it on another machine")
            }
            return transport
        case .environment(let transport, let variable):
            switch environment[variable]?.lowercased() {
            case "1", "all": return transport
            case "missing":
                return try CassetteMode.replayOrRecord(transport).recorded(isThere: isThere, environment: environment, file: file)
            default: return nil
            }
        }
    }
}
