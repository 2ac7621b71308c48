/// Whether a ``Cassette`` plays or records.
///
/// Nothing is ever recorded by default, nor because of the machine a test runs on: only ``record(_:)`` records always, and the others that
/// can record are told to by a missing file or by a variable that the test names.
public enum CassetteMode: Sendable {
    /// Plays. A file that is missing is an error.
    case replay
    /// Records anew, through the given transport.
    case record(any Transport)
    /// Plays the file when there is one, and records it, through the given transport, when there is none: for the first run of a new
    /// test. Where the environment has `CI`, as most services of continuous integration set it, a missing file is an error.
    case replayOrRecord(any Transport)
    /// Asks a variable of the environment: `1` or `all` records anew, `missing` is as ``replayOrRecord(_:)``, and without it, or with
    /// any other value, the file is played.
    ///
    ///     MARTLET_RECORD=1 swift test --filter UserTests
    case environment(any Transport, variable: String = "MARTLET_RECORD")

    /// The transport to record through; nil to play.
    func recorded(isThere: Bool, environment: [String: String], file: String) throws(HARError) -> (any Transport)? {
        switch self {
        case .replay: return nil
        case .record(let transport): return transport
        case .replayOrRecord(let transport):
            if isThere { return nil }
            guard ["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "") else {
                throw .recordingRefused("there is no recording at \(file), and none is made where CI is set")
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
