internal import MartletSystem

/// A file that could not be made, written or moved into its place.
public struct FileFailure: Sendable {
    /// What failed, told apart by what a person can do about it.
    @nonexhaustive public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The disk, or the share of it that the user has, is full.
        case diskFull
        /// The user may not write there, or the file system is read-only.
        case permissionDenied
        /// The folder is not there.
        case folderMissing
        /// There is a file already, and it may not be replaced.
        case alreadyExists
        /// Somebody else is writing the same file at this moment.
        case busy
        /// The file would be larger than the file system, or the process, may have.
        case tooLarge
        /// The name or the path can't be one of a file: too long, or a folder's.
        case invalidName
        /// Anything else; the explanation has the system's words.
        case other
    }

    /// What failed.
    public let kind: Kind
    /// The file.
    public let path: String
    /// What was tried, and the system's words.
    public let explanation: String
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A failure of a file.
    public init(_ kind: Kind, path: String, _ explanation: String = "", context: ErrorContext = .init()) {
        self.kind = kind
        self.path = path
        self.explanation = explanation
        self.context = context
    }
}

extension FileFailure: ErrorPayload {
    package var text: String { "\(kind.rawValue), \(Redaction.line(path))" + explanation.inParentheses }

    package func isSame(as other: FileFailure) -> Bool { kind == other.kind && path == other.path }
}

extension FileFailure {
    /// The failure that a system call reports.
    package init(code: Int32, path: String, _ what: String) {
        self.init(FileFailure.kind(of: code), path: path, "\(what): \(SystemFailure.words(code))")
    }

    private static func kind(of code: Int32) -> Kind {
        switch code {
        case ENOSPC, EDQUOT: .diskFull
        case EACCES, EPERM, EROFS: .permissionDenied
        case ENOENT, ENOTDIR: .folderMissing
        case EEXIST, ENOTEMPTY: .alreadyExists
        case EFBIG: .tooLarge
        case ENAMETOOLONG, EISDIR, EINVAL, ELOOP: .invalidName
        default: .other
        }
    }
}
