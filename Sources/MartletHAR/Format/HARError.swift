public import MartletEssentials

/// The error of a recording that can't be read or written.
///
/// For an error in the file's contents, it gives the line and column, counted from 1, and for an invalid member also its path, such as
/// `log.entries[3].response.status`. Of the recorded values it quotes only numbers.
@nonexhaustive public enum HARError: Error, Hashable, Sendable {
    /// The file is missing or can't be read.
    case unreadable(String)
    /// The file can't be written.
    case unwritable(String)
    /// The file to replay exceeds the size limit in bytes.
    case tooLarge(limit: Int)
    /// The file can't be parsed as JSON, because it is truncated or damaged, nested too deeply, or has more than 10 million values.
    case malformed(reason: String, line: Int, column: Int)
    /// The file is JSON but not a valid HAR, because a member is missing, has the wrong type, or a value that no HTTP message can have.
    case invalid(member: String, reason: String, line: Int, column: Int)
}

extension HARError: LocalizedError, CustomStringConvertible {
    /// What is wrong and where, the same text as `description`, because its readers are developers of tests.
    public var errorDescription: String? { description }

    /// What is wrong and where, such as `log.entries[3].response.status: 99999 is not an HTTP status (line 82, column 21)`.
    public var description: String {
        switch self {
        case .unreadable(let text): "the recording can't be read: \(text)"
        case .unwritable(let text): "the recording can't be written: \(text)"
        case .tooLarge(let limit): "the recording is larger than \(limit) bytes"
        case .malformed(let reason, let line, let column): "line \(line), column \(column): \(reason)"
        case .invalid(let member, let reason, let line, let column): "\(member): \(reason) (line \(line), column \(column))"
        }
    }
}
