public import MartletEssentials

/// Why a recording can't be read or written, or was not used up.
///
/// Where something in the file is wrong, the error says where: line and column, counted from 1, and for a member that is not what it
/// should be also its place in the document, `log.entries[3].response.status`. Nothing of the recorded values is quoted, but for numbers.
@nonexhaustive public enum HARError: Error, Hashable, Sendable {
    /// The file can't be read.
    case unreadable(String)
    /// The file can't be written.
    case unwritable(String)
    /// The file has more bytes than the limit that was given.
    case tooLarge(limit: Int)
    /// It is not JSON: truncated, damaged, or nested too deep.
    case malformed(reason: String, line: Int, column: Int)
    /// It is JSON, and not a HAR: a member is missing, of another kind, or has a value that no message of HTTP can have.
    case invalid(member: String, reason: String, line: Int, column: Int)
    /// There is no recording, and none may be made here: see ``CassetteMode``.
    case recordingRefused(String)
    /// ``Cassette/finish()`` found entries that were never played.
    case unused(UnusedStubsError)
}

extension HARError: LocalizedError, CustomStringConvertible {
    /// The same text as `description`: whoever reads it works on a test.
    public var errorDescription: String? { description }

    /// What is wrong and where: `log.entries[3].response.status: 99999 is not a status (line 82, column 21)`.
    public var description: String {
        switch self {
        case .unreadable(let text): "the recording can't be read: \(text)"
        case .unwritable(let text): "the recording can't be written: \(text)"
        case .tooLarge(let limit): "the recording is larger than \(limit) bytes"
        case .malformed(let reason, let line, let column): "line \(line), column \(column): \(reason)"
        case .invalid(let member, let reason, let line, let column): "\(member): \(reason) (line \(line), column \(column))"
        case .recordingRefused(let text): text
        case .unused(let error): "\(error)"
        }
    }
}
