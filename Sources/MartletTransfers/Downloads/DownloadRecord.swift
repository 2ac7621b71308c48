internal import MartletEssentials
internal import MartletSystem

/// The small file beside a part file that describes its bytes.
struct DownloadRecord: Sendable {
    let path: String
    var calls = FileCalls()

    /// The maximum size of a record in bytes.
    private static let limit = 16 * 1024

    /// Returns the content, or nil if the file is missing, does not belong to this user, or can't be read.
    func read() -> Data? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_size > 0,
            status.st_size <= off_t(DownloadRecord.limit), let body = try? HTTPBody(file: URL(fileURLWithPath: path)),
            case .file(let file) = body.storage
        else { return nil }
        return try? file.open().read(upTo: DownloadRecord.limit)
    }

    /// Replaces the content in one step.
    func write(_ bytes: Data) throws(HTTPError) {
        let draft = try PartFile.open(path + "~", calls: calls)
        try draft.empty()
        try draft.write(bytes, at: 0)
        _ = try draft.move(to: path, replacing: true)
    }

    /// Removes the file.
    func remove() { unlink(path) }
}
