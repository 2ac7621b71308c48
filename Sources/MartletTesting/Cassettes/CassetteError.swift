public import MartletEssentials

/// The error of a cassette: its recording can't be used, may not be made, or was not used completely.
@nonexhaustive public enum CassetteError: Error, Hashable, Sendable {
    /// The recording can't be read or written.
    case recording(HARError)
    /// The recording is missing, and the mode or the environment does not allow recording. See ``CassetteMode``.
    case recordingRefused(String)
    /// Some entries of the recording were never replayed when ``Cassette/finish()`` was called.
    case unused(UnusedStubsError)
}

extension CassetteError: LocalizedError, CustomStringConvertible {
    /// What is wrong and where, the same text as `description`, because its readers are developers of tests.
    public var errorDescription: String? { description }

    /// What is wrong and where.
    public var description: String {
        switch self {
        case .recording(let error): "\(error)"
        case .recordingRefused(let text): text
        case .unused(let error): "\(error)"
        }
    }
}
