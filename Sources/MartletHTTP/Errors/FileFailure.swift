internal import MartletSystem

/// The failure to create, write or move a file.
public struct FileFailure: Sendable {
    /// The kind of failure, by what a person can do about it.
    @nonexhaustive public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The disk or the user's quota is full.
        case diskFull
        /// The user has no permission to write there, or the file system is read-only.
        case permissionDenied
        /// The folder does not exist.
        case folderMissing
        /// The file exists and must not be replaced.
        case alreadyExists
        /// The file is being written by another operation.
        case busy
        /// The file would exceed the size that the file system or the process allows.
        case tooLarge
        /// The name or path is not valid for a file: it is too long or that of a folder.
        case invalidName
        /// Any other failure of the file system; ``FileFailure/explanation`` has the system's message.
        case other
    }

    /// The kind of failure.
    public let kind: Kind
    /// The path of the file.
    public let path: String
    /// The operation that failed, and the system's message, for developers.
    public let explanation: String
    /// The request, the stage, the number of attempts and the underlying error.
    public var context: ErrorContext

    /// Creates a file failure.
    public init(_ kind: Kind, path: String, _ explanation: String = "", context: ErrorContext = .init()) {
        self.kind = kind
        self.path = path
        self.explanation = explanation
        self.context = context
    }

    /// Creates the failure for the error code of a system call.
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

extension FileFailure: ErrorPayload {
    package var text: String { "\(kind.rawValue), \(Redaction.line(path))" + explanation.inParentheses }

    package func isSame(as other: FileFailure) -> Bool { kind == other.kind && path == other.path }
}
